import type { MethodName, MethodParams, MethodResult, Siwx } from '@latchkey/protocol/frame/messages'
import type { KeysOriginConfig } from '@latchkey/protocol/http/keys'
import type { AccountSession } from './accountSession.ts'
import type { ApprovalQueue } from './approvals/approvalQueue.ts'
import type { ApprovalView } from './approvals/approvalViewModel.ts'
import type { StoredText } from './crossSite/connectionStorage.ts'
import type { KeysApiClient } from './keysApiClient.ts'
import type { Caller } from './messageBridge.ts'
import type { ChainRpcClient } from './networks/chainRpcClient.ts'
import type { PageSettings } from './pageSettings.ts'
import type { GrantStore } from './permissions/grantStore.ts'
import type { CallBatch } from './rpcRequests/callBatch.ts'
import type { SignInPopups } from './signInPopups.ts'
import type { Singleflight } from './singleflight.ts'
import type { DeviceStore } from './wallet/deviceStore.ts'
import type { EmbeddedWallet } from './wallet/embeddedWallet.ts'

/** The context that is passed to every method handler. */
export interface FrameContext {
  readonly keysClient: KeysApiClient
  readonly session: AccountSession
  readonly store: DeviceStore
  readonly settings: PageSettings
  readonly approvals: ApprovalQueue<ApprovalView>
  /** Returns the wallet, which is loaded on first use. */
  readonly wallet: () => Promise<EmbeddedWallet>
  readonly rpc: ChainRpcClient
  /** Returns the operator's configuration, which is fetched once. */
  readonly config: () => Promise<KeysOriginConfig>
  /** Returns the permissions that this device's users have granted to pages. They are loaded on first use. */
  readonly grants: () => Promise<GrantStore>
  readonly shared: Singleflight
  /** Call batches (EIP-5792) by ID, kept for the lifetime of this document. */
  readonly batches: Map<string, CallBatch>
  /** Sign-in messages signed during login, so that the user is not prompted twice. */
  readonly signIns: Map<string, Promise<SignedMessage | undefined>>
  readonly popups: SignInPopups
  /** Resolves to the visitor ID, if the operator uses visitor identification. */
  readonly visitor: () => Promise<string | undefined>
  readonly reload: () => void
  /** Loads the cross-site frame. Only set on a cross-site page, where keys and approvals are handled in a separate window. */
  readonly crossSite?: (() => Promise<CrossSiteFrame>) | undefined
}

/**
 * A frame on a cross-site page. A token identifies the user. Keys and approvals are handled in a window of the frame's origin.
 */
export interface CrossSiteFrame {
  readonly session: AccountSession
  readonly wallet: EmbeddedWallet
  /** The settings chosen by the page: the network and the account type. */
  readonly choices: StoredText
  /** Logs the user in through a window. */
  connect(
    context: FrameContext,
    params: MethodParams<'CONNECT_WINDOW'>,
    caller: CrossSiteCaller,
  ): Promise<MethodResult<'CONNECT_WINDOW'>>
  /** Handles a wallet request that requires approval. */
  request(context: FrameContext, params: MethodParams<'RPC_REQUEST'>, caller: CrossSiteCaller): Promise<unknown>
}

/** The page that made a request, and the ID with which it can abort the request. */
export type CrossSiteCaller = Pick<Caller, 'origin'> & { readonly id: string | undefined }

/** The result for a page that requested a sign-in message during login. */
export interface SignedMessage {
  /** The signed message, with the address filled in. */
  readonly message: string
  readonly signature: string
  readonly siwxMessage: Siwx
}

/** Handles a request. If it throws a `PublicError`, the page receives the error's message unchanged. */
export interface Method<Name extends MethodName> {
  (
    context: FrameContext,
    params: MethodParams<Name>,
    caller: Caller & { readonly id: string | undefined },
  ): Promise<MethodResult<Name>>
}
