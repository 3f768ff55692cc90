import type { ConvertFee } from '@latchkey/protocol/http/chainApi'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { swapInitialGas } from '@latchkey/protocol/specificationConstants'
import { delay } from '../lib/delay.ts'
import { parsedAmount, quoteOf } from './swapAmounts.ts'
import { nativeOf, type SwapContext } from './swapContext.ts'
import type { SwapState } from './swapTypes.ts'
import type { TokenPricesAndContracts } from './tokenPricesAndContracts.ts'

/** The quote of the form. */
export interface SwapQuotes {
  /** Requests a quote after `delayMs`. With `quiet`, the current quote stays visible until the new one has arrived. */
  request(params?: { readonly delayMs?: number; readonly quiet?: boolean }): Promise<void>
  /** Recalculates the quote with new balances or prices. Returns the change of the state. */
  recomputed(now: Pick<SwapState, 'tokens' | 'from' | 'to'>): Pick<SwapState, 'quote'> | undefined
  /** Clears the quote and aborts the request. */
  clear(): void
}

/** The server's quote. */
interface Quoted {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly received: bigint
  readonly fee: ConvertFee | undefined
  readonly networkFee: bigint | undefined
  readonly at: number
}

/** Creates the quotes. A new request aborts the previous one, whose response is ignored. */
export function createSwapQuotes(
  { state, patch, server, clock }: SwapContext,
  facts: Pick<TokenPricesAndContracts, 'readMissing'>,
  /** Called when prices have been read. */
  merge: () => void,
): SwapQuotes {
  let asking = new AbortController()
  let quoted: Quoted | undefined

  const recomputed: SwapQuotes['recomputed'] = ({ tokens, from, to }) => {
    const { quote } = state.get()
    if (quote.status !== 'ready' || !quoted || from?.id !== quoted.from || to?.id !== quoted.to) return undefined
    return { quote: { status: 'ready', value: quoteOf({ ...quoted, from, to, native: nativeOf({ tokens }) }) } }
  }

  return {
    async request({ delayMs = 0, quiet = false } = {}) {
      asking.abort()
      asking = new AbortController()
      const { signal } = asking
      const { account, chain, from, to, amount: text, quote } = state.get()
      const amount = parsedAmount(text, from)
      if (!account || !chain || !from || !to || from.id === to.id || !amount) {
        quoted = undefined
        return patch({ quote: { status: 'idle' } })
      }
      if (!quiet || quote.status !== 'ready') {
        // Do not show a quote for another amount or other tokens.
        quoted = undefined
        patch({ quote: { status: 'loading' } })
      }
      if (delayMs > 0) await delay({ clock, ms: delayMs, signal })
      if (signal.aborted) return
      try {
        const gasPrice = server.gasPrice(chain).catch(() => undefined)
        const native = nativeOf(state.get())
        const [best, price] = await Promise.all([
          gasPrice.then((known) => server.quote({ account, from, to, amount }, known, signal)),
          gasPrice,
          facts.readMissing([from, to, ...(native ? [native] : [])]),
        ])
        if (signal.aborted) return
        quoted = {
          from: from.id,
          to: to.id,
          amount,
          received: BigInt(best.toAmount),
          fee: best.fee,
          networkFee: price === undefined ? undefined : price * swapInitialGas,
          at: clock.now(),
        }
        patch({ quote: { status: 'ready', value: quoteOf({ ...quoted, from, to, native }) } })
        merge()
      } catch (error) {
        if (signal.aborted) return
        quoted = undefined
        patch({ quote: { status: 'failed', error: toLatchkeyError(error) } })
      }
    },
    recomputed,
    clear() {
      asking.abort()
      quoted = undefined
    },
  }
}
