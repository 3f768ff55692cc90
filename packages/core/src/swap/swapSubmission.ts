import { chainOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { mayHaveBeenSent } from '../lib/mayHaveBeenSent.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import type { PreparedSwap } from './buildSwapTransactions.ts'
import type { CurrentReview } from './currentReview.ts'
import { parsedAmount } from './swapAmounts.ts'
import { trackSwap, trackSwapError } from './swapAnalytics.ts'
import type { SwapContext } from './swapContext.ts'
import type { SwapForm } from './swapForm.ts'
import type { SwapPreparation } from './swapPreparation.ts'
import type { SwapReservation } from './swapReservation.ts'
import { convertIdOf } from './swapTokens.ts'
import type { SwapQuote, SwapReview } from './swapTypes.ts'

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

/** Sends the transactions of a swap through the wallet. */
export interface SwapSubmission {
  /** Sends a transaction, waits until it is included in a block, and prepares the next one. Errors are stored in the review. */
  submit(label: string, review: SwapReview, next: Pick<PreparedSwap, 'step' | 'transaction'>): Promise<void>
  /** Sets whether a transaction may have been sent without the page knowing it. */
  setUnconfirmed(unconfirmed: boolean): void
  stop(): void
}

/** Creates the submission. The caller makes sure that each transaction is submitted only once. */
export function createSwapSubmission(
  context: SwapContext,
  {
    form,
    reservation,
    preparation: { prepare, discard, stopReview },
    review: { patchReview, isCurrent, isShown },
  }: {
    readonly form: Pick<SwapForm, 'clear'>
    readonly reservation: SwapReservation
    readonly preparation: Pick<SwapPreparation, 'discard' | 'prepare' | 'stopReview'>
    readonly review: CurrentReview
  },
): SwapSubmission {
  const { state, patch } = context
  const page = new AbortController()

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
    // If the page is reloaded after this point, it does not know whether the wallet sent the transaction.
    storeUnconfirmed(true)
    if (step === 'swap' && !(await reservation.take(review))) {
      // Another tab has reserved the swap, so the user has to check whether it was sent there.
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

  return { submit, setUnconfirmed, stop: () => page.abort() }
}
