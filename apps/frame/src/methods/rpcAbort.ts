import type { Method } from '../frameContext.ts'

/** Takes back one question, or all; each of them is answered. */
export const rpcAbort: Method<'RPC_ABORT'> = async ({ approvals }, params) => {
  approvals.abort(params?.id)
  return undefined
}
