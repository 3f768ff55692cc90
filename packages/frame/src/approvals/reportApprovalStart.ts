import type { ApprovalQueue, ApprovalRequest } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'

/**
 * Wraps an approval queue so that `begin` runs after each approval, before the request is executed. If `begin` rejects, the
 * request is not executed. In the window for cross-site pages, `begin` tells the server that the frame can no longer cancel the
 * request.
 */
export function reportApprovalStart(
  approvals: ApprovalQueue<ApprovalView>,
  start: { readonly begin: () => Promise<void> },
): ApprovalQueue<ApprovalView> {
  return {
    ...approvals,
    ask: <Choice, Result>(request: ApprovalRequest<ApprovalView, Choice, Result>) =>
      approvals.ask<Choice, Result>({
        ...request,
        perform: async (choice) => {
          await start.begin()
          return request.perform(choice)
        },
      }),
    track: (id, work) => approvals.track(id, (within) => work(reportApprovalStart(within, start))),
  }
}
