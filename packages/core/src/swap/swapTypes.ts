import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { TokenPrice } from '../account/portfolioTypes.ts'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

/** A token that can be swapped. */
export interface SwapToken {
  /** The CAIP-10 ID of the token, or `native` for the network's currency. */
  readonly id: string
  /** The chain (CAIP-2). */
  readonly chain: ChainId
  /** The plain address of the token contract. Absent for the network's currency. */
  readonly address?: string
  /** The name and symbol. They prove nothing about an unlisted token, because its contract chooses them. */
  readonly name: string
  readonly symbol: string
  /** The number of decimal places. */
  readonly decimals: number
  /** The https URL of the logo. */
  readonly iconUrl?: string
  /** The account's balance in base units. Absent if it is not known. */
  readonly balance?: bigint
  /** The price of one token in US dollars. Absent if it is not known. */
  readonly price?: TokenPrice
  /** Set if the token is on none of the server's lists, so that anyone can have created it. */
  readonly unlisted?: true
  /** Set if the server reports different decimal places in different places. The token cannot be swapped. */
  readonly mismatch?: true
}

/** The tokens of a network. */
export interface SwapTokens {
  /** The listed tokens by symbol, and the unlisted ones that the account owns. */
  readonly all: readonly SwapToken[]
  /** A few common tokens. */
  readonly suggested: readonly SwapToken[]
  /** The tokens that the account owns, the most valuable first. */
  readonly own: readonly SwapToken[]
}

/** The operator's fee. */
export interface SwapFee {
  /** In hundredths of a percent of the received amount. */
  readonly bps: number
  /** The amount in base units of the received token. It has already been subtracted. */
  readonly amount: bigint
  readonly recipient: string
}

/** What a swap yields and costs. */
export interface SwapQuote {
  readonly from: SwapToken
  readonly to: SwapToken
  /** The amount to swap, in base units of `from`. */
  readonly amount: bigint
  /** The expected amount, in base units of `to`. */
  readonly received: bigint
  /** The least amount that the account receives, in base units of `to`. Otherwise the swap has no effect. */
  readonly minimum: bigint
  /** How much of `to` one token of `from` yields, as decimal text. */
  readonly rate: string
  /**
   * How much less the received amount is worth than the given one, in hundredths of a percent. Negative if it is worth more.
   * `undefined` if the price of one of the tokens is not known.
   */
  readonly impactBps: number | undefined
  /** The operator's fee. Absent if there is none. */
  readonly fee?: SwapFee
  /** The network fee in base units of the network's currency. Absent if it is not known. */
  readonly networkFee?: bigint
  /** The network fee in US dollars, as decimal text. Absent if the price is not known. */
  readonly networkFeeFiat?: string
  /** When the quote was made, in epoch milliseconds. */
  readonly at: number
}

/** Why the form cannot be reviewed. */
export type SwapProblem =
  | 'no-token'
  | 'same-token'
  | 'token-mismatch'
  | 'no-amount'
  | 'invalid-amount'
  | 'insufficient-balance'
  | 'insufficient-gas'
  | 'no-liquidity'
  | 'no-quote'

/** A swap that the user reviews, and its progress afterwards. */
export interface SwapReview {
  /** The account that swaps. */
  readonly account: AccountId
  /** The figures of the transaction, or those of the form until it has been built. */
  readonly quote: SwapQuote
  /**
   * `preparing` while the transaction is built, `ready` for the user to confirm, `confirming` while the wallet asks, `pending`
   * until the transaction is in a block, and `done` or `failed` once the swap is. `stopped` if it cannot go on: the account or
   * network changed, or the transaction was not as reviewed.
   */
  readonly status: 'preparing' | 'ready' | 'confirming' | 'pending' | 'done' | 'failed' | 'stopped'
  /**
   * The transaction that is next or in progress. `reset` sets the allowance to 0, which some tokens require before `approve`.
   * `undefined` until it is known.
   */
  readonly step: 'reset' | 'approve' | 'swap' | undefined
  /** Whether the user had to approve the token first. */
  readonly hasApproval: boolean
  /** The address of the exchange's contract. */
  readonly contract: string | undefined
  /**
   * Whether the page has read the transaction and found it to be the reviewed swap. Otherwise only its contract, value and stated
   * amounts are known, and the wallet shows the rest.
   */
  readonly isVerified: boolean
  /** Whether the price got worse since the user has seen it. `accept()` is necessary. */
  readonly hasWorsened: boolean
  /** The hash of the last transaction that was sent. */
  readonly hash?: string
  /** Why the last step failed. */
  readonly error: LatchkeyError | undefined
}

/** The state of the form, and of the swap that is reviewed. */
export interface SwapState {
  /** The account and chain of the form. */
  readonly account: AccountId | undefined
  readonly chain: ChainId | undefined
  /** Whether the server swaps on the network. `undefined` until it is known. */
  readonly supported: boolean | undefined
  readonly tokens: QueryResult<SwapTokens>
  readonly from: SwapToken | undefined
  readonly to: SwapToken | undefined
  /** The amount as the user has entered it: decimal text with a point, such as `12.5`. */
  readonly amount: string
  readonly quote: QueryResult<SwapQuote>
  /** Why the form cannot be reviewed. `undefined` if it can be, or while the quote is loading. */
  readonly problem: SwapProblem | undefined
  readonly review: SwapReview | undefined
  /**
   * Set if a transaction was given to the wallet without the page learning whether it was sent, for example because the page was
   * reloaded. The user should look into the wallet before repeating it.
   */
  readonly unconfirmed: boolean
}

/** What the host has chosen for the form. */
export interface SwapPresets {
  /** A symbol of a listed token, or the CAIP-10 ID of a token. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** In human units, such as `12.5`. */
  readonly amount?: string | undefined
}

/** Swaps tokens of the active account on its network. Failures are reported in `state`. */
export interface Swap {
  readonly state: ReadableStore<SwapState>
  /** Resolves to whether the server swaps on the active network. Nothing is requested for the networks of the specification. */
  supported(): Promise<boolean>
  /** Loads the tokens, and fills in the form: from the presets, else from what the user has entered before. */
  open(presets?: SwapPresets): Promise<void>
  /**
   * Keeps the quote up to date until the returned function is called: every ten seconds while the page is visible, and at once when
   * it becomes visible again.
   */
  watch(): () => void
  /** Sets the amount. A quote is requested 200 ms later. */
  setAmount(amount: string): void
  /** Sets the amount to the balance of `from`, minus the network fee if it is the network's currency. */
  setMax(): void
  /** Sets a token. If it is the token of the other side, the sides are swapped. */
  setToken(side: 'from' | 'to', id: string): void
  /** Swaps the two sides. The received amount becomes the amount. */
  flip(): void
  /** Requests again what has failed. */
  retry(): void
  /** Opens the review, and builds the transaction. Returns whether there is something to review. */
  review(): boolean
  /** Accepts the price of the review. */
  accept(): void
  /** Asks the wallet for the next transaction of the review. `label` is shown in the activity. */
  confirm(params: { readonly label: string }): Promise<void>
  /** Ends the review, unless a transaction is in progress. */
  cancelReview(): void
  /** Reports that the user has read that a transaction may have been sent. */
  dismissUnconfirmed(): void
  /** Aborts pending requests. */
  stop(): void
}
