import type { ChainId } from '@latchkey/protocol/caip'
import type { Grant, Limits } from './permissions/grant.ts'
import type { CallReading } from './readable/call.ts'
import type { MessageReading } from './readable/message.ts'
import type { SolanaReading } from './readable/solana.ts'
import type { TypedDataReading } from './readable/typedData.ts'
import type { Quote } from './requests/transaction.ts'

/** Who asks for something, on which network, with which account: on every approval. */
export interface Setting {
  /** The page, as the browser reports it. */
  readonly origin: string
  readonly chain: ChainId
  readonly account: string
  /** Whether the account is a contract that the key owns, rather than the key itself. */
  readonly isContract?: boolean
  /** Where losing one thing may lose all: how to do something about it. */
  readonly protecting?: Protecting | undefined
}

/** How the owner gets a second key. */
export interface Protecting {
  /** A new recovery code; it is one of the keys only once it was kept. */
  makeKit(): Promise<RecoveryKit>
  /** Makes a passkey one of the keys; `undefined` where passkeys are not offered. */
  readonly addPasskey: (() => Promise<void>) | undefined
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
export type Subject =
  | { readonly kind: 'message'; readonly setting: Setting; readonly reading: MessageReading }
  | { readonly kind: 'typedData'; readonly setting: Setting; readonly reading: TypedDataReading }
  | {
      readonly kind: 'calls'
      readonly setting: Setting
      readonly readings: readonly CallReading[]
      /** Asks the network; what comes out is shown, and then signed. */
      readonly prepare: () => Promise<Quote>
    }
  | {
      readonly kind: 'solana'
      readonly setting: Setting
      readonly readings: readonly SolanaReading[]
      /** Whether the wallet hands it to the network, too. */
      readonly send: boolean
    }
  | { readonly kind: 'grant'; readonly setting: Setting; readonly limits: Limits; readonly tokens: Tokens }
  | { readonly kind: 'revoke'; readonly setting: Setting; readonly grant: Grant; readonly tokens: Tokens }
  | {
      readonly kind: 'grants'
      readonly setting: Setting
      readonly grants: readonly ShownGrant[]
      /** Takes one back, at once. */
      readonly revoke: (context: string) => Promise<unknown>
    }
  | { readonly kind: 'recover'; readonly recovering: Recovering }

/** What tokens call themselves, by address in lower case. */
export type Tokens = Readonly<Record<string, TokenFacts>>

/** What a page was given, and what its tokens are called. */
export interface ShownGrant {
  readonly grant: Grant
  readonly tokens: Tokens
}

/** What the recovery screen needs. */
export interface Recovering {
  readonly origin: string
  readonly email: string | null
  readonly address: string
  /** Which kinds of keys this vault has. */
  readonly kinds: readonly ('passkey' | 'device' | 'kit' | 'assisted')[]
  /** Why this device does not open it. */
  readonly because: 'new-device' | 'removed' | 'no-storage' | 'lost'
  /** Opens the vault with a recovery code as it was typed; throws a `Refusal` that says what is wrong with it. */
  readonly openWithKit: (typed: string) => Promise<unknown>
  /** Opens it with a passkey; `undefined` where the vault has none. */
  readonly openWithPasskey: (() => Promise<unknown>) | undefined
}
