import { chainOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { mayHaveBeenSent } from '../lib/mayHaveBeenSent.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import { type PreparedSwap, quoteLifeMs } from './buildSwapTransactions.ts'
import { currentReview } from './currentReview.ts'
import { revokeCalldata } from './decodeSwapCalldata.ts'
import { parsedAmount } from './swapAmounts.ts'
import { trackSwap, trackSwapError } from './swapAnalytics.ts'
import { isInProgress, type SwapContext } from './swapContext.ts'
import type { SwapForm } from './swapForm.ts'
import { createSwapPreparation, isShortage } from './swapPreparation.ts'
import { createSwapReservation } from './swapReservation.ts'
import { convertIdOf } from './swapTokens.ts'
import type { Swap, SwapQuote, SwapReview } from './swapTypes.ts'

/** The errors after which it is certain that the wallet sent nothing. */
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

/** Reviews a swap and sends its transactions. */
export interface SwapExecution
  extends Pick<
    Swap,
    'review' | 'accept' | 'confirm' | 'revoke' | 'confirmUnverified' | 'cancelReview' | 'dismissUnconfirmed'
  > {
  /** Builds the transaction again, while the current amounts stay visible. */
  refresh(): Promise<void>
  /** Called when the account or the network has changed. */
  moved(): void
  /** Retries the review after a failure. */
  retry(): void
  stop(): void
}

/** Creates the execution of swaps. Each transaction is passed to the wallet only once, by `confirm`. */
export function createSwapExecution(context: SwapContext, form: Pick<SwapForm, 'clear' | 'requote'>): SwapExecution {
  const { state, patch, clock } = context
  const page = new AbortController()
  const { patchReview, isCurrent, isShown } = currentReview(context)
  const reservation = createSwapReservation(context)
  const { prepare, prepared, discard, accept, stopReview } = createSwapPreparation(context, { patchReview, isCurrent })

  // Nothing is awaited between checking and changing the status, so that the wallet receives only one request.
  async function confirm(label: string): Promise<void> {
    const { review, unconfirmed } = state.get()
    if (review?.status !== 'ready' || unconfirmed || review.hasWorsened || isShortage(review.error)) return
    if (review.unverified.length > 0 && !review.unverifiedConfirmed) return
    if (!isCurrent(review)) return stopReview(accountFailure('swap/changed'))
    const next = prepared()
    if (!next) {
      await prepare()
      // The user has not seen these amounts yet.
      const updated = state.get().review
      if (updated?.status === 'ready' && !updated.error) patchReview({ error: accountFailure('swap/outdated') })
      return
    }
    await submit(label, review, next)
  }

  async function revoke(label: string): Promise<void> {
    const { review, unconfirmed } = state.get()
    const token = review?.quote.from.address
    if (review?.status !== 'ready' || unconfirmed || review.contract === undefined || token === undefined) return
    if (!isCurrent(review)) return stopReview(accountFailure('swap/changed'))
    const transaction = { to: token, data: revokeCalldata(review.contract), value: 0n }
    await submit(label, review, { step: 'reset', transaction })
  }

  async function submit(
    label: string,
    review: SwapReview,
    { step, transaction }: Pick<PreparedSwap, 'step' | 'transaction'>,
  ): Promise<void> {
    const send = context.now()?.session?.can.sendTransaction
    if (!send) return patchReview({ error: new LatchkeyError('wallet/unsupported', { method: 'eth_sendTransaction' }) })
    const { to, data, value } = transaction
    discard()
    patchReview({ status: 'confirming', step, error: undefined })
    // If the page is reloaded from here on, it does not know whether the wallet sends the transaction.
    storeUnconfirmed(true)
    if (step === 'swap' && !(await reservation.take(review))) {
      // The user has to check whether it was sent.
      setUnconfirmed(true)
      if (isShown(review)) patchReview({ status: 'ready' })
      return
    }
    let hash: string
    try {
      ;({ hash } = await send({ account: review.account as never, to, data, value }))
    } catch (error) {
      return notSent(review, step, toLatchkeyError(error))
    }
    setUnconfirmed(false)
    if (step === 'swap') {
      reservation.keep()
      if (isInForm(review.quote)) form.clear()
    }
    context.activity.add({ hash, label, chain: chainOf(review.account) })
    if (!isShown(review)) return
    patchReview({ status: 'pending', hash })
    await follow(review, step, hash)
  }

  function notSent(review: SwapReview, step: Step, reason: LatchkeyError): void {
    const isCertain = nothingSent.has(reason.code) && !mayHaveBeenSent(reason)
    setUnconfirmed(!isCertain)
    if (isCertain && step === 'swap') reservation.end()
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

  /** Waits until the transaction is included in a block, and prepares the next one. */
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
      accept(quote.value)
      const review: SwapReview = { ...newReview, account, quote: quote.value }
      patch({ review })
      trackSwap(context, 'INITIATE_SWAP', review)
      void prepare()
      return true
    },
    accept() {
      const { review } = state.get()
      if (!review?.hasWorsened || review.status !== 'ready') return
      accept(review.quote)
      patchReview({ hasWorsened: false })
    },
    confirm: ({ label }) => confirm(label),
    revoke: ({ label }) => revoke(label),
    confirmUnverified: (unverifiedConfirmed) => patchReview({ unverifiedConfirmed }),
    cancelReview() {
      const { review } = state.get()
      if (review?.status === 'pending') return
      discard()
      // The wallet still has the request, which the user can approve later.
      patch({ review: undefined, ...(review?.status === 'confirming' && { unconfirmed: true }) })
    },
    dismissUnconfirmed() {
      setUnconfirmed(false)
      reservation.ignoreOthers()
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
      discard()
      reservation.end()
    },
  }
}

const newReview: Omit<SwapReview, 'account' | 'quote'> = {
  status: 'preparing',
  step: undefined,
  hasApproval: false,
  contract: undefined,
  unverified: [],
  unverifiedConfirmed: false,
  hasWorsened: false,
  error: undefined,
}
