import type { Method } from '../house.ts'

/** Takes back one question, or all; each of them is answered. */
export const rpcAbort: Method<'RPC_ABORT'> = async ({ approvals }, says) => {
  approvals.abort(says?.id)
  return undefined
}
