import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type {
  HistoryTransaction,
  OnrampOptions,
  OnrampProviderName,
  OnrampQuote,
  PaymentCurrency,
} from '@latchkey/protocol/http/chainApi'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

export type { OnrampProviderName, OnrampQuote } from '@latchkey/protocol/http/chainApi'

/** A token that can be bought on the active network. */
export interface OnrampToken {
  /** The token's symbol, for example `ETH`. */
  readonly symbol: string
  /** The token's name, for example `Ethereum`. */
  readonly name: string
  /** The chain on which it is delivered (CAIP-2). */
  readonly chain: ChainId
}

/** The amounts that can be paid with a payment method, as decimal text. */
export type OnrampLimit = PaymentCurrency['payment_method_limits'][number]

/** Why a provider cannot fulfill the user's choice. */
export type OnrampProblem = 'currency' | 'token' | 'too-little' | 'too-much'

/** A provider's offer for the chosen currency, token and amount. */
export interface OnrampOffer {
  /** The provider that makes the offer. */
  readonly provider: OnrampProviderName
  /** The display name, such as `Coinbase`. */
  readonly label: string
  /** The usual fee, in percent of the amount. */
  readonly feePercent: { readonly min: number; readonly max: number }
  /** The currencies and tokens. If they could not be loaded, `status` is `failed`, and the value contains common ones. */
  readonly options: QueryResult<OnrampOptions>
  /** The limits for the chosen currency. Empty if the provider does not accept it. */
  readonly limits: readonly OnrampLimit[]
  /** Why the provider cannot fulfill the user's choice. `undefined` if it can, or if nothing was entered yet. */
  readonly problem: OnrampProblem | undefined
  /** The quote for the chosen amount. Idle until the user has entered an amount that the provider accepts. */
  readonly quote: QueryResult<OnrampQuote>
}

/** A purchase in the provider's window. */
export interface OnrampPurchase {
  /** The provider that sells the tokens. */
  readonly provider: OnrampProviderName
  /** The account that receives the tokens. */
  readonly account: AccountId
  /** The network on which the tokens arrive. */
  readonly chain: ChainId
  /** The symbol of the token that is bought. */
  readonly symbol: string
  /** The amount to pay, as decimal text. Buyers can change it and the currency in the provider's window. */
  readonly amount: string
  /** The currency of the payment, as an ISO 4217 code. */
  readonly currency: string
  /** When the user chose the provider, in epoch milliseconds. */
  readonly startedAt: number
  /**
   * - `opening`: the provider's page is being requested.
   * - `blocked`: the browser did not open a window. `url` is the provider's page.
   * - `waiting`: the user is in the provider's window.
   * - `paid`: the provider reports the purchase, but has not sent the tokens yet.
   * - `arrived`: the provider reports that the tokens were sent. `transaction` has the amount.
   * - `refused`: the provider reports that the purchase failed.
   * - `slow`: the provider has not reported the purchase for three minutes, or has not sent the tokens 30 minutes after the
   *   first report. `resume()` continues.
   * - `failed`: the provider's page could not be opened. `error` contains the reason.
   */
  readonly status: 'opening' | 'blocked' | 'waiting' | 'paid' | 'arrived' | 'refused' | 'slow' | 'failed'
  /** The provider's page, on which the user pays. */
  readonly url?: string | undefined
  /** Why the provider's page could not be opened. Only set if `status` is `failed`. */
  readonly error?: LatchkeyError | undefined
  /** Whether the last attempt to read the purchases failed. They are read again. */
  readonly isUnreachable?: boolean | undefined
  /** The purchase as the provider reports it. */
  readonly transaction?: HistoryTransaction | undefined
}

/** The state of buying crypto. */
export interface OnrampState {
  /** The account that buys, and the chain on which it receives. */
  readonly account: AccountId | undefined
  /** The active network. `undefined` if no account is connected. */
  readonly chain: ChainId | undefined
  /**
   * Whether buying is available: `loading` until the server has responded, `unsupported` if it does not support the network,
   * `none` if it has no provider that this page offers, and `failed` if it did not respond, in which case `offers` contains
   * common limits.
   */
  readonly status: 'loading' | 'ready' | 'unsupported' | 'none' | 'failed'
  /** Why offers could not be loaded. */
  readonly error: LatchkeyError | undefined
  /** The offer of each provider for the user's choice. */
  readonly offers: readonly OnrampOffer[]
  /** The currencies that at least one provider accepts (ISO 4217). */
  readonly currencies: readonly string[]
  /** The tokens that at least one provider sells on the active network. */
  readonly tokens: readonly OnrampToken[]
  /** The selected fiat currency, as an ISO 4217 code. */
  readonly currency: string | undefined
  /** The selected token. */
  readonly token: OnrampToken | undefined
  /** The amount to pay, as entered, such as `100.50`. It is kept when the page is reloaded. */
  readonly amount: string
  /** The last purchase, until it is dismissed. It is kept when the page is reloaded during the purchase. */
  readonly purchase: OnrampPurchase | undefined
}

/** Buys crypto through a provider, whose page opens in a separate window. */
export interface Onramp {
  /** The form, the providers' offers and the purchase. */
  readonly state: ReadableStore<OnrampState>
  /**
   * Resolves to whether tokens can be bought on the active network: whether the server supports it and has a provider that this
   * page offers. Resolves to `true` if the server does not respond. Never rejects.
   */
  supported(): Promise<boolean>
  /** Reports to analytics that the user opened the form. */
  opened(): void
  /**
   * Loads the providers' offers for the active network, unless they are loaded already. Never rejects. Errors are reported in
   * `state`.
   */
  load(): Promise<void>
  /** Loads everything again, and requests new quotes. */
  retry(): Promise<void>
  /** Sets the amount to spend, as decimal text in the selected currency. */
  setAmount(amount: string): void
  /** Selects the fiat currency to pay in, as an ISO 4217 code. */
  setCurrency(currency: string): void
  /** Selects the token to buy. */
  setToken(token: OnrampToken): void
  /**
   * Opens the provider's page in a window, and tracks the purchase. Call it in a click handler, because browsers block windows
   * that open later. Errors are reported in `state.purchase`.
   */
  buy(provider: OnrampProviderName): void
  /** Resumes tracking a purchase that was `slow` or `blocked`. */
  resume(): void
  /** Stops tracking the purchase. If it was paid, the tokens still arrive. */
  dismiss(): void
  /** Stops the requests and timers. */
  stop(): void
}
