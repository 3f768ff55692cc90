import type { Namespace } from '@latchkey/protocol/caip'
import type { Connector } from '../adapter.ts'
import type { ConnectorGroup, ConnectorInfo, State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import { groupConnectors, withConnector } from './connectorGroups.ts'

/** The discovered connectors, and the rows that the connect view shows for them. */
export interface ConnectorRegistry {
  /** Adds a connector. Replaces a connector with the same namespace and ID. */
  add(connector: Connector): void
  /**
   * Returns the connector with `id`. Searches `namespace` if it is set, or else the filtered namespace, then the active one, and
   * then all others.
   */
  find(id: string, namespace?: Namespace): Connector | undefined
  /** Whether the connector is available in `namespace`. */
  has(namespace: Namespace, id: string | undefined): boolean
  /** Whether any connector matches. */
  some(matches: (connector: Connector) => boolean): boolean
  /** Shows only the connectors in `namespace`, or all connectors if `namespace` is `undefined`. */
  filter(namespace: Namespace | undefined): void
  /** Returns the rows of the connect view, as the same array until the wallets change. */
  shown(): readonly ConnectorGroup[]
}

/** Creates an empty registry. Manages `connectors` and `filter` in the `wallets` slice. */
export function createConnectorRegistry({
  wallets,
  namespaces,
  activeNamespace,
  mobile,
  listsAllWallets,
}: {
  readonly wallets: Store<State['wallets']>
  readonly namespaces: readonly Namespace[]
  activeNamespace(): Namespace | undefined
  mobile(): boolean
  /** Whether the connect view links to the list of all wallets. */
  readonly listsAllWallets: boolean
}): ConnectorRegistry {
  const connectors = new Map<string, Connector>()
  let lastShown: { readonly wallets: State['wallets']; readonly rows: readonly ConnectorGroup[] } | undefined

  return {
    add(connector) {
      connectors.set(`${connector.namespace}:${connector.id}`, connector)
      wallets.set({ ...wallets.get(), connectors: withConnector(wallets.get().connectors, infoOf(connector)) })
    },
    find(id, namespace) {
      const order = namespace ? [namespace] : [wallets.get().filter, activeNamespace(), ...namespaces]
      for (const namespace of order) {
        const connector = namespace && connectors.get(`${namespace}:${id}`)
        if (connector) return connector
      }
      return undefined
    },
    has: (namespace, id) => connectors.has(`${namespace}:${id}`),
    some: (matches) => [...connectors.values()].some(matches),
    filter(namespace) {
      if (wallets.get().filter !== namespace) wallets.set({ ...wallets.get(), filter: namespace })
    },
    shown() {
      const now = wallets.get()
      if (lastShown?.wallets !== now)
        lastShown = { wallets: now, rows: groupConnectors({ ...now, mobile: mobile(), directory: listsAllWallets }) }
      return lastShown.rows
    },
  }
}

/** Returns the serializable description of a connector. */
function infoOf(connector: Connector): ConnectorInfo {
  const { id, name, type, namespace, icon, imageId, rdns, explorerId, homepage } = connector
  return {
    id,
    name,
    type,
    namespace,
    ...(icon && { icon }),
    ...(imageId && { imageId }),
    ...(rdns && { rdns }),
    ...(explorerId && { explorerId }),
    ...(homepage && { homepage }),
  }
}
