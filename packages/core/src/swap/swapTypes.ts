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
  /** The token's name. Do not trust the name and symbol of an unlisted token, because its contract chooses both. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The number of decimal places. */
  readonly decimals: number
  /** The https URL of the logo. */
  readonly iconUrl?: string
  /** The account's balance in base units. Absent if it is not known. */
  readonly balance?: bigint
  /** The price of one token in US dollars. Absent if it is not known. */
  readonly price?: TokenPrice
  /** Set if the token is on none of the server's lists. Anyone could have created it. */
  readonly unlisted?: true
  /**
   * Set if the token's decimals or symbol are inconsistent between the server's responses or with its contract, or if the token
   * imitates a well-known one. The token cannot be swapped.
   */
  readonly mismatch?: true
  /** Set if the token's decimals or symbol could not be read from its contract, or if its symbol is only similar. */
  readonly unverified?: 'decimals' | 'symbol'
}

/** Something about a swap that could not be verified. */
export type UnverifiedPart = 'contract' | 'call' | 'decimals' | 'symbol'

/** The tokens of a network. */
export interface SwapTokens {
  /** All tokens, sorted by symbol: the network's currency, the listed tokens, and the unlisted tokens that the account owns. */
  readonly all: readonly SwapToken[]
  /** A few common tokens. */
  readonly suggested: readonly SwapToken[]
  /** The tokens that the account owns, most valuable first. */
  readonly own: readonly SwapToken[]
}

/** The operator's fee. */
export interface SwapFee {
  /** The fee in basis points of the received amount. */
  readonly bps: number
  /** The amount in base units of the received token. It has already been subtracted. */
  readonly amount: bigint
  /** The address that receives the fee. */
  readonly recipient: string
}

