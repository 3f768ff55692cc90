import type { MethodName, MethodParams, MethodResult, Siwx } from '@latchkey/protocol/frame/messages'
import type { VaultConfig } from '@latchkey/protocol/http/vault'
import type { AccountSession } from './accountSession.ts'
import type { ApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'
import type { ChainRpcClient } from './chainRpcClient.ts'
import type { StoredText } from './crossSite/connectionStorage.ts'
import type { DeviceStore } from './deviceStore.ts'
import type { EmbeddedWallet } from './embeddedWallet.ts'
import type { Caller } from './messageBridge.ts'
import type { PageSettings } from './pageSettings.ts'
import type { GrantStore } from './permissions/grantStore.ts'
import type { CallBatch } from './requests/callBatch.ts'
import type { SignInPopups } from './signInPopups.ts'
import type { Singleflight } from './singleflight.ts'
import type { VaultClient } from './vaultClient.ts'

/** The context passed to every method handler. */
export interface FrameContext {
  readonly vault: VaultClient
  readonly session: AccountSession
  readonly store: DeviceStore
  readonly settings: PageSettings
  readonly approvals: ApprovalQueue<ApprovalView>
  /** The wallet, loaded on first use. */
  readonly wallet: () => Promise<EmbeddedWallet>
  readonly rpc: ChainRpcClient
  /** The operator's configuration, fetched once. */
  readonly config: () => Promise<VaultConfig>
  /** The permissions that users of this device have granted to pages, loaded on first use. */
  readonly grants: () => Promise<GrantStore>
  readonly shared: Singleflight
  /** Call batches (EIP-5792) by id, for the lifetime of this document. */
  readonly batches: Map<string, CallBatch>
  /** The last sign-in message signed at a login, so that the user is not prompted twice. */
  readonly signIns: Map<string, Promise<SignedMessage | undefined>>
  readonly popups: SignInPopups
  /** The visitor ID, if the operator uses visitor identification. */
  readonly visitor: () => Promise<string | undefined>
  readonly reload: () => void
  /** Set on a cross-site page, where keys and approvals are in a separate window. */
  readonly crossSite?: (() => Promise<CrossSiteFrame>) | undefined
}

/** A cross-site frame. A token identifies the user; keys and approvals are in a window of this origin. */
export interface CrossSiteFrame {
  readonly session: AccountSession
  readonly wallet: EmbeddedWallet
  /** The page's settings: network and account type. */
  readonly choices: StoredText
  /** Logs in through a window. */
  connect(
    context: FrameContext,
    params: MethodParams<'CONNECT_WINDOW'>,
    caller: CrossSiteCaller,
  ): Promise<MethodResult<'CONNECT_WINDOW'>>
  /** Handles a wallet request that needs approval. */
  request(context: FrameContext, params: MethodParams<'RPC_REQUEST'>, caller: CrossSiteCaller): Promise<unknown>
}

/** The requesting page, and the id with which it can abort the request. */
export type CrossSiteCaller = Pick<Caller, 'origin'> & { readonly id: string | undefined }

/** The result for a page that requested a sign-in message during login. */
export interface SignedMessage {
  /** The signed message, with the address filled in. */
  readonly message: string
  readonly signature: string
  readonly siwxMessage: Siwx
}

/** Handles one request. The message of a `PublicError` is sent to the page as is. */
export interface Method<Name extends MethodName> {
  (
    context: FrameContext,
    params: MethodParams<Name>,
    caller: Caller & { readonly id: string | undefined },
  ): Promise<MethodResult<Name>>
}
