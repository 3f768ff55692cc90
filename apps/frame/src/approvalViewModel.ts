import type { ChainId } from '@latchkey/protocol/caip'
import type { MessageReading } from './decoders/message.ts'
import type { Call } from './decoders/requestedCall.ts'
import type { SolanaReading } from './decoders/solanaTransaction.ts'
import type { TypedDataReading } from './decoders/typedDataFields.ts'
import type { Handover } from './handover/handover.ts'
import type { Grant, GrantLimits, TokenMetadataByAddress } from './permissions/grant.ts'
import type { Quote } from './requests/quoteTransaction.ts'

/** Who asks for something, on which network, with which account: on every approval. */
export interface ApprovalContext {
  /** The page, as the browser reports it. */
  readonly origin: string
  readonly chain: ChainId
  readonly account: string
  /** Whether the account is a contract that the key owns, rather than the key itself. */
  readonly isContract?: boolean
  /** Where losing one thing may lose all: how to do something about it. */
  readonly protecting?: BackupOptions | undefined
}

/** How the owner gets a second key. */
export interface BackupOptions {
  /** A new recovery code; it is one of the keys only once it was kept. */
  makeKit(): Promise<RecoveryKit>
  /** Makes a passkey one of the keys; `undefined` where passkeys are not offered. */
  readonly addPasskey: (() => Promise<void>) | undefined
  /** Whether it opens a page of its own for that. */
  readonly elsewhere?: boolean | undefined
}

/** A recovery code that was just made. */
export interface RecoveryKit {
  /** Eight groups of five letters. */
  readonly code: string
  /** The same for a QR code. */
  readonly qr: string
  /** Makes it one of the keys, and answers with the kit's file. */
  keep(): Promise<string>
}

/** What a screen can be about. */
export type ApprovalView =
  | { readonly kind: 'message'; readonly setting: ApprovalContext; readonly reading: MessageReading }
  | { readonly kind: 'typedData'; readonly setting: ApprovalContext; readonly reading: TypedDataReading }
  | {
      readonly kind: 'calls'
      readonly setting: ApprovalContext
      readonly calls: readonly Call[]
      /** Whether all of them happen or none; otherwise they are sent one after the other. */
      readonly isOne?: boolean
      /** Asks the network; what comes out is shown, and then signed. */
      readonly prepare: () => Promise<Quote>
    }
  | {
      readonly kind: 'solana'
      readonly setting: ApprovalContext
      readonly readings: readonly SolanaReading[]
      /** Whether the wallet hands it to the network, too. */
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
      /** The time by which they are counted, in seconds. */
      readonly now: number
      /** Takes one back, at once. */
      readonly revoke: (context: string) => Promise<unknown>
    }
  /** What opened the wallet was changed by somebody who could not open it, and was put back. `origin`: the page that asks, if any. */
  | { readonly kind: 'putBack'; readonly origin: string | undefined }
  | { readonly kind: 'recover'; readonly recovering: RecoveryOptions }
  | { readonly kind: 'start'; readonly starting: CreateWalletOptions }
  | { readonly kind: 'enter'; readonly entering: PasskeyLoginOptions }
  /** In a frame on a page of another site: what is asked, a window of this origin shows. */
  | {
      readonly kind: 'window'
      readonly origin: string
      readonly wants: 'connect' | 'request'
      readonly handover: Handover
    }
  /** In that window: whether the page learns who is here. */
  | { readonly kind: 'connect'; readonly origin: string; readonly email: string | null; readonly address: string }

/** What the first key of a wallet needs, where this browser keeps none for it. */
export interface CreateWalletOptions {
  /** The page that asks; `undefined` on a page of our own. */
  readonly origin: string | undefined
  /** A recovery code, whose `keep` makes the wallet. */
  makeKit(): Promise<FirstRecoveryKit>
  /** Makes a passkey, and the wallet with it; `undefined` where passkeys are not offered. */
  readonly startWithPasskey: (() => Promise<unknown>) | undefined
}

/** A recovery code that is to be the first key. */
export interface FirstRecoveryKit extends Omit<RecoveryKit, 'keep'> {
  /** Makes the wallet; answers with it and with the kit's file. */
  start(): Promise<{ readonly vault: unknown; readonly file: string }>
}

/** What coming in by passkey needs. */
export interface PasskeyLoginOptions {
  readonly origin: string | undefined
  /** Signs in with a passkey that is there. */
  signIn(): Promise<unknown>
  /** Makes a passkey and an account that it opens. */
  begin(): Promise<unknown>
  /** Whether the browser makes passkeys only on a page of its own: then `begin` opens one. */
  readonly elsewhere: boolean
}

/** How a device that can open the vault is asked for it. */
export interface DeviceApprovalCallbacks {
  readonly signal: AbortSignal
  /** It can be found on the other device from now on. */
  onPosted(transfer: { readonly id: string; readonly heldUntil?: number | undefined }): void
  /** Shows the four words; `true` when the person says that the other device shows the same. */
  compare(words: readonly string[]): Promise<boolean>
}

/** What the recovery screen needs. */
export interface RecoveryOptions {
  /** The page that asks; `undefined` on a page of our own. */
  readonly origin: string | undefined
  readonly email: string | null
  readonly address: string
  /** Which kinds of keys this vault has. */
  readonly kinds: readonly ('passkey' | 'device' | 'kit' | 'assisted')[]
  /** Why this device does not open it. */
  readonly because: 'new-device' | 'removed' | 'no-storage' | 'lost'
  /** Opens the vault with a recovery code as it was typed; throws a `PublicError` that says what is wrong with it. */
  readonly openWithKit: (typed: string) => Promise<unknown>
  /** Opens it with a passkey; `undefined` where the vault has none. */
  readonly openWithPasskey: (() => Promise<unknown>) | undefined
  /** Opens it with the help of a device that can. */
  openWithDevice(asking: DeviceApprovalCallbacks): Promise<unknown>
}
