import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
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
}

/** Creates the networks, and writes them to the `networks` slice. */
export function createNetworks(dependencies: {
  state: Store<State['networks']>
  adapters: readonly Adapter[]
  /** Stores the active network. */
  store(chain: ChainId): void
}): Networks {
  const { state, adapters, store } = dependencies
  const adapterOf = (namespace: Namespace) => adapters.find((adapter) => adapter.namespace === namespace)

  return {
    find: (chain) => findNetwork(adapters, chain),
    supports: (chain) => supportsNetwork(adapters, chain),
    activate(chain) {
      const now = state.get()
      if (now.active !== chain) state.set({ ...now, active: chain, namespace: namespaceOf(chain) })
      store(chain)
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
  }
}
