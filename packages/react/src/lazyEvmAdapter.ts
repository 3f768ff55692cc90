import type { Adapter, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'

/** An EVM adapter that is fetched on first use. */
export interface LazyEvmAdapter {
  readonly adapter: Adapter<'eip155'>
  /** Fetches the adapter now, for example when the modal opens. */
  load(): void
}

/** Creates an EVM adapter with default options that is loaded on demand, so that users without a wallet do not download it. */
export function lazyEvmAdapter(
  importAdapter: () => Promise<Adapter<'eip155'>> = async () => (await import('@latchkey/adapters/evm')).evm(),
): LazyEvmAdapter {
  let loaded: Adapter<'eip155'> | undefined
  let pending: Promise<Adapter<'eip155'>> | undefined
  const waiting = new Set<(adapter: Adapter<'eip155'>) => void>()

  const fetch = (): Promise<Adapter<'eip155'>> => {
    pending ??= importAdapter().then(
      (adapter) => {
        loaded = adapter
        for (const callback of waiting) callback(adapter)
        waiting.clear()
        return adapter
      },
      (error: unknown) => {
        pending = undefined
        throw error
      },
    )
    return pending
  }
  // If the chunk fails to load, the error is ignored because the next click retries.
  const load = (): void => void fetch().catch(() => undefined)

  const adapter: Adapter<'eip155'> = {
    namespace: 'eip155',
    networks: [],
    discover(found, signal, isOwn) {
      if (loaded) {
        loaded.discover(found, signal, isOwn)
        return
      }
      const discoverWith = (loaded: Adapter<'eip155'>): void => {
        if (!signal.aborted) loaded.discover(found, signal, isOwn)
      }
      waiting.add(discoverWith)
      signal.addEventListener('abort', () => waiting.delete(discoverWith), { once: true })
      if ('ethereum' in window) {
        load()
        return
      }
      window.addEventListener('eip6963:announceProvider', load, { once: true, signal })
      window.dispatchEvent(new Event('eip6963:requestProvider'))
    },
    describe: (chain) => loaded?.describe?.(chain) ?? placeholderNetwork(chain),
    balance: async (params) => {
      const { balance } = await fetch()
      if (!balance) throw new Error('Balances are not available.')
      return balance(params)
    },
    identity: async (params) => (await (await fetch()).identity?.(params)) ?? {},
  }
  return { adapter, load }
}

// Until the adapter has loaded, only the chain ID is known.
function placeholderNetwork(chain: ChainId<'eip155'>): Network<'eip155'> {
  const reference = chain.slice('eip155:'.length)
  return {
    id: Number(reference),
    name: `Chain ${reference}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    chainNamespace: 'eip155',
    caipNetworkId: chain,
  }
}
