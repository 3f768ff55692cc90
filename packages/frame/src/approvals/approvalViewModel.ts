import type { ChainId } from '@latchkey/protocol/caip'
import type { CallAnalysis } from '../decoders/analyzeCalls.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { DecodedMessage } from '../decoders/decodeMessage.ts'
import type { TypedDataFields } from '../decoders/decodeTypedData.ts'
import type { SolanaReading } from '../decoders/solanaTransaction.ts'
import type { WindowHandover } from '../handover/handoverMessages.ts'
import type { Grant, GrantLimits, TokenMetadataByAddress } from '../permissions/grant.ts'

/** The requesting page, the network and the account, which are shown on approval screens. */
export interface ApprovalContext {
  /** The origin of the page, as reported by the browser. */
  readonly origin: string
  readonly chain: ChainId
  readonly account: string
  /** Whether the account is a smart account owned by the key, rather than the key's own account. */
  readonly isContract?: boolean
  /** The options for adding a backup, if the wallet has only one key. */
  readonly protecting?: BackupOptions | undefined
}

/** Options for adding a second key to the wallet. */
export interface BackupOptions {
  /** Generates a recovery code. The code becomes a key of the wallet only when `keep` is called. */
  makeKit(): Promise<RecoveryKit>
  /** Adds a passkey as a key of the wallet. `undefined` if passkeys are not available. */
  readonly addPasskey: (() => Promise<void>) | undefined
  /** Whether `addPasskey` opens a separate window. */
  readonly elsewhere?: boolean | undefined
}

/** A newly generated recovery code. */
export interface RecoveryKit {
  /** Eight groups of five characters, separated by hyphens. */
  readonly code: string
  /** The text of the QR code. */
  readonly qr: string
  /** Adds the code as a key of the wallet. Resolves to the content of the recovery kit file. */
  keep(): Promise<string>
}

/** The content of an approval screen. */
export type ApprovalView =
  | { readonly kind: 'message'; readonly setting: ApprovalContext; readonly reading: DecodedMessage }
  | { readonly kind: 'typedData'; readonly setting: ApprovalContext; readonly reading: TypedDataFields }
  | {
      readonly kind: 'calls'
      readonly setting: ApprovalContext
      readonly calls: readonly Call[]
      /** Whether the calls are atomic. If not, they are sent one after another. */
      readonly isOne?: boolean
      /** Fetches the quote that is shown and then signed. */
      readonly prepare: () => Promise<Quote>
    }
  | {
      readonly kind: 'solana'
      readonly setting: ApprovalContext
      readonly readings: readonly SolanaReading[]
      /** Whether the wallet also sends the transaction to the network. */
      readonly send: boolean
    }
  | {
      readonly kind: 'grant'
      readonly setting: ApprovalContext
      readonly limits: GrantLimits
      readonly tokens: TokenMetadataByAddress
    }
  | { readonly kind: 'revoke'; readonly setting: ApprovalContext; readonly grant: Grant }
  | {
      readonly kind: 'grants'
      readonly setting: ApprovalContext
      readonly grants: readonly Grant[]
      /** The current time in seconds, for allowance periods. */
      readonly now: number
      /** Revokes a permission immediately. */
      readonly revoke: (context: string) => Promise<unknown>
    }
  /** The server's vault record was forged and has been restored. `origin` is the requesting page, if any. */
  | { readonly kind: 'putBack'; readonly origin: string | undefined }
  | { readonly kind: 'recover'; readonly recovering: RecoveryOptions }
  | { readonly kind: 'start'; readonly starting: CreateWalletOptions }
  | { readonly kind: 'enter'; readonly entering: PasskeyLoginOptions }
  /** Shown in a cross-site frame. The request itself is shown in a window on this origin. */
  | {
      readonly kind: 'window'
      readonly origin: string
      readonly wants: 'connect' | 'request'
      readonly handover: WindowHandover
    }
  /** Shown in a window on this origin. The user decides whether to connect the signed-in account to the page. */
  | { readonly kind: 'connect'; readonly origin: string; readonly email: string | null; readonly address: string }

/** Options for creating a wallet in a browser that cannot store a device key. */
export interface CreateWalletOptions {
  /** The origin of the requesting page, or `undefined` at the top level. */
  readonly origin: string | undefined
  /** Generates a recovery code. Calling its `start` creates the wallet. */
  makeKit(): Promise<FirstRecoveryKit>
  /** Creates a passkey, and a wallet with that passkey. `undefined` if passkeys are not available. */
  readonly startWithPasskey: (() => Promise<unknown>) | undefined
}

/** A recovery code that becomes the first key of a new wallet. */
export interface FirstRecoveryKit extends Omit<RecoveryKit, 'keep'> {
  /** Creates the wallet. Resolves to its vault and the content of the recovery kit file. */
  start(): Promise<{ readonly vault: unknown; readonly file: string }>
}

/** Options for the passkey login screen. */
export interface PasskeyLoginOptions {
  readonly origin: string | undefined
  /** Signs in with an existing passkey. */
  signIn(): Promise<unknown>
  /** Creates a passkey and a new account that it unlocks. */
  begin(): Promise<unknown>
  /** Whether the browser only creates passkeys in a top-level window. If so, `begin` opens such a window. */
  readonly elsewhere: boolean
}

/** Callbacks for an approval by another device. */
export interface DeviceApprovalCallbacks {
  readonly signal: AbortSignal
  /** Called when the request is visible on the other device. */
  onPosted(transfer: { readonly id: string; readonly heldUntil?: number | undefined }): void
  /** Shows the four words. Resolves to `true` if the user confirms that the other device shows the same words. */
  compare(words: readonly string[]): Promise<boolean>
}

/** Options for the recovery screen. */
export interface RecoveryOptions {
  /** The origin of the requesting page, or `undefined` at the top level. */
  readonly origin: string | undefined
  readonly email: string | null
  readonly address: string
  /** The kinds of keys that the vault has. */
  readonly kinds: readonly ('passkey' | 'device' | 'kit' | 'assisted')[]
  /** Why this device cannot open the vault. */
  readonly because: 'new-device' | 'removed' | 'no-storage' | 'lost'
  /** Opens the vault with the recovery code as typed. @throws RecoveryCodeFormatError if the code is malformed. */
  readonly openWithKit: (typed: string) => Promise<unknown>
  /** Opens the vault with a passkey. `undefined` if the vault has no passkey. */
  readonly openWithPasskey: (() => Promise<unknown>) | undefined
  /** Opens the vault with the approval of another device. */
  openWithDevice(asking: DeviceApprovalCallbacks): Promise<unknown>
}

/** Who pays the fee instead of the user: the page, through the paymaster that it specified, or the operator of this wallet. */
export type Payer = 'page' | 'operator'

/** The information that the user needs before approving a transaction. */
export interface Quote extends CallAnalysis {
  /** The maximum network fee. */
  readonly fee: bigint
  readonly balance: bigint
  /** The reason given by the node if the transaction would fail. */
  readonly willFail: string | undefined
  /** Who pays the fee. If absent, the account itself pays. */
  readonly payer?: Payer | undefined
  /** What the first user operation sets up: the smart account contract, or the EOA's delegation (EIP-7702). */
  readonly begins?: 'contract' | 'code' | undefined
  /** Whether the transaction replaces one of the account's pending transactions, which has the same nonce. */
  readonly replaces?: boolean | undefined
}
