import { chainOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { buildSwapTransactions, type PreparedSwap } from './buildSwapTransactions.ts'
import type { SwapRequest } from './checkSwapTransaction.ts'
import type { CurrentReview } from './currentReview.ts'
import { lacksGas } from './swapAmounts.ts'
import { contractsOf, nativeOf, type SwapContext } from './swapContext.ts'
import { findSwapToken } from './swapTokens.ts'
import type { SwapQuote } from './swapTypes.ts'
import { trustedExchanges } from './trustedExchanges.ts'

/** How far the minimum can drop below the accepted one before the user has to accept it again, in thousandths. */
const toleratedDrop = 1n

/** The next transaction of the review, which the server builds and the page checks. */
export interface SwapPreparation {
  /** Builds the transaction. With `quiet`, the current amounts stay visible. */
  prepare(params?: { readonly quiet?: boolean }): Promise<void>
  /** Returns the transaction, or `undefined` if it has not been built or has expired. */
  prepared(): PreparedSwap | undefined
  /** Discards the transaction. */
  discard(): void
  /** Sets the quote that the user has seen and accepted. */
  accept(quote: SwapQuote): void
  /** Discards the transaction and stops the review. */
  stopReview(error: LatchkeyError): void
}

/** Creates the preparation. Nothing is built until the first call. */
export function createSwapPreparation(
  context: SwapContext,
  { patchReview, isCurrent }: Pick<CurrentReview, 'patchReview' | 'isCurrent'>,
): SwapPreparation {
  const { state, clock } = context
  let preparing = new AbortController()
  let prepared: PreparedSwap | undefined
  let accepted: Pick<SwapQuote, 'minimum' | 'fee'> | undefined

  function discard(): void {
    preparing.abort()
    prepared = undefined
  }
  function stopReview(error: LatchkeyError): void {
    discard()
    patchReview({ status: 'stopped', error })
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
      const next = await buildSwapTransactions(context, {
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
        // If the unverified parts have changed, the user has to confirm them again.
        ...(next.unverified.join() !== review.unverified.join() && { unverifiedConfirmed: false }),
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

  /** Returns which balance is too small. A paymaster can pay the fees of a smart account. */
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

  return {
    prepare,
    prepared: () => (prepared && prepared.expiresAt > clock.now() ? prepared : undefined),
    discard,
    accept(quote) {
      accepted = quote
    },
    stopReview,
  }
}

/** Whether an error means that a balance is too small for the next transaction. */
export function isShortage(error: LatchkeyError | undefined): boolean {
  return error?.code === 'swap/insufficient-balance' || error?.code === 'swap/insufficient-gas'
}

/** Whether an error comes from preparing the transaction, so that it no longer applies once preparing succeeds. */
function isAboutPreparing(error: LatchkeyError | undefined): boolean {
  return isShortage(error) || /^swap\/(allowance|approval|build)-failed$/.test(error?.code ?? '')
}
