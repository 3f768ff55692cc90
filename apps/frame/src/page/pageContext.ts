import type { VaultMe, VaultTransfer } from '@latchkey/protocol/http/vault'
import type { Word } from '../screens/words.ts'
import type { OpenWallet } from '../wallet.ts'
import type { Approving, Desk } from './desk.ts'
import type { KeyRow } from './keysOf.ts'

/** What every view of the page is about. */
export interface Inside {
  readonly desk: Desk
  readonly me: VaultMe
  readonly opened: OpenWallet
}

/** Where the owner is. */
export type View =
  | { readonly name: 'home'; readonly note?: string | undefined }
  /** `proven`: who is here was proven anew, to remove this key. */
  | { readonly name: 'key'; readonly row: KeyRow; readonly last: boolean; readonly proven?: boolean }
  | { readonly name: 'leaveEverywhere' }
  | { readonly name: 'protect' }
  | { readonly name: 'audit' }
  | { readonly name: 'export' }
  | { readonly name: 'request'; readonly transfer: VaultTransfer; readonly approving?: Approving }
  /** Who is here is asked anew, and then goes on to `next`. */
  | { readonly name: 'prove'; readonly next: View; readonly text?: Word }
  /** The same for one request: whoever goes elsewhere in between begins anew. */
  | { readonly name: 'proveFor'; readonly transfer: VaultTransfer }
