import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'

/** Logs in through a window of this origin, as browsers block persistent storage for the frame on cross-site pages. */
export const connectWindow: Method<'CONNECT_WINDOW'> = async (context, params, caller) => {
  if (!context.crossSite) throw new PublicError('This page does not need a window to log in')
  return (await context.crossSite()).connect(context, params, caller)
}
