import { frameTexts } from '@latchkey/protocol/frame/messages'
import { getKeysOriginConfig } from '@latchkey/protocol/http/keys'
import { postConnection } from '@latchkey/protocol/http/keys/crossSite'
import type { ApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { reportApprovalStart } from '../approvals/reportApprovalStart.ts'
import type { FrameContext } from '../frameContext.ts'
import { rpcRequest } from '../frameMethods/rpcRequest.ts'
import type { HandoverResponse } from '../handover/handoverMessages.ts'
import { createChainRpcClient } from '../networks/chainRpcClient.ts'
import type { PageSettings } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import type { CallBatch } from '../rpcRequests/callBatch.ts'
import { createSingleflight } from '../singleflight.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { SocialSignIn } from '../walletPage/loginMethods.ts'
import type { WalletPageController } from '../walletPage/walletPageController.ts'
import type { ClaimedHandover } from './claimHandover.ts'

/** Parameters of `performHandover`. */
export interface PerformHandoverParameters {
  readonly window: Window & typeof globalThis
  readonly controller: WalletPageController
  readonly settings: PageSettings
  readonly claimed: ClaimedHandover
  readonly opened: OpenedWallet
  /** The social login that was completed for this request, if any. */
  readonly social?: SocialSignIn | undefined
}

/**
 * Displays the page's request to the user and executes it after approval. Rejects if the user rejects the request or the request
 * fails.
 */
export async function performHandover(parameters: PerformHandoverParameters): Promise<HandoverResponse> {
  const { controller, claimed, opened, social } = parameters
  const { action, origin } = claimed.question
  // After approval, the frame can no longer cancel the request.
  const approvals = reportApprovalStart(controller.approvals, claimed)
  const { userId, addresses, single } = opened
  if (action.kind === 'connect') {
    const email = (await controller.me())?.user.email ?? null
    return approvals.ask({
      subject: { kind: 'connect', origin, email, address: addresses.eip155 },
      perform: async (): Promise<HandoverResponse> => {
        const { token } = await controller.services.keysClient(postConnection, { body: { page: origin } })
        const { eip155, solana } = addresses
        const held = { token, userId, email, addresses: { eip155, solana }, single }
        return { kind: 'connected', connection: held, ...(social && { social }) }
      },
    })
  }
  const batches = new Map<string, CallBatch>()
  const caller = { id: undefined, origin, byPort: true, signal: new AbortController().signal }
  const result = await rpcRequest(createFrameContext({ ...parameters, approvals, batches }), action.request, caller)
  const [batch] = batches
  return { kind: 'done', result, single: opened.single, ...(batch && { batch }) }
}

/** Whether the user or the page cancelled the request. */
export function isCancellation(error: unknown): boolean {
  return error instanceof PublicError && (error.message === frameTexts.rejected || error.message === frameTexts.aborted)
}

function createFrameContext({
  window,
  controller,
  settings,
  approvals,
  batches,
}: PerformHandoverParameters & {
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly batches: Map<string, CallBatch>
}): FrameContext {
  const { keysClient, store, session, wallet } = controller.services
  return {
    keysClient,
    store,
    session,
    settings,
    approvals,
    batches,
    signIns: new Map(),
    shared: createSingleflight(),
    // There are no popup logins in this window.
    popups: { begin() {}, send() {}, isSent: () => false, result: () => new Promise(() => {}) },
    wallet: async () => wallet,
    rpc: createChainRpcClient({ fetch: (input, init) => window.fetch(input, init) }),
    // Permissions are available only on same-site pages. A cross-site page opens this window for each request, and each request
    // needs approval.
    config: async () => ({ ...(await keysClient(getKeysOriginConfig)), smartSessions: false }),
    grants: () => Promise.reject(new PublicError('Permissions are not available on this page')),
    visitor: async () => undefined,
    reload() {},
  }
}
