import type { Method } from '../frameContext.ts'

/** Aborts one pending request, or all of them. A response is sent for each aborted request. */
export const rpcAbort: Method<'RPC_ABORT'> = async ({ approvals }, params) => {
  approvals.abort(params?.id)
  return undefined
}
