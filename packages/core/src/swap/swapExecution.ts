import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { quoteLifeMs } from './buildSwapTransactions.ts'
import { currentReview } from './currentReview.ts'
import { revokeCalldata } from './decodeSwapCalldata.ts'
import { trackSwap } from './swapAnalytics.ts'
import { isInProgress, type SwapContext } from './swapContext.ts'
import type { SwapForm } from './swapForm.ts'
import { createSwapPreparation, isShortage } from './swapPreparation.ts'
import { createSwapReservation } from './swapReservation.ts'
import { createSwapSubmission } from './swapSubmission.ts'
import type { Swap, SwapReview } from './swapTypes.ts'

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

/** Creates the execution of swaps. Only `confirm` and `revoke` pass transactions to the wallet, each of them only once. */
export function createSwapExecution(context: SwapContext, form: Pick<SwapForm, 'clear' | 'requote'>): SwapExecution {
  const { state, patch, clock } = context
  const { patchReview, isCurrent, isShown } = currentReview(context)
  const reservation = createSwapReservation(context)
  const preparation = createSwapPreparation(context, { patchReview, isCurrent })
  const { prepare, prepared, discard, accept, stopReview } = preparation
  const { submit, setUnconfirmed, stop } = createSwapSubmission(context, {
    form,
    reservation,
    preparation,
    review: { patchReview, isCurrent, isShown },
  })

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
      stop()
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
