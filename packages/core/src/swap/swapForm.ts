import { formatUnits } from '@latchkey/protocol/amount'
import type { ConvertToken } from '@latchkey/protocol/http/chainApi'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { swapAmountDecimals, swapDebounceMs, swapPresetWaitMs } from '@latchkey/protocol/specificationConstants'
import { loading } from '../lib/queryResult.ts'
import { maxAmount } from './swapAmounts.ts'
import { isInProgress, type SwapContext } from './swapContext.ts'
import { withDraftTokens } from './swapDraft.ts'
import { createSwapQuotes, type SwapQuotes } from './swapQuotes.ts'
import { findSwapToken, swapTokensOf } from './swapTokens.ts'
import type { Swap, SwapPresets, SwapQuote, SwapState, SwapToken, SwapTokens } from './swapTypes.ts'
import { createTokenPricesAndContracts } from './tokenPricesAndContracts.ts'

/** The maximum length of the amount. */
const maxAmountLength = 100

/** The form of a swap, with the tokens and the quote. */
export interface SwapForm extends Pick<Swap, 'open' | 'setAmount' | 'setMax' | 'setToken' | 'flip'> {
  readonly requote: SwapQuotes['request']
  /** Retries the requests that failed. */
  reload(): void
  /** Updates the balances and prices of the tokens. */
  merge(): void
  /** Reads the tokens of the active network. */
  load(): Promise<void>
  /** Clears the amount after it has been swapped. */
  clear(): void
  stop(): void
}

