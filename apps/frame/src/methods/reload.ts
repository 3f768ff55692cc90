import type { Method } from '../house.ts'

/** Reloads this document once the answer is on its way; READY follows. */
export const reload: Method<'RELOAD'> = async (house) => {
  house.approvals.abort()
  house.reload()
  return undefined
}
