import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import { findNetwork, supportsNetwork } from './findNetwork.ts'

/** The known networks and the active network. */
export interface Networks {
  /** Returns the host's network for `chain`, or else the adapter's description, or else a network named 'Unknown Network'. */
  find(chain: ChainId): Network | undefined
  /** Whether `chain` is one of the host's networks. Also `true` if the host has no networks in the namespace. */
  supports(chain: ChainId): boolean
  /** Activates and stores the network. */
  activate(chain: ChainId): void
  /** Returns the active network if it is in `namespace`, or else the namespace's first network. */
  first(namespace: Namespace): ChainId | undefined
  /** Returns the active network if it is one of the host's networks in `namespace`, or else the first of these networks. */
  listed(namespace: Namespace): ChainId | undefined
  /** Adds a network in a configured chain family. Has no effect if the network is already listed. */
  add(network: Network): void
  /** Removes a network, unless it is the only one in its family, because a family without networks accepts any network. */
  remove(chain: ChainId): void
  /** Restores a returning user's network. */
  restore(): void
}

/** Creates the networks, and writes them to the `networks` slice. */
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
