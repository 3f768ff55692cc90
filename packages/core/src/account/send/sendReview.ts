import type { Clock } from '@latchkey/protocol/clock'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { PortfolioSubject } from '../portfolioTypes.ts'
import type { SendReview, SendState } from './sendTypes.ts'

/** How often the fee of a transfer in review is estimated again, in milliseconds. */
const reviewFeeMs = 15_000

/** Opens and closes the review of a transfer. While it is open, the fee is estimated again every 15 seconds. */
export interface SendReviewControl {
  /** Opens the review. Returns `false` if the transfer does not meet all requirements. */
  start(): boolean
  /** Closes the review, and discards the confirmation of warnings, because it only applies to one transfer. */
  end(): void
  stop(): void
}

/** Creates the review, which is closed at first. */
export function createSendReview({
  clock,
  state,
  subject,
  publish,
  repeatFeeEstimate,
}: {
  readonly clock: Pick<Clock, 'after'>
  state(): SendState
  /** Returns the active account, with its network and wallet session. */
  subject(): PortfolioSubject | undefined
  publish(change: Partial<SendState>): void
  repeatFeeEstimate(): void
}): SendReviewControl {
  let cancel = (): void => {}

  const refreshFee = (): void => {
    cancel = clock.after(reviewFeeMs, () => {
      if (globalThis.document?.visibilityState !== 'hidden') repeatFeeEstimate()
      refreshFee()
    })
  }

  return {
    start() {
      const now = subject()
      const { step, token, amount, recipient, transfer } = state()
      if (step !== 'review' || !now || !token || amount === undefined || recipient.address === undefined) return false
      cancel()
      publish({
        review: {
          account: now.account,
          chain: now.network.caipNetworkId,
          token,
          amount,
          to: recipient.address,
          ...(recipient.name !== undefined && { name: recipient.name }),
          ...(recipient.resolver !== undefined && { resolver: recipient.resolver }),
          ...(recipient.image !== undefined && { image: recipient.image }),
        },
        warningsConfirmed: false,
        ...(transfer.status === 'failed' && { transfer: { status: 'idle' } }),
      })
      refreshFee()
      return true
    },
    end() {
      cancel()
      publish({ review: undefined, warningsConfirmed: false })
    },
    stop: () => cancel(),
  }
}

/**
 * Returns the reviewed transfer, if it can be submitted.
 *
 * @throws {LatchkeyError} `send/would-fail` if the token is not what its contract reports, `input/invalid` if the warnings are not
 * known yet or a serious one has not been confirmed, or the first requirement that is not met.
 */
export function reviewToSubmit(state: SendState): SendReview {
  const { review, warnings, warningsConfirmed } = state
  if (!review) throw incompleteSendError(state)
  const refusal = warnings.value?.find(({ kind }) => kind === 'decimals' || kind === 'symbol')
  if (refusal) throw accountFailure('send/would-fail', { reason: refusal.kind })
  if (warnings.status !== 'ready' || (warnings.value.some(({ isSerious }) => isSerious) && !warningsConfirmed))
    throw new LatchkeyError('input/invalid', { path: 'warnings', message: 'have not been confirmed' })
  return review
}

/** Returns the error for a transfer that cannot be submitted. */
function incompleteSendError({ step, token }: SendState): LatchkeyError {
  if (step === 'unsupported-chain') return accountFailure('send/unsupported-chain')
  if (!token) return accountFailure('send/no-token')
  return accountFailure(step === 'review' ? 'send/changed' : 'send/incomplete')
}
