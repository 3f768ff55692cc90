import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { TransferFee } from '../../adapter.ts'
import type { QueryResult } from '../../lib/queryResult.ts'
import type { ReadableStore } from '../../lib/store.ts'
import type { Token } from '../portfolioTypes.ts'

/** Whether an amount is entered in the token or in US dollars. */
export type AmountUnit = 'token' | 'fiat'

/** The recipient that the user entered. It only has an address while `status` is `ready`. */
export interface SendRecipient {
  /** The text as entered: an address or a name. */
  readonly text: string
  /**
   * `checking` until the address of a name is known. `wrong-checksum` until the user accepts an address whose upper and lower case
   * letters do not match its checksum (EIP-55). `unknown-name` if a name is not registered, and `failed` if it could not be looked up.
   */
  readonly status: 'empty' | 'checking' | 'ready' | 'invalid' | 'wrong-checksum' | 'unknown-name' | 'failed'
  /** The address. On eip155, it has a checksum (EIP-55). */
  readonly address?: string
  /** The name: as entered, or the address's primary name. */
  readonly name?: string
  /** The host of the server that resolved the name. Absent if the chain family's name service did, such as ENS. */
  readonly resolver?: string
  /** The image that belongs to the name, as an https or data URL. */
  readonly image?: string
  /** Whether the user has accepted a wrong checksum. */
  readonly hasWrongChecksum?: boolean
  /** Why the name could not be looked up. */
  readonly error?: LatchkeyError
}

/** A warning to show before the user confirms a transfer. */
export type SendWarning = {
  /** Whether the user has to confirm it before the transfer can be sent. */ readonly isSerious: boolean
} /** Another address resembles the recipient's: it starts and ends with the same characters. */ & (
  | {
      readonly kind: 'look-alike'
      readonly address: string
      /**
       * `sent`: the account has sent something to the other address. `own`: it is the account's own address. `seen`: it only
       * occurs in the account's history.
       */
      readonly relation: 'sent' | 'own' | 'seen'
    }
  /** The account has sent to the name before, at another address. The name can have a new owner. */
  | { readonly kind: 'name-changed'; readonly address: string }
  /** The address's letters do not match its checksum, which the user has accepted. */
  | { readonly kind: 'checksum' }
  /** The token's contract reports different decimal places than the balance, so the amount is wrong. `submit` rejects. */
  | { readonly kind: 'decimals' }
  /** The token's contract reports another symbol, so the token is not the displayed one. `submit` rejects. */
  | { readonly kind: 'symbol'; readonly symbol: string }
  /** The token's contract reports the symbol of another form of the currency, such as USDC.e instead of USDC. */
  | { readonly kind: 'similar-symbol'; readonly symbol: string }
  /** The recipient is the zero address, for which no one has a key. */
  | { readonly kind: 'zero-address' }
  /** The recipient is the contract of the token, or of another token that the account owns. */
  | { readonly kind: 'token-contract' }
  /** The same transfer was requested before, and could have been sent. */
  | { readonly kind: 'repeat' }
  /** The recipient is the sender. */
  | { readonly kind: 'own-address' }
  /** The recipient is a contract or program, which might not be able to use the tokens. */
  | { readonly kind: 'contract' }
  /** A contract has the address on another network, but not on this one, where the tokens might be lost. */
  | { readonly kind: 'contract-elsewhere'; readonly network: string }
  /** No earlier transfer to the address was found. */
  | { readonly kind: 'first-time' }
  /** This browser has not sent to the address. Only the account's history, which comes from the server, has an earlier transfer. */
  | { readonly kind: 'only-in-history' }
  /** The token withholds a part of the amount, in its base units. The recipient receives at least `received`. */
  | { readonly kind: 'withheld'; readonly withheld: bigint; readonly received: bigint }
  /**
   * The account's history, whether the recipient is a contract, the token's decimals or symbol, or how much the token withholds could not
   * be checked.
   */
  | { readonly kind: 'unchecked'; readonly what: 'history' | 'contract' | 'decimals' | 'symbol' | 'withheld' }
)

/** The first requirement that a transfer does not meet yet, or `review` if it meets all of them. */
export type SendStep =
  | 'connect'
  | 'unsupported-chain'
  | 'unsupported-wallet'
  | 'select-token'
  | 'incorrect-amount'
  | 'add-amount'
  | 'insufficient-funds'
  | 'add-address'
  | 'checking-address'
  | 'invalid-address'
  | 'insufficient-fee'
  | 'review'

/** A transfer under review. Exactly this transfer is sent, even if the form changes. */
export interface SendReview {
  /** The account that sends the transfer. */
  readonly account: AccountId
  /** The network on which the transfer is sent. */
  readonly chain: ChainId
  /** The token that is sent. */
  readonly token: Token
  /** The amount in base units. */
  readonly amount: bigint
  /** The recipient's address. */
  readonly to: string
  /** The name that the user entered, if any. */
  readonly name?: string
  /** The host of the server that resolved the name. See `SendRecipient.resolver`. */
  readonly resolver?: string
  /** The avatar of the recipient's name. */
  readonly image?: string
}

