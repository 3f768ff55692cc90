import type { Clock } from '@latchkey/protocol/clock'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AnalyticsEvent } from '../../analytics/analyticsEvents.ts'
import type { Activity } from '../pendingTransactionTypes.ts'
import type { PortfolioSubject } from '../portfolioTypes.ts'
import { reviewToSubmit, type SendReviewControl } from './sendReview.ts'
import type { Send, SendState } from './sendTypes.ts'
import type { StoredInputs } from './storedInputs.ts'
import { submitTransfer } from './submitTransfer.ts'
import type { TransferOutcome } from './transferOutcome.ts'

/** Returns the function that submits the transfer in review. Concurrent calls share one request to the wallet. */
export function createSubmit({
  clock,
  activity,
  inputs,
  review,
  outcome,
  state,
  subject,
  track,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly activity: Activity
  readonly inputs: Pick<StoredInputs, 'clear'>
  readonly review: Pick<SendReviewControl, 'end'>
  readonly outcome: Pick<TransferOutcome, 'report'>
  /** Returns the current state, with the transfers that other tabs have sent in the meantime. */
  state(): SendState
  /** Returns the active account, with its network and wallet session. */
  subject(): PortfolioSubject | undefined
  track(event: AnalyticsEvent): void
}): Send['submit'] {
  let submitting: Promise<{ readonly hash: string }> | undefined

  const submit = async (label: string): Promise<{ readonly hash: string }> => {
    const now = state()
    const reviewed = reviewToSubmit(now)
    const requestedAt = clock.now()
    try {
      const { hash } = await submitTransfer({
        review: reviewed,
        withheld: now.fee.value?.withheld,
        subject: subject(),
        now: clock.now,
        track,
        put: (transfer) => outcome.report(transfer, requestedAt),
      })
      inputs.clear()
      activity.add({ hash, label, chain: reviewed.chain, account: reviewed.account })
      review.end()
      return { hash }
    } catch (error) {
      // After other errors, the wallet has not sent the transfer, so the review stays open and the user can try again.
      if (state().transfer.status === 'unknown' || isLatchkeyError(error, 'send/changed')) review.end()
      throw error
    }
  }

  return ({ label }) => {
    submitting ??= submit(label).finally(() => {
      submitting = undefined
    })
    return submitting
  }
}
