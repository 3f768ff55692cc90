import type { MethodName, MethodParams, MethodResult, Siwx } from '@latchkey/protocol/frame/messages'
import type { VaultConfig } from '@latchkey/protocol/http/vault'
import type { Approvals } from './approvals.ts'
import type { Kept } from './away/holding.ts'
import type { Asker } from './door.ts'
import type { GrantStore } from './permissions/store.ts'
import type { Popups } from './popups.ts'
import type { Batch } from './requests/batch.ts'
import type { Rpc } from './rpc.ts'
import type { Session } from './session.ts'
import type { Settings } from './settings.ts'
import type { Shared } from './shared.ts'
import type { DeviceStore } from './store.ts'
import type { Subject } from './subject.ts'
import type { VaultClient } from './vaultClient.ts'
import type { Wallet } from './wallet.ts'

/** All that a question may need to be answered. */
export interface House {
  readonly vault: VaultClient
  readonly session: Session
  readonly store: DeviceStore
  readonly settings: Settings
  readonly approvals: Approvals<Subject>
  /** The keys and what they sign; loaded when they are first needed. */
  readonly wallet: () => Promise<Wallet>
  readonly rpc: Rpc
  /** What the operator has set; asked once. */
  readonly config: () => Promise<VaultConfig>
  /** What the owners of this device let pages do without asking; loaded when it is first needed. */
  readonly grants: () => Promise<GrantStore>
  readonly shared: Shared
  /** Calls that were sent together, by their id, for as long as this document lives. */
  readonly batches: Map<string, Batch>
  /** What was last asked to be signed at a login, so that nobody is asked twice. */
  readonly signIns: Map<string, Promise<SignedIn | undefined>>
  readonly popups: Popups
  /** How the visitor is called, where the operator has visitors identified. */
  readonly visitor: () => Promise<string | undefined>
  readonly reload: () => void
  /** Set on a page of another site: there the keys are in a window, and so is every yes. */
  readonly away?: (() => Promise<Away>) | undefined
}

/** A frame on a page of another site: who is signed in, by a token; the keys, and every yes, are in a window of this origin. */
export interface Away {
  readonly session: Session
  readonly wallet: Wallet
  /** What the page has chosen: its network, its kind of account. */
  readonly choices: Kept
  /** Logs in, in a window. */
  connect(house: House, says: MethodParams<'CONNECT_WINDOW'>, asker: AwayAsker): Promise<MethodResult<'CONNECT_WINDOW'>>
  /** A wallet request that needs a yes. */
  request(house: House, says: MethodParams<'RPC_REQUEST'>, asker: AwayAsker): Promise<unknown>
}

/** The page that asks, and the id under which it can take the request back. */
export type AwayAsker = Pick<Asker, 'origin'> & { readonly id: string | undefined }

/** What a page gets that asked for a sign-in as somebody logged in. */
export interface SignedIn {
  /** The text that was signed, with the address in its place. */
  readonly message: string
  readonly signature: string
  readonly siwxMessage: Siwx
}

/** Answers one question. A `Refusal` is told to the page word by word. */
export interface Method<Name extends MethodName> {
  (
    house: House,
    says: MethodParams<Name>,
    asker: Asker & { readonly id: string | undefined },
  ): Promise<MethodResult<Name>>
}
