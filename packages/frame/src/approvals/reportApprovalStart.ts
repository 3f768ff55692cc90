import type { ApprovalQueue, ApprovalRequest } from '../approvalQueue.ts'
import type { ApprovalView } from '../approvalViewModel.ts'
import type { ClaimedHandover } from './claimHandover.ts'

/**
 * Wraps an approval queue so that each approval is reported to the server before the request is executed. After that, the frame
 * can no longer cancel the request.
 */
export function reportApprovalStart(
  approvals: ApprovalQueue<ApprovalView>,
  claimed: Pick<ClaimedHandover, 'begin'>,
): ApprovalQueue<ApprovalView> {
  return {
    ...approvals,
    ask: <Choice, Result>(wish: ApprovalRequest<ApprovalView, Choice, Result>) =>
      approvals.ask<Choice, Result>({
        ...wish,
        perform: async (choice) => {
          await claimed.begin()
          return wish.perform(choice)
        },
      }),
    track: (id, work) => approvals.track(id, (within) => work(reportApprovalStart(within, claimed))),
  }
}
