import type { Method } from '../frameContext.ts'

/** Aborts one pending request, or all of them. Each aborted request gets a response. */
export const rpcAbort: Method<'RPC_ABORT'> = async ({ approvals }, params) => {
  approvals.abort(params?.id)
  return undefined
}
