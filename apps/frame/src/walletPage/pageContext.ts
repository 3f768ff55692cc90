import type { VaultMe, VaultTransfer } from '@latchkey/protocol/http/vault'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { MessageKey } from '../screens/messages.ts'
import type { KeyRow } from './listKeys.ts'
import type { DeviceApprovalSession, WalletController } from './walletController.ts'

/** What every view of the page is about. */
export interface WalletPageContext {
  readonly desk: WalletController
  readonly me: VaultMe
  readonly opened: OpenedWallet
}

/** Where the owner is. */
export type WalletPageView =
  | { readonly name: 'home'; readonly note?: string | undefined }
  /** `proven`: who is here was proven anew, to remove this key. */
  | { readonly name: 'key'; readonly row: KeyRow; readonly last: boolean; readonly proven?: boolean }
  | { readonly name: 'leaveEverywhere' }
  | { readonly name: 'protect' }
  | { readonly name: 'audit' }
  | { readonly name: 'export' }
  | { readonly name: 'request'; readonly transfer: VaultTransfer; readonly approving?: DeviceApprovalSession }
  /** Who is here is asked anew, and then goes on to `next`. */
  | { readonly name: 'prove'; readonly next: WalletPageView; readonly text?: MessageKey }
  /** The same for one request: whoever goes elsewhere in between begins anew. */
  | { readonly name: 'proveFor'; readonly transfer: VaultTransfer }
