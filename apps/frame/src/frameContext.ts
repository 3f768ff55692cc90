import type { MethodName, MethodParams, MethodResult, Siwx } from '@latchkey/protocol/frame/messages'
import type { VaultConfig } from '@latchkey/protocol/http/vault'
import type { AccountSession } from './accountSession.ts'
import type { ApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'
import type { StoredText } from './crossSite/connectionStorage.ts'
import type { DeviceStore } from './deviceStore.ts'
import type { EmbeddedWallet } from './embeddedWallet.ts'
import type { Caller } from './messageBridge.ts'
import type { NodeRpc } from './nodeRpc.ts'
import type { PageSettings } from './pageSettings.ts'
import type { GrantStore } from './permissions/grantStore.ts'
import type { CallBatch } from './requests/callBatch.ts'
import type { SignInPopups } from './signInPopups.ts'
import type { Singleflight } from './singleflight.ts'
import type { VaultClient } from './vaultClient.ts'

/** All that a question may need to be answered. */
export interface FrameContext {
  readonly vault: VaultClient
  readonly session: AccountSession
  readonly store: DeviceStore
  readonly settings: PageSettings
  readonly approvals: ApprovalQueue<ApprovalView>
  /** The keys and what they sign; loaded when they are first needed. */
  readonly wallet: () => Promise<EmbeddedWallet>
  readonly rpc: NodeRpc
  /** What the operator has set; asked once. */
  readonly config: () => Promise<VaultConfig>
  /** What the owners of this device let pages do without asking; loaded when it is first needed. */
  readonly grants: () => Promise<GrantStore>
  readonly shared: Singleflight
  /** Calls that were sent together, by their id, for as long as this document lives. */
  readonly batches: Map<string, CallBatch>
  /** What was last asked to be signed at a login, so that nobody is asked twice. */
  readonly signIns: Map<string, Promise<SignedMessage | undefined>>
  readonly popups: SignInPopups
  /** How the visitor is called, where the operator has visitors identified. */
  readonly visitor: () => Promise<string | undefined>
  readonly reload: () => void
  /** Set on a page of another site: there the keys are in a window, and so is every yes. */
  readonly crossSite?: (() => Promise<CrossSiteFrame>) | undefined
}

/** A frame on a page of another site: who is signed in, by a token; the keys, and every yes, are in a window of this origin. */
export interface CrossSiteFrame {
  readonly session: AccountSession
  readonly wallet: EmbeddedWallet
  /** What the page has chosen: its network, its kind of account. */
  readonly choices: StoredText
  /** Logs in, in a window. */
  connect(
    context: FrameContext,
    params: MethodParams<'CONNECT_WINDOW'>,
    caller: CrossSiteCaller,
  ): Promise<MethodResult<'CONNECT_WINDOW'>>
  /** A wallet request that needs a yes. */
  request(context: FrameContext, params: MethodParams<'RPC_REQUEST'>, caller: CrossSiteCaller): Promise<unknown>
}

/** The page that asks, and the id under which it can take the request back. */
export type CrossSiteCaller = Pick<Caller, 'origin'> & { readonly id: string | undefined }

/** What a page gets that asked for a sign-in as somebody logged in. */
export interface SignedMessage {
  /** The text that was signed, with the address in its place. */
  readonly message: string
  readonly signature: string
  readonly siwxMessage: Siwx
}

/** Answers one question. A `PublicError` is told to the page word by word. */
export interface Method<Name extends MethodName> {
  (
    context: FrameContext,
    params: MethodParams<Name>,
    caller: Caller & { readonly id: string | undefined },
  ): Promise<MethodResult<Name>>
}
