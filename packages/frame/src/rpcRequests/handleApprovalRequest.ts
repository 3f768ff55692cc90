import type { FrameContext } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { grantPermissions, revokePermissions } from '../permissions/permissionMethods.ts'
import { PublicError } from '../publicError.ts'
import { requireSameUser } from './requireSameUser.ts'
import { sendCalls } from './sendCalls.ts'
import { sendTransaction } from './sendTransaction.ts'
import { signMessage } from './signMessage.ts'
import { signTypedData } from './signTypedData.ts'
import { handleSolanaRequest } from './solanaRequests.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

/** Handles a request that requires the user's approval on a screen in the frame. */
export async function handleApprovalRequest(frame: FrameContext, request: WalletRpcRequest): Promise<unknown> {
  const wallet = await frame.wallet()
  const me = await frame.session.me()
  if (!me) throw new PublicError('Not signed in')
  const open = await wallet.open(me)
  const context = requireSameUser(frame, me)
  if (namespaceOf(request.chain) === 'eip155') {
    if (request.method === 'personal_sign') return signMessage(context, open, request)
    if (request.method === 'eth_signTypedData_v4') return signTypedData(context, open, request)
    if (request.method === 'eth_sendTransaction') return sendTransaction(context, open, request)
    if (request.method === 'wallet_sendCalls') return sendCalls(context, open, request)
    if (request.method === 'wallet_grantPermissions') return grantPermissions(context, open, request)
    if (request.method === 'wallet_revokePermissions') return revokePermissions(context, open, request)
  } else if (request.method.startsWith('solana_')) return handleSolanaRequest(context, open, request)
  throw new PublicError(`${request.method} is not supported on this network`)
}
