import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'

/** Changes to the networks that only pages of connecting or returning users need. */
export interface NetworkChanges {
  /** Adds a network, unless it is already listed. Returns `false` if no adapter accepts it. */
  add(network: Network): boolean
  /** Removes a network, unless it is the only one in its family, because a family without networks accepts any network. */
  remove(chain: ChainId): void
  /** Restores a returning user's network. */
  restore(records: Pick<StorageSchema, 'activeNetwork' | 'activeNamespace'>): void
}

/** Creates the functions that change the networks in the adapters and in the `networks` slice. */
export function createNetworkChanges({
  state,
  adapters,
}: {
  readonly state: Store<State['networks']>
  readonly adapters: readonly Adapter[]
}): NetworkChanges {
  const adapterOf = (namespace: Namespace) => adapters.find((adapter) => adapter.namespace === namespace)

  const listAnew = (): void => state.set({ ...state.get(), known: adapters.flatMap(({ networks }) => networks) })

  return {
    add(network) {
      const { chainNamespace: namespace, caipNetworkId: chain } = network
      const adapter = adapterOf(namespace)
      if (!adapter?.change) return false
      if (adapter.networks.some(({ caipNetworkId }) => caipNetworkId === chain)) return true
      adapter.change({ add: network })
      listAnew()
      return true
    },
    remove(chain) {
      const adapter = adapterOf(namespaceOf(chain))
      const { networks = [], change } = adapter ?? {}
      if (!change || networks.length < 2 || !networks.some(({ caipNetworkId }) => caipNetworkId === chain)) return
      change({ remove: chain })
      listAnew()
    },
    restore(records) {
      const stored = records.activeNetwork.get()
      const namespace = records.activeNamespace.get()
      if (stored && adapterOf(namespaceOf(stored))) {
        state.set({ ...state.get(), active: stored, namespace: namespaceOf(stored) })
      } else if (namespace && adapterOf(namespace)) {
        state.set({ ...state.get(), active: adapterOf(namespace)?.networks[0]?.caipNetworkId, namespace })
      }
    },
  }
}
