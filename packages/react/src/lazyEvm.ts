import type { Adapter, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'

/** An EVM adapter that is fetched when there is something for it to do. */
export interface LazyEvm {
  readonly adapter: Adapter<'eip155'>
  /** Fetches it now: somebody opened the modal. */
  wake(): void
}

/** The EVM adapter with everything at its default, behind an `import()`: a page where no wallet shows itself never loads it. */
export function lazyEvm(
  load: () => Promise<Adapter<'eip155'>> = async () => (await import('@latchkey/adapters/evm')).evm(),
): LazyEvm {
  let real: Adapter<'eip155'> | undefined
  let coming: Promise<Adapter<'eip155'>> | undefined
  const waiting = new Set<(adapter: Adapter<'eip155'>) => void>()

  const fetch = (): Promise<Adapter<'eip155'>> => {
    coming ??= load().then(
      (adapter) => {
        real = adapter
        for (const tell of waiting) tell(adapter)
        waiting.clear()
        return adapter
      },
      (error: unknown) => {
        coming = undefined
        throw error
      },
    )
    return coming
  }
  // A chunk that did not come is asked for again by the next press.
  const wake = (): void => void fetch().catch(() => undefined)

  const adapter: Adapter<'eip155'> = {
    namespace: 'eip155',
    networks: [],
    discover(found, signal, isOwn) {
      if (real) {
        real.discover(found, signal, isOwn)
        return
      }
      const tell = (loaded: Adapter<'eip155'>): void => {
        if (!signal.aborted) loaded.discover(found, signal, isOwn)
      }
      waiting.add(tell)
      signal.addEventListener('abort', () => waiting.delete(tell), { once: true })
      if ('ethereum' in window) {
        wake()
        return
      }
      window.addEventListener('eip6963:announceProvider', wake, { once: true, signal })
      window.dispatchEvent(new Event('eip6963:requestProvider'))
    },
    describe: (chain) => real?.describe?.(chain) ?? plainNetwork(chain),
    balance: async (asked) => {
      const { balance } = await fetch()
      if (!balance) throw new Error('The EVM adapter reads no balances.')
      return balance(asked)
    },
    identity: async (asked) => (await (await fetch()).identity?.(asked)) ?? {},
  }
  return { adapter, wake }
}

// Until the adapter is here, only the number of a chain is known.
function plainNetwork(chain: ChainId<'eip155'>): Network<'eip155'> {
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