/** The outcome of a transfer that was confirmed in the form. */
export type SendTransfer =
  | { readonly status: 'idle' }
  /** The wallet has received the request, but has not responded yet. */
  | { readonly status: 'requested'; readonly review: SendReview }
  /**
   * The wallet has sent the transfer. It is `pending` until it is included in a block. `reverted` means that only the fee was
   * charged.
   */
  | {
      readonly status: 'pending' | 'done' | 'reverted'
      readonly review: SendReview
      readonly hash: string
      readonly at: number
    }
  /** Nothing was sent. */
  | { readonly status: 'failed'; readonly review: SendReview; readonly error: LatchkeyError }
  /** It is unknown whether the transfer was sent, because the page was reloaded or the connection to the wallet was lost. */
  | { readonly status: 'unknown'; readonly review: SendReview; readonly at: number; readonly error?: LatchkeyError }

/** An address to which the account has sent something, confirmed by the network. */
export interface RecentRecipient {
  /** The address to which a transfer was sent. */
  readonly address: string
  /** The chain on which it was sent (CAIP-2). */
  readonly chain: ChainId
  /** The recipient's name at that time. It might have changed since. */
  readonly name?: string
  /** When it was sent, in epoch milliseconds. */
  readonly at: number
}

/** The state of the form for sending tokens. */
export interface SendState {
  /** The sender's account and chain. */
  readonly account: AccountId | undefined
  /** The network of the transfer. `undefined` if no account is connected. */
  readonly chain: ChainId | undefined
  /** The tokens that the account owns. */
  readonly tokens: QueryResult<readonly Token[]>
  /** The selected token, if the account owns it. */
  readonly token: Token | undefined
  /** The network's currency, in which fees are paid, if its balance is known. */
  readonly native: Token | undefined
  /** Whether the amount is entered in tokens or in fiat. */
  readonly unit: AmountUnit
  /** The amount as entered, as plain decimal text with a point. It can be incomplete, such as `0.` */
  readonly amountText: string
  /** The amount in base units, rounded down. `undefined` if the text is not an amount. */
  readonly amount: bigint | undefined
  /** Whether the amount is the maximum, which changes with the fee. */
  readonly isMax: boolean
  /** The recipient as entered by the user, with the address that it resolves to. */
  readonly recipient: SendRecipient
  /** The network fee. Idle until there is a token. */
  readonly fee: QueryResult<TransferFee>
  /** The warnings, most serious first. Loading while the recipient is being checked. */
  readonly warnings: QueryResult<readonly SendWarning[]>
  /** Whether the user has confirmed the serious warnings. */
  readonly warningsConfirmed: boolean
  /** The current step. */
  readonly step: SendStep
  /** The transfer in review. `undefined` before a review, and after the account or the network changed. */
  readonly review: SendReview | undefined
  /** The progress and the outcome of the transfer. */
  readonly transfer: SendTransfer
  /** The recipients of earlier transfers, most recent first. */
  readonly recent: readonly RecentRecipient[]
}

/**
 * The form for sending tokens. The user's input is kept until the transfer is sent, even if the page is reloaded or a request
 * fails.
 */
export interface Send {
  /** The form, the review and the transfer. */
  readonly state: ReadableStore<SendState>
  /** Fills in the host's values, once for each `values` object, and reads the tokens. */
  open(values?: { readonly token?: string; readonly amount?: string; readonly to?: string }): void
  /** Selects a token of the portfolio by its ID. */
  setToken(id: string): void
  /** Sets the amount as plain decimal text. */
  setAmount(text: string): void
  /** Switches the unit. The amount stays the same until the user changes it. */
  setUnit(unit: AmountUnit): void
  /** Sets the amount to the maximum: the balance, minus the fee if it is paid from the same balance. */
  setMax(): void
  /** Sets the recipient. A name is looked up half a second later. */
  setRecipient(text: string): void
  /** Accepts an address with a wrong checksum. */
  acceptChecksum(): void
  /** Retries the requests that failed: the name lookup, the recipient checks, the fee estimate and the tokens. */
  retry(): void
  /** Starts a review of the transfer. Returns whether it meets all requirements. */
  startReview(): boolean
  /** Ends the review. The form keeps its values. */
  endReview(): void
  /** Sets whether the user has confirmed the serious warnings. */
  confirmWarnings(confirmed: boolean): void
  /**
   * Sends the reviewed transfer through the wallet. Concurrent calls share one request, and nothing is sent twice. `label`
   * describes the transfer in the account's activity. Rejects with `send/incomplete`, `send/no-token`, `send/unsupported-chain`,
   * `send/changed`, `send/would-fail` if the token's decimals or symbol are wrong, or the wallet's error, which is also in `transfer`.
   */
  submit(params: { readonly label: string }): Promise<{ readonly hash: string }>
  /** Clears the outcome of the last transfer. */
  dismiss(): void
  /** Clears the recent recipients. */
  clearRecent(): void
  /** Stops the requests and timers. */
  stop(): void
}
