import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'

/**
 * Logs the user in through a window of the frame's origin, because browsers block persistent storage for frames on cross-site
 * pages.
 */
export const connectWindow: Method<'CONNECT_WINDOW'> = async (context, params, caller) => {
  const { crossSite } = context
  if (!crossSite) throw new PublicError('This page does not need a window to log in')
  // The request is tracked from the start, so that it is never displayed if the page aborts it during preparation.
  return context.approvals.track(caller.id, async (approvals) =>
    (await crossSite()).connect({ ...context, approvals }, params, caller),
  )
}
