import type { Method } from '../frameContext.ts'

/** Reloads this document once the answer is on its way; READY follows. */
export const reload: Method<'RELOAD'> = async (context) => {
  context.approvals.abort()
  context.reload()
  return undefined
}
