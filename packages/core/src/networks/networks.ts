import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/errors'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkey.ts'
import type { Store } from '../lib/store.ts'
import type { StorageRecords } from '../storage/storage.ts'
import { findNetwork, supportsNetwork } from './findNetwork.ts'

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
  /** One more network of a family that is here; one that is known stays as it is. */
  add(network: Network): void
  /** Lets a network go, but for the last of its family: a family that names none takes any. */
  remove(chain: ChainId): void
  /** Sets what a returning visitor was on. */
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
