import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import { findNetwork, supportsNetwork } from './findNetwork.ts'

/** The known networks and the active network. */
export interface Networks {
  /** Returns the network with that id: the host's, or as its adapter describes it, or a network named 'Unknown Network'. */
  find(chain: ChainId): Network | undefined
  /** Whether the host listed the network, or listed none of its namespace. */
  supports(chain: ChainId): boolean
  /** Activates the network and stores the choice. */
  activate(chain: ChainId): void
  /** Returns the default network of `namespace`. */
  first(namespace: Namespace): ChainId | undefined
  /** Returns the host's network to connect on: the active network if the host listed it, else the first of the namespace, or `undefined` if none is listed. */
  listed(namespace: Namespace): ChainId | undefined
  /** Adds a network of a configured family. Known networks are not changed. */
  add(network: Network): void
  /** Removes a network, except the last of its family, because a family without networks accepts any. */
  remove(chain: ChainId): void
  /** Restores the stored network of a returning user. */
  restore(): void
}

/** Manages the `networks` slice. */
export function createNetworks(dependencies: {
  state: Store<State['networks']>
  adapters: readonly Adapter[]
  records: Pick<StorageSchema, 'activeNetwork' | 'activeNamespace'>
}): Networks {
  const { state, adapters, records } = dependencies
  const adapterOf = (namespace: Namespace) => adapters.find((adapter) => adapter.namespace === namespace)

  const listAnew = (): void => state.set({ ...state.get(), known: adapters.flatMap(({ networks }) => networks) })

  return {
    find: (chain) => findNetwork(adapters, chain),
    supports: (chain) => supportsNetwork(adapters, chain),
    activate(chain) {
      const now = state.get()
      if (now.active !== chain) state.set({ ...now, active: chain, namespace: namespaceOf(chain) })
      records.activeNetwork.set(chain)
    },
    first(namespace) {
      const { active } = state.get()
      if (active && namespaceOf(active) === namespace) return active
      return adapterOf(namespace)?.networks[0]?.caipNetworkId
    },
    listed(namespace) {
      const all = adapterOf(namespace)?.networks.map(({ caipNetworkId }) => caipNetworkId) ?? []
      return all.find((chain) => chain === state.get().active) ?? all[0]
    },
    add(network) {
      const { chainNamespace: namespace, caipNetworkId: chain } = network
      const adapter = adapterOf(namespace)
      if (!adapter?.change) throw new LatchkeyError('network/unsupported', { chain })
      if (adapter.networks.some(({ caipNetworkId }) => caipNetworkId === chain)) return
      adapter.change({ add: network })
      listAnew()
    },
    remove(chain) {
      const adapter = adapterOf(namespaceOf(chain))
      const { networks = [], change } = adapter ?? {}
      if (!change || networks.length < 2 || !networks.some(({ caipNetworkId }) => caipNetworkId === chain)) return
      change({ remove: chain })
      listAnew()
    },
    restore() {
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
