import { chainFromWire, frameTexts } from '@latchkey/protocol/frame/messages'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { complaintAbout } from '@latchkey/protocol/frame/rpcSchemas'
import type { Method } from '../frameContext.ts'
import { isSupportedChain } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'

/**
 * Handles a wallet request. Reads are executed, unsupported methods are rejected, and all other methods require the user's
 * approval.
 */
export const rpcRequest: Method<'RPC_REQUEST'> = async (context, says, caller) => {
  const { method, params } = says
  const kind = methodClass(method)
  if (kind === 'refused') throw new PublicError(frameTexts.notAllowed)
  const complaint = complaintAbout(method, params)
  if (complaint) throw new PublicError(complaint)

  const family = says.chainNamespace ?? (method.startsWith('solana_') ? 'solana' : 'eip155')
  const chain = says.chainId === undefined ? context.settings.chain(family) : chainFromWire(says.chainId, family)
  if (!chain || !isSupportedChain(chain)) throw new PublicError('This network is not supported')
  const { crossSite } = context
  // Permissions are stored by the frame, which has no storage on a cross-site page. The request is rejected before a window
  // opens.
  if (crossSite && /^wallet_(grant|revoke)Permissions$/.test(method)) throw new PublicError(frameTexts.notAllowed)
  if (crossSite && kind === 'unsafe')
    return context.approvals.track(caller.id, async (approvals) =>
      (await crossSite()).request(
        { ...context, approvals },
        { method, params, chainId: chain, chainNamespace: family },
        caller,
      ),
    )
  const request = { id: caller.id, origin: caller.origin, chain, method, params }
  if (kind === 'safe') return (await import('../rpcRequests/handleReadRequest.ts')).handleReadRequest(context, request)
  // The request is tracked from the start, so that it is never displayed if the page aborts it or signs the user out during
  // preparation.
  return context.approvals.track(caller.id, async (approvals) =>
    (await import('../rpcRequests/handleApprovalRequest.ts')).handleApprovalRequest({ ...context, approvals }, request),
  )
}
