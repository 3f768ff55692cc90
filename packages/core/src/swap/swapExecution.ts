import { chainOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { mayHaveBeenSent } from '../lib/mayHaveBeenSent.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import type { SwapRequest } from './checkSwapTransaction.ts'
import { trustedExchanges } from './exchanges.ts'
import { type PreparedSwap, prepareSwap, quoteLifeMs } from './prepareSwap.ts'
import { lacksGas, parsedAmount } from './swapAmounts.ts'
import { trackSwap, trackSwapError } from './swapAnalytics.ts'
import { contractsOf, isInProgress, nativeOf, type SwapContext } from './swapContext.ts'
import type { SwapForm } from './swapForm.ts'
import { convertIdOf, findSwapToken } from './swapTokens.ts'
import type { Swap, SwapQuote, SwapReview } from './swapTypes.ts'

/** How much lower the minimum can be than that which the user has seen, in thousandths. */
const toleratedDrop = 1n
/** The errors after which it is certain that the wallet has sent nothing. */
const nothingSent: ReadonlySet<ErrorCode> = new Set([
  'user/rejected',
  'wallet/failed',
  'wallet/busy',
  'wallet/unsupported',
  'wallet/not-authorized',
  'wallet/not-found',
  'wallet/unreachable',
  'network/unsupported',
  'network/not-found',
  'input/invalid',
  'frame/not-allowed',
  'session/gone',
])

type Step = PreparedSwap['step']

/** The review of a swap, and its transactions. */
export interface SwapExecution
  extends Pick<Swap, 'review' | 'accept' | 'confirm' | 'confirmUnverified' | 'cancelReview' | 'dismissUnconfirmed'> {
  /** Builds the transaction again, without hiding the current figures. */
  refresh(): Promise<void>
  /** Called when the account or the network has changed. */
  moved(): void
  /** Tries the review again after a failure. */
  retry(): void
  stop(): void
}

/** Creates the execution of swaps. A transaction is given to the wallet once, by `confirm`. */
export function createSwapExecution(context: SwapContext, form: Pick<SwapForm, 'clear' | 'requote'>): SwapExecution {
  const { state, patch, clock } = context
  const page = new AbortController()
  let preparing = new AbortController()
  let prepared: PreparedSwap | undefined
  /** The figures that the user has seen and accepted. */
  let accepted: Pick<SwapQuote, 'minimum' | 'fee'> | undefined

  const patchReview = (change: Partial<SwapReview>): void => {
    const { review } = state.get()
    if (review) patch({ review: { ...review, ...change } })
  }
  const stopReview = (error: LatchkeyError): void => {
    preparing.abort()
    prepared = undefined
    patchReview({ status: 'stopped', error })
  }
  const isCurrent = ({ account }: SwapReview): boolean => {
    const subject = context.now()
    return subject?.account === account && subject.network.caipNetworkId === chainOf(account)
  }
  /** Whether `review` is still the one in the state. The user can leave it while the wallet asks. */
  const isShown = ({ account, quote }: SwapReview): boolean => {
    const { review } = state.get()
    return review?.account === account && sameRequest(review.quote, quote)
  }

  async function prepare({ quiet = false } = {}): Promise<void> {
    const { review } = state.get()
    if (!review) return
    if (!isCurrent(review)) return stopReview(accountFailure('swap/changed'))
    preparing.abort()
    preparing = new AbortController()
    const { signal } = preparing
    if (!quiet) {
      prepared = undefined
      patchReview({ status: 'preparing' })
    }
    const { from, to, amount } = review.quote
    const request = { account: review.account, from, to, amount }
    const native = nativeOf(state.get())
    try {
      const next = await prepareSwap(context, {
        request,
        contract: review.contract,
        native,
        exchanges: trustedExchanges(chainOf(review.account), context.exchanges),
        tokens: contractsOf(state.get()),
        signal,
      })
      if (signal.aborted) return
      prepared = next
      const before = state.get().review?.error
      patchReview({
        status: 'ready',
        quote: next.quote,
        step: next.step,
        contract: next.contract,
        unverified: next.unverified,
        // Something else that could not be verified has to be confirmed again.
        ...(next.unverified !== review.unverified && { unverifiedConfirmed: false }),
        hasApproval: review.hasApproval || next.step !== 'swap',
        hasWorsened: hasWorsened(next.quote),
        error: shortage(request, next.quote) ?? (quiet && !isAboutPreparing(before) ? before : undefined),
      })
    } catch (error) {
      if (signal.aborted) return
      const reason = toLatchkeyError(error)
      if (reason.code === 'swap/mismatch') return stopReview(reason)
      prepared = undefined
      patchReview({ status: 'ready', error: reason })
    }
  }

  const hasWorsened = ({ minimum, fee }: SwapQuote): boolean =>
    accepted !== undefined &&
    (minimum * 1000n < accepted.minimum * (1000n - toleratedDrop) || (fee?.bps ?? 0) > (accepted.fee?.bps ?? 0))

  /** Returns which balance is too small. Someone else can pay the fees of a smart account. */
  function shortage({ from, amount }: SwapRequest, quote: SwapQuote): LatchkeyError | undefined {
    const { tokens } = state.get()
    const balance = tokens.value && findSwapToken(tokens.value, from.id)?.balance
    if (balance !== undefined && balance < amount) return accountFailure('swap/insufficient-balance')
    const native = nativeOf({ tokens })
    const paysFees = context.now()?.session?.details?.type !== 'smartAccount'
    return paysFees && lacksGas(quote, native)
      ? accountFailure('swap/insufficient-gas', { symbol: native?.symbol ?? '' })
      : undefined
  }

  // Until the wallet is asked, nothing is awaited between the check of the status and its change, so that there is one request.
  async function confirm(label: string): Promise<void> {
    const { review, unconfirmed } = state.get()
    if (review?.status !== 'ready' || unconfirmed || review.hasWorsened || isShortage(review.error)) return
    if (review.unverified && !review.unverifiedConfirmed) return
    if (!isCurrent(review)) return stopReview(accountFailure('swap/changed'))
    if (!prepared || prepared.expiresAt <= clock.now()) {
      await prepare()
      // The user has not seen these figures yet.
      const next = state.get().review
      if (next?.status === 'ready' && !next.error) patchReview({ error: accountFailure('swap/outdated') })
      return
    }
    const send = context.now()?.session?.can.sendTransaction
    if (!send) return patchReview({ error: new LatchkeyError('wallet/unsupported', { method: 'eth_sendTransaction' }) })
    const { step, transaction } = prepared
    const { to, data, value } = transaction
    preparing.abort()
    prepared = undefined
    patchReview({ status: 'confirming', step, error: undefined })
    // If the page is reloaded from here on, it does not know whether the wallet sends the transaction.
    storeUnconfirmed(true)
    let hash: string
    try {
      ;({ hash } = await send({ account: review.account as never, to, data, value }))
    } catch (error) {
      return notSent(review, step, toLatchkeyError(error))
    }
    setUnconfirmed(false)
    if (step === 'swap' && isInForm(review.quote)) form.clear()
    context.activity.add({ hash, label, chain: chainOf(review.account) })
    if (!isShown(review)) return
    patchReview({ status: 'pending', hash })
    await follow(review, step, hash)
  }

  function notSent(review: SwapReview, step: Step, reason: LatchkeyError): void {
    const isCertain = nothingSent.has(reason.code) && !mayHaveBeenSent(reason)
    setUnconfirmed(!isCertain)
    trackSwapError(context, step, review, reason.message)
    if (!isShown(review)) return
    const error = isCertain ? reason : accountFailure('swap/unconfirmed', undefined, { cause: reason })
    if (!isCurrent(review)) {
      stopReview(isCertain ? accountFailure('swap/changed') : error)
      return
    }
    patchReview({ status: 'ready', error })
    if (isCertain) void prepare({ quiet: true })
  }

  /** Waits until the transaction is in a block, and prepares what is next. */
  async function follow(review: SwapReview, step: Step, hash: string): Promise<void> {
    const status = await awaitTransaction(context, { hash, chain: chainOf(review.account), signal: page.signal })
    if (status === undefined) return
    if (step === 'swap') {
      const { from, to } = review.quote
      void context.portfolio.refresh({ force: [convertIdOf(from), convertIdOf(to)] })
      context.refreshBalances()
    }
    const error = status === 'failed' ? accountFailure('swap/reverted', { hash }) : undefined
    if (error) trackSwapError(context, step, review, error.message)
    else if (step === 'swap') trackSwap(context, 'SWAP_SUCCESS', review)
    if (!isShown(review)) return
    if (step === 'swap') return patchReview({ status: error ? 'failed' : 'done', error })
    if (error) return patchReview({ status: 'ready', error })
    await prepare()
  }

  const isInForm = ({ from, to, amount }: SwapQuote): boolean => {
    const now = state.get()
    return now.from?.id === from.id && now.to?.id === to.id && parsedAmount(now.amount, from) === amount
  }

  function storeUnconfirmed(unconfirmed: boolean): void {
    const { amount } = state.get()
    context.draft.set({ ...(context.draft.get() ?? { amount, tokens: {} }), unconfirmed })
  }
  function setUnconfirmed(unconfirmed: boolean): void {
    storeUnconfirmed(unconfirmed)
    patch({ unconfirmed })
  }

  return {
    review() {
      const { quote, problem, account } = state.get()
      if (isInProgress(state.get())) return true
      if (problem || quote.status !== 'ready' || account === undefined) return false
      if (clock.now() - quote.value.at > quoteLifeMs) {
        void form.requote()
        return false
      }
      accepted = quote.value
      const review: SwapReview = { ...newReview, account, quote: quote.value }
      patch({ review })
      trackSwap(context, 'INITIATE_SWAP', review)
      void prepare()
      return true
    },
    accept() {
      const { review } = state.get()
      if (!review?.hasWorsened || review.status !== 'ready') return
      accepted = review.quote
      patchReview({ hasWorsened: false })
    },
    confirm: ({ label }) => confirm(label),
    confirmUnverified: (unverifiedConfirmed) => patchReview({ unverifiedConfirmed }),
    cancelReview() {
      const { review } = state.get()
      if (review?.status === 'pending') return
      preparing.abort()
      prepared = undefined
      // The wallet still has the request, and its user can approve it later.
      patch({ review: undefined, ...(review?.status === 'confirming' && { unconfirmed: true }) })
    },
    dismissUnconfirmed() {
      setUnconfirmed(false)
      if (state.get().review?.status === 'ready') void prepare()
    },
    async refresh() {
      if (state.get().review?.status === 'ready') await prepare({ quiet: true })
    },
    moved() {
      const { review } = state.get()
      if (review && (review.status === 'preparing' || review.status === 'ready') && !isCurrent(review))
        stopReview(accountFailure('swap/changed'))
    },
    retry: () => void prepare(),
    stop() {
      page.abort()
      preparing.abort()
    },
  }
}

const newReview = {
  status: 'preparing',
  step: undefined,
  hasApproval: false,
  contract: undefined,
  unverified: undefined,
  unverifiedConfirmed: false,
  hasWorsened: false,
  error: undefined,
} as const

function sameRequest(a: SwapQuote, b: SwapQuote): boolean {
  return a.amount === b.amount && a.from.id === b.from.id && a.to.id === b.to.id
}

/** Whether an error prevents the next transaction. */
function isShortage(error: LatchkeyError | undefined): boolean {
  return error?.code === 'swap/insufficient-balance' || error?.code === 'swap/insufficient-gas'
}

/** Whether an error is about building the transaction, so that it no longer applies once it has been built. */
function isAboutPreparing(error: LatchkeyError | undefined): boolean {
  return isShortage(error) || /^swap\/(allowance|approval|build)-failed$/.test(error?.code ?? '')
}