/** Creates the form. */
export function createSwapForm(context: SwapContext): SwapForm {
  const { state, patch, server, portfolio, clock, draft } = context
  const facts = createTokenPricesAndContracts(context)
  const quotes = createSwapQuotes(context, facts, () => merge())
  let listed: readonly ConvertToken[] = []
  let presets: SwapPresets | undefined
  let loads = 0

  const savedDraft = () => draft.get() ?? { amount: '', tokens: {} }
  function save(): void {
    const { chain, from, to, amount } = state.get()
    const next = { ...savedDraft(), amount }
    draft.set(chain === undefined ? next : withDraftTokens(next, chain, { from: from?.id, to: to?.id }))
  }
  /** Changes the form and requests a new quote. */
  function edit(change: Partial<SwapState>, delayMs = 0): void {
    patch(change)
    save()
    void quotes.request({ delayMs })
  }

  /** Updates the tokens with the balances, prices and decimals that have been read. */
  function merge(): void {
    const network = context.now()?.network
    const { chain, account, tokens, from, to } = state.get()
    if (!network || network.caipNetworkId !== chain || tokens.value === undefined) return
    const { account: owner, tokens: owned } = portfolio.state.get()
    const all = swapTokensOf({
      listed,
      owned: owner === account ? owned.value : undefined,
      network,
      prices: facts.prices,
    })
    const value = marked(all, facts.mark)
    const again = (token: SwapToken | undefined) => token && findSwapToken(value, token.id)
    const next = { tokens: { status: 'ready', value } as const, from: again(from), to: again(to) }
    patch({ ...next, ...quotes.recomputed(next) })
  }

  async function load(): Promise<void> {
    const load = ++loads
    const subject = context.now()
    const chain = subject?.network.caipNetworkId
    const before = state.get()
    const isSame = before.account === subject?.account && before.chain === chain
    quotes.clear()
    if (!isSame) {
      listed = []
      facts.clear()
    }
    patch({
      account: subject?.account,
      chain,
      quote: { status: 'idle' },
      tokens: isSame ? loading(before.tokens) : { status: 'loading' },
      ...(!isSame && { supported: undefined, from: undefined, to: undefined }),
    })
    if (!chain) return patch({ tokens: { status: 'idle' }, supported: false })
    void portfolio.refresh()
    try {
      const found = chain.startsWith('eip155:') ? await server.tokens(chain) : undefined
      if (load !== loads) return
      if (!found) return patch({ supported: false, tokens: { status: 'idle' } })
      listed = found
      patch({ supported: true, tokens: { status: 'ready', value: { all: [], own: [], suggested: [] } } })
      fillIn()
      await quotes.request()
    } catch (error) {
      if (load === loads) patch({ tokens: { status: 'failed', error: toLatchkeyError(error) } })
    }
  }

  /** Selects the tokens: the host's presets, or else the form's tokens, or else those of the stored draft. */
  function fillIn(): void {
    const { from, to } = state.get()
    merge()
    const { tokens, chain } = state.get()
    if (tokens.value === undefined || chain === undefined) return
    const kept = savedDraft().tokens[chain]
    const source = findFirst(tokens.value, presets?.from, from?.id, kept?.from, 'native')
    const target = findFirst(tokens.value, presets?.to, to?.id, kept?.to)
    presets = undefined
    patch({ from: source, to: target?.id === source?.id ? undefined : target })
    save()
  }

  return {
    async open(given) {
      const isBusy = isInProgress(state.get())
      if (given && !isBusy) {
        presets = given
        // If the tokens load later, do not replace the tokens that the user has selected in the meantime.
        clock.after(swapPresetWaitMs, () => {
          if (presets === given) presets = undefined
        })
        if (given.amount !== undefined && isAmount(given.amount)) patch({ amount: given.amount })
      }
      const { account, chain, tokens } = state.get()
      const subject = context.now()
      const isLoaded =
        tokens.status === 'ready' && account === subject?.account && chain === subject?.network.caipNetworkId
      if (!isLoaded) return load()
      if (isBusy) return
      void portfolio.refresh()
      fillIn()
      await quotes.request()
    },
    setAmount(amount) {
      const now = state.get()
      if (amount === now.amount || !isAmount(amount) || isInProgress(now)) return
      edit({ amount }, swapDebounceMs)
    },
    setMax() {
      const { from, chain } = state.get()
      if (!from || !chain) return
      const price = server.gasPrice(chain).catch(() => undefined)
      void price.then((gasPrice) => {
        const now = state.get()
        const max = maxAmount(now.from, gasPrice)
        if (max === undefined || now.from?.id !== from.id || isInProgress(now)) return
        edit({ amount: formatUnits(max, from.decimals) })
      })
    },
    setToken(side, id) {
      const { tokens, from, to } = state.get()
      const token = tokens.value && findSwapToken(tokens.value, id)
      if (!token || isInProgress(state.get())) return
      const other = side === 'from' ? to : from
      const displaced = other?.id === token.id ? (side === 'from' ? from : to) : other
      edit(side === 'from' ? { from: token, to: displaced } : { to: token, from: displaced })
    },
    flip() {
      const { tokens, from, to, quote } = state.get()
      if (tokens.status !== 'ready' || isInProgress(state.get())) return
      edit({ from: to, to: from, amount: quote.status === 'ready' ? receivedText(quote.value) : '1' })
    },
    requote: quotes.request,
    reload: () => void (state.get().tokens.status === 'ready' ? quotes.request() : load()),
    merge,
    load,
    clear() {
      quotes.clear()
      patch({ amount: '', quote: { status: 'idle' } })
      save()
    },
    stop: quotes.clear,
  }
}

function marked({ all, own, suggested }: SwapTokens, mark: (token: SwapToken) => SwapToken): SwapTokens {
  return { all: all.map(mark), own: own.map(mark), suggested: suggested.map(mark) }
}

/** Returns the first token that exists. */
function findFirst(tokens: SwapTokens, ...symbolsOrIds: readonly (string | undefined)[]): SwapToken | undefined {
  return symbolsOrIds.flatMap((value) => (value === undefined ? [] : (findSwapToken(tokens, value) ?? [])))[0]
}

/** Whether a text can be entered as an amount: digits with at most one point. */
function isAmount(text: string): boolean {
  return text.length <= maxAmountLength && /^\d*\.?\d*$/.test(text)
}

/** Returns the received amount in human units, with at most six decimal places. */
function receivedText({ received, to }: SwapQuote): string {
  const [whole = '0', fraction = ''] = formatUnits(received, to.decimals).split('.')
  const cut = fraction.slice(0, swapAmountDecimals).replace(/0+$/, '')
  return cut ? `${whole}.${cut}` : whole
}
