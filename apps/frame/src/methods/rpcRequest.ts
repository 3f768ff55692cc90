import { chainFromWire, frameTexts } from '@latchkey/protocol/frame/messages'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { complaintAbout } from '@latchkey/protocol/frame/rpcSchemas'
import type { Method } from '../frameContext.ts'
import { isSupportedChain } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'

/** A wallet request: read, asked about on a screen of ours, or refused. */
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
  // They are kept by the frame, which keeps nothing here: no visitor is led to a window for a refusal.
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
  if (kind === 'safe') return (await import('../requests/handleReadRequest.ts')).handleReadRequest(context, request)
  // From the first moment, so that what the page takes back, or signs out of, while it is being prepared is never asked.
  return context.approvals.track(caller.id, async (approvals) =>
    (await import('../requests/handleApprovalRequest.ts')).handleApprovalRequest({ ...context, approvals }, request),
  )
}
