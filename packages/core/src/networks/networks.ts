import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkey.ts'
import type { Store } from '../lib/store.ts'
import type { StorageRecords } from '../storage/storage.ts'
import { findNetwork, supportsNetwork } from './find.ts'

/** Which networks there are, and which is active. */
export interface Networks {
  /** The network with that id: the host's, or as its adapter describes it, or one named 'Unknown Network'. */
  find(chain: ChainId): Network | undefined
  /** Whether the host listed it, or listed none of its namespace. */
  supports(chain: ChainId): boolean
  /** Makes it the active one and remembers that. */
  activate(chain: ChainId): void
  /** The network to be on in `namespace`, when nothing else says which. */
  first(namespace: Namespace): ChainId | undefined
  /** The network of the host's to connect on: the active one when it is one of them, else its first; none where it listed none. */
  listed(namespace: Namespace): ChainId | undefined
  /** Sets what a returning visitor was on (spec logic 3.1). */
  restore(): void
}

/** Keeps the `networks` slice. */
export function createNetworks(deps: {
  state: Store<State['networks']>
  adapters: readonly Adapter[]
  records: Pick<StorageRecords, 'activeNetwork' | 'activeNamespace'>
}): Networks {
  const { state, adapters, records } = deps
  const adapterOf = (namespace: Namespace) => adapters.find((adapter) => adapter.namespace === namespace)

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
