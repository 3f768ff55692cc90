import type { KeysMe } from '@latchkey/protocol/http/keys'
import { reportApprovalStart } from '../approvals/reportApprovalStart.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'

/** Returns the context with an approval queue that only executes an approved request if the user is still signed in. */
export function requireSameUser(context: FrameContext, me: Pick<KeysMe, 'user'>): FrameContext {
  const begin = async (): Promise<void> => {
    // The session might have ended elsewhere before the approval. If the server cannot be reached, the session counts as active.
    const now = await context.session.me().catch(() => me)
    if (now?.user.id !== me.user.id) throw new PublicError('Not signed in')
  }
  return { ...context, approvals: reportApprovalStart(context.approvals, { begin }) }
}
