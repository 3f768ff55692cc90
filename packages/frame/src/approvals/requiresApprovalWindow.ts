import type { ApprovalView } from './approvalViewModel.ts'

/** Whether a request must be approved in the approval window, because it signs something or changes a specific permission. */
export function requiresApprovalWindow({ kind }: ApprovalView): boolean {
  return ['message', 'typedData', 'calls', 'solana', 'grant', 'revoke'].includes(kind)
}
