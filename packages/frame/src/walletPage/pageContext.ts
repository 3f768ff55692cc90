import type { KeysMe, KeysTransfer } from '@latchkey/protocol/http/keys'
import type { MessageKey } from '../texts/translations.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { DeviceApprovalSession } from './deviceRequests.ts'
import type { KeyRow } from './listUnlockKeys.ts'
import type { WalletPageController } from './walletPageController.ts'

/** The context that every view of the wallet page receives. */
export interface WalletPageContext {
  readonly controller: WalletPageController
  readonly me: KeysMe
  readonly opened: OpenedWallet
}

/** The current view of the wallet page. */
export type WalletPageView =
  | { readonly name: 'home'; readonly note?: string | undefined }
  /** `proven` specifies whether the user has reauthenticated to remove this key. */
  | { readonly name: 'key'; readonly row: KeyRow; readonly last: boolean; readonly proven?: boolean }
  | { readonly name: 'leaveEverywhere' }
  | { readonly name: 'protect' }
  | { readonly name: 'audit' }
  | { readonly name: 'export' }
  | { readonly name: 'request'; readonly transfer: KeysTransfer; readonly approving?: DeviceApprovalSession }
  /** Reauthenticates the user and continues with `next`. */
  | { readonly name: 'prove'; readonly next: WalletPageView; readonly text?: MessageKey }
  /** Reauthenticates the user for a single request. Leaving the view discards the result. */
  | { readonly name: 'proveFor'; readonly transfer: KeysTransfer }
