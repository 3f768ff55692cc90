import type { Method } from '../frameContext.ts'

/** Reloads this document after the response is sent. READY follows. */
export const reload: Method<'RELOAD'> = async (context) => {
  context.approvals.abort()
  context.reload()
  return undefined
}
