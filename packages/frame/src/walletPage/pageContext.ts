import type { VaultMe, VaultTransfer } from '@latchkey/protocol/http/vault'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { MessageKey } from '../screens/translations.ts'
import type { DeviceApprovalSession } from './deviceRequests.ts'
import type { KeyRow } from './listKeys.ts'
import type { WalletPageController } from './walletPageController.ts'

/** The context of every view of the page. */
export interface WalletPageContext {
  readonly controller: WalletPageController
  readonly me: VaultMe
  readonly opened: OpenedWallet
}

/** The current view of the page. */
export type WalletPageView =
  | { readonly name: 'home'; readonly note?: string | undefined }
  /** `proven`: the user reauthenticated to remove this key. */
  | { readonly name: 'key'; readonly row: KeyRow; readonly last: boolean; readonly proven?: boolean }
  | { readonly name: 'leaveEverywhere' }
  | { readonly name: 'protect' }
  | { readonly name: 'audit' }
  | { readonly name: 'export' }
  | { readonly name: 'request'; readonly transfer: VaultTransfer; readonly approving?: DeviceApprovalSession }
  /** Reauthenticates the user, then continues with `next`. */
  | { readonly name: 'prove'; readonly next: WalletPageView; readonly text?: MessageKey }
  /** Reauthenticates for a single request. Leaving the view discards the result. */
  | { readonly name: 'proveFor'; readonly transfer: VaultTransfer }
