import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Adapter, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'

/** Returns the initial network state for new users. */
export function initialNetworks(params: {
  adapters: readonly Adapter[]
  defaultNetwork?: ChainId | undefined
  shown?: ChainId | undefined
}): State['networks'] {
  const known = params.adapters.flatMap((adapter) => adapter.networks)
  const named = params.defaultNetwork && known.find(({ caipNetworkId }) => caipNetworkId === params.defaultNetwork)
  const active = params.shown ?? (named ?? known[0])?.caipNetworkId
  return { known, active, namespace: active ? namespaceOf(active) : params.adapters[0]?.namespace }
}

/** Returns the host's network for `chain`, or else the adapter's description, or else a network named 'Unknown Network'. */
export function findNetwork(adapters: readonly Adapter[], chain: ChainId): Network | undefined {
  const adapter = adapters.find(({ namespace }) => namespace === namespaceOf(chain))
  return (
    adapter &&
    (adapter.networks.find(({ caipNetworkId }) => caipNetworkId === chain) ??
      adapter.describe?.(chain) ??
      unknownNetwork(chain))
  )
}

/** Whether `chain` is one of the host's networks. Also `true` if the host has no networks in the namespace. */
export function supportsNetwork(adapters: readonly Adapter[], chain: ChainId): boolean {
  return adapters.some(
    ({ namespace, networks }) =>
      namespace === namespaceOf(chain) &&
      (networks.length === 0 || networks.some(({ caipNetworkId }) => caipNetworkId === chain)),
  )
}

function unknownNetwork(chain: ChainId): Network {
  const reference = chain.slice(chain.indexOf(':') + 1)
  return {
    id: /^\d+$/.test(reference) ? Number(reference) : reference,
    name: 'Unknown Network',
    nativeCurrency: { name: 'Unknown', symbol: '', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    chainNamespace: namespaceOf(chain),
    caipNetworkId: chain,
  }
}
