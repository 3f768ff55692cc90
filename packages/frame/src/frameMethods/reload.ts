import type { Method } from '../frameContext.ts'

/** Reloads this document after the response has been sent. The frame then sends READY again. */
export const reload: Method<'RELOAD'> = async (context) => {
  context.approvals.abort()
  context.reload()
  return undefined
}
