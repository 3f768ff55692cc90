import { type AccountId, accountId, addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import type { Connector } from '../adapter.ts'
import type { ConnectionState } from '../latchkeyTypes.ts'
import type { Networks } from '../networks/networks.ts'
import type { StorageSchema, StoredConnection } from '../storage/storageSchema.ts'
import type { LiveSession } from './liveSession.ts'

/** A namespace's stored connections from the last visit. */
export interface StoredNamespace {
  readonly namespace: Namespace
  /** The ID of the connector that becomes active. */
  readonly connectorId: string
  /** The IDs of the connectors to restore, including the active connector. */
  readonly connectorIds: readonly string[]
  /** The active connector's chain. */
  readonly chain: ChainId | undefined
  /** The active connector's accounts. */
  readonly accounts: readonly AccountId[]
}

type Records = Pick<StorageSchema, 'clearCaches' | 'connectedNamespaces' | 'connections' | 'connectorId' | 'status'>

/**
 * Stores a namespace's live sessions. Connections that are still being restored stay stored. Does nothing while the active
 * connection is being restored.
 */
export function storeConnections({
  namespace,
  sessions,
  namespaces,
  stateOf,
  isRestoring,
  records,
}: {
  readonly namespace: Namespace
  readonly sessions: readonly LiveSession[]
  /** All of the instance's namespaces. */
  readonly namespaces: readonly Namespace[]
  stateOf(namespace: Namespace): ConnectionState
  isRestoring(namespace: Namespace, connectorId: string): boolean
  readonly records: Records
}): void {
  if (stateOf(namespace).status === 'reconnecting') return
  const connected = namespaces.filter((other) => (other === namespace ? sessions.length > 0 : isHeld(stateOf(other))))
  const before = records.connectedNamespaces.get() ?? []
  const inOrder = [
    ...before.filter((other) => connected.includes(other)),
    ...connected.filter((other) => !before.includes(other)),
  ]
  if (inOrder.length > 0) records.connectedNamespaces.set(inOrder)
  else records.connectedNamespaces.clear()
  records.status.set(inOrder.length > 0 ? 'connected' : 'disconnected')
  const [first] = sessions
  if (first) records.connectorId(namespace).set(first.session.connector.id)
  else records.connectorId(namespace).clear()
  const earlier = records.connections.get() ?? {}
  const unconfirmed = (earlier[namespace] ?? []).filter(
    ({ connectorId }) =>
      isRestoring(namespace, connectorId) && !sessions.some(({ session }) => session.connector.id === connectorId),
  )
  records.connections.set({ ...earlier, [namespace]: [...sessions.map(toStored), ...unconfirmed] })
}

/**
 * Returns the stored connections in the namespaces that were connected. Includes all wallets if `multiWallet` is `true`. Clears
 * the caches if no wallet was connected.
 */
export function readConnections({
  namespaces,
  records,
  networks,
  reconnect,
  multiWallet,
}: {
  readonly namespaces: readonly Namespace[]
  readonly records: Records
  readonly networks: Pick<Networks, 'first'>
  /** Whether the host has enabled restoring connections. */
  readonly reconnect: boolean
  readonly multiWallet: boolean
}): readonly StoredNamespace[] {
  const status = records.status.get()
  if (status === 'disconnected') records.clearCaches()
  const all = records.connections.get() ?? {}
  return namespaces.flatMap((namespace) => {
    const connectorId = reconnect && status === 'connected' ? records.connectorId(namespace).get() : undefined
    if (!connectorId) return []
    const stored = all[namespace] ?? []
    const active = stored.find((connection) => connection.connectorId === connectorId)
    const chain = active?.caipNetwork ?? networks.first(namespace)
    const others = multiWallet ? stored.map((connection) => connection.connectorId) : []
    const accounts = active && chain ? active.accounts.map(({ address }) => accountId(chain, address)) : []
    return [{ namespace, connectorId, connectorIds: [...new Set([connectorId, ...others])], chain, accounts }]
  })
}

/** Returns the connector's stored chain, if the host still supports the chain. */
export function readChain(
  { namespace, id }: Connector,
  {
    records,
    networks,
  }: { readonly records: Pick<Records, 'connections'>; readonly networks: Pick<Networks, 'supports'> },
): ChainId | undefined {
  const stored = records.connections.get()?.[namespace]?.find(({ connectorId }) => connectorId === id)
  const chain = stored?.caipNetwork
  return chain && networks.supports(chain) ? chain : undefined
}

/** Records that no wallet is connected, so that no connection is restored on the next visit. */
export function clearConnected(namespaces: readonly Namespace[], records: Records): void {
  records.status.set('disconnected')
  records.connectedNamespaces.clear()
  for (const namespace of namespaces) records.connectorId(namespace).clear()
}

function isHeld({ status }: ConnectionState): boolean {
  return status === 'connected' || status === 'reconnecting'
}

function toStored({ session, accounts, chain }: LiveSession): StoredConnection {
  const seen = new Map(accounts.map((account) => [addressOf(account).toLowerCase(), addressOf(account)]))
  return {
    connectorId: session.connector.id,
    accounts: [...seen.values()].map((address) => ({ address })),
    caipNetwork: chain,
  }
}
