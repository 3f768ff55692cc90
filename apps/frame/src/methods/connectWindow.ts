import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'

/** Logs in, in a window of this origin: where the page is of another site, the browser keeps nothing for us in the frame. */
export const connectWindow: Method<'CONNECT_WINDOW'> = async (context, params, caller) => {
  if (!context.crossSite) throw new PublicError('This page needs no window to log in')
  return (await context.crossSite()).connect(context, params, caller)
}