/** The amounts and fees of a swap. */
export interface SwapQuote {
  /** The token that is paid. */
  readonly from: SwapToken
  /** The token that is received. */
  readonly to: SwapToken
  /** The amount to swap, in base units of `from`. */
  readonly amount: bigint
  /** The expected amount, in base units of `to`. */
  readonly received: bigint
  /**
   * The minimum amount that the account receives, in base units of `to`. If the swap would yield less, its transaction reverts.
   */
  readonly minimum: bigint
  /** How much of `to` one token of `from` yields, as decimal text. */
  readonly rate: string
  /**
   * The price impact in basis points: how much less the received amount is worth than the swapped amount. Negative if it is
   * worth more. `undefined` if the price of one of the tokens is not known, or must be wrong because the received amount would be
   * worth much more.
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

/** Why the swap cannot be reviewed. */
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

/** A swap that the user reviews, and its progress after the user has confirmed it. */
export interface SwapReview {
  /** The account that swaps. */
  readonly account: AccountId
  /** The amounts of the transaction or, until it has been built, those of the form. */
  readonly quote: SwapQuote
  /**
   * `preparing` while the transaction is being built, `ready` when the user can confirm, `confirming` while the wallet prompts
   * the user, `pending` until the transaction is included in a block, and then `done` or `failed`. `stopped` if the swap cannot
   * continue because the account or network changed, or because the transaction differs from what the user reviewed.
   */
  readonly status: 'preparing' | 'ready' | 'confirming' | 'pending' | 'done' | 'failed' | 'stopped'
  /**
   * The next transaction, or the one in progress. `reset` sets the allowance to 0, which some tokens require before `approve`.
   * `undefined` until it is known.
   */
  readonly step: 'reset' | 'approve' | 'swap' | undefined
  /** Whether the user had to approve the token first. */
  readonly hasApproval: boolean
  /** The address of the exchange's contract. */
  readonly contract: string | undefined
  /**
   * The parts that could not be verified. `contract` if the transaction is the reviewed swap, but its contract is neither
   * Uniswap's nor one of the host's `swapExchanges`, so it can do something else. `call` if the transaction cannot be decoded
   * at all. Then only its contract, its value and the amount of its approval are known. `decimals` or `symbol` if those of a
   * token could not be compared with its contract, so the amounts or the token might differ from what is displayed. Unless the
   * list is empty, `confirm()` does nothing until the user has confirmed the parts with `confirmUnverified()`. Empty while the
   * transaction is being built.
   */
  readonly unverified: readonly UnverifiedPart[]
  /** Whether the user has confirmed the unverified parts. */
  readonly unverifiedConfirmed: boolean
  /** Whether the price has worsened since the user saw it. If so, `confirm()` does nothing until `accept()` is called. */
  readonly hasWorsened: boolean
  /** The hash of the last transaction that was sent. */
  readonly hash?: string
  /** Why the last step failed. */
  readonly error: LatchkeyError | undefined
}

/** The state of the form and of the swap under review. */
export interface SwapState {
  /** The account and chain of the form. */
  readonly account: AccountId | undefined
  /** The network of the swap. `undefined` if no account is connected. */
  readonly chain: ChainId | undefined
  /** Whether the server supports swaps on the network. `undefined` until it is known. */
  readonly supported: boolean | undefined
  /** The tokens that can be swapped on the network. */
  readonly tokens: QueryResult<SwapTokens>
  /** The token to pay. */
  readonly from: SwapToken | undefined
  /** The token to receive. */
  readonly to: SwapToken | undefined
  /** The amount as entered: decimal text with a point, such as `12.5`. */
  readonly amount: string
  /** The quote for the current form. */
  readonly quote: QueryResult<SwapQuote>
  /** Why the swap cannot be reviewed. `undefined` if it can be, or while the quote is loading. */
  readonly problem: SwapProblem | undefined
  /** The swap under review. `undefined` before the review. */
  readonly review: SwapReview | undefined
  /**
   * Set if the wallet received a transaction but the page does not know whether it was sent, for example because the page was
   * reloaded. Users should check their wallet before they try again.
   */
  readonly unconfirmed: boolean
}

/** The initial values of the form, set by the host. */
export interface SwapPresets {
  /** The symbol of a listed token, or the CAIP-10 ID of a token. */
  readonly from?: string | undefined
  /** The token to receive. */
  readonly to?: string | undefined
  /** The amount in whole tokens, such as `12.5`. */
  readonly amount?: string | undefined
}

/** Swaps the active account's tokens on its network. Errors are reported in `state`. */
export interface Swap {
  /** The form, the quote, the review and the swap. */
  readonly state: ReadableStore<SwapState>
  /**
   * Resolves to whether the server supports swaps on the active network. For well-known networks (`swapNetworks`), only the
   * server's list of chains is requested, not its tokens.
   */
  supported(): Promise<boolean>
  /** Loads the tokens and fills in the form from the presets, or else from the user's earlier input. */
  open(presets?: SwapPresets): Promise<void>
  /**
   * Keeps the quote up to date until the returned function is called: every ten seconds while the page is visible, and when it
   * becomes visible again after more than ten seconds.
   */
  watch(): () => void
  /** Sets the amount. A quote is requested 200 ms later. */
  setAmount(amount: string): void
  /** Sets the amount to the balance of `from`, minus the network fee if it is the network's currency. */
  setMax(): void
  /** Sets a token. If it is already selected on the other side, the two sides trade places. */
  setToken(side: 'from' | 'to', id: string): void
  /** Swaps the two sides. The amount becomes the received amount, or `1` if there is no quote. */
  flip(): void
  /** Retries the requests that failed. */
  retry(): void
  /** Opens the review and builds the transaction. Returns `false` if there is nothing to review. */
  review(): boolean
  /** Sets whether the user has confirmed the unverified parts. */
  confirmUnverified(confirmed: boolean): void
  /** Accepts the review's new price. */
  accept(): void
  /** Sends the review's next transaction to the wallet. `label` is shown in the account's activity. */
  confirm(params: { readonly label: string }): Promise<void>
  /**
   * Sends a transaction to the wallet that sets the allowance of the exchange's contract to 0, for users who have approved it but no
   * longer want to swap. The next swap needs another approval.
   */
  revoke(params: { readonly label: string }): Promise<void>
  /** Ends the review, unless its transaction is pending. If the wallet is still prompting the user, sets `unconfirmed`. */
  cancelReview(): void
  /** Dismisses the notice that a transaction might have been sent. */
  dismissUnconfirmed(): void
  /** Aborts pending requests. */
  stop(): void
}
