import type {
  ApproveTransaction,
  BalanceQuery,
  BuildApproveQuery,
  BuildTransactionBody,
  ConvertQuote,
  ConvertToken,
  FungiblePrice,
  GasPriceAnswer,
  HistoryAnswer,
  HistoryQuery,
  IdentityAnswer,
  NameSuggestion,
  OnrampOptions,
  OnrampQuote,
  OnrampQuoteBody,
  OnrampUrlBody,
  PriceBody,
  Profile,
  QuoteQuery,
  SignedProfileBody,
  SmartSession,
  SwapTransaction,
  TokenBalance,
} from '@latchkey/protocol/http/chainApi'

// The services behind the routes of the chain API. If a service is absent, its routes respond with 503, except that the onramp
// options are empty. If a method fails, it rejects with an `HttpError`, such as 400 for invalid input or 503 if no node or
// provider responds.

/** Reads names from ENS and from the server's own zone. */
export interface IdentityReader {
  /** Resolves to the primary name of an address, and to the number of seconds for which clients can cache it. */
  identity(
    address: string,
    options: {
      readonly signal: AbortSignal
      /** Whether to read the name again, even if it is cached. */
      readonly isForced: boolean
    },
  ): Promise<{ answer: IdentityAnswer; maxAge: number }>
}

/** Reads token balances. */
export interface BalanceReader {
  balances(address: string, query: BalanceQuery, signal: AbortSignal): Promise<readonly TokenBalance[]>
}

/** Reads the transactions of an account. */
export interface HistoryReader {
  history(address: string, query: HistoryQuery, signal: AbortSignal): Promise<HistoryAnswer>
}

/** Reads token prices. */
export interface PriceReader {
  /** Resolves to one price per token (CAIP-10). Unknown prices are 0. */
  prices(body: PriceBody, signal: AbortSignal): Promise<readonly FungiblePrice[]>
}

/** Quotes and builds swaps. */
export interface ConvertProvider {
  tokens(chainId: string, signal: AbortSignal): Promise<readonly ConvertToken[]>
  quotes(query: QuoteQuery, signal: AbortSignal): Promise<readonly ConvertQuote[]>
  allowance(query: { tokenAddress: string; userAddress: string }, signal: AbortSignal): Promise<string>
  gasPrice(chainId: string, signal: AbortSignal): Promise<GasPriceAnswer>
  buildApprove(query: BuildApproveQuery, signal: AbortSignal): Promise<ApproveTransaction>
  buildTransaction(body: BuildTransactionBody, signal: AbortSignal): Promise<SwapTransaction>
}

/** The server's own account names. */
export interface AccountNames {
  /** The domain of the names, such as `shop.example`. */
  readonly zone: string
  /** Resolves to a registered name, or to `undefined`. */
  find(name: string): Promise<Profile | undefined>
  /** Resolves to the names that an address registered itself and that still resolve to it. */
  findByAddress(address: string): Promise<readonly Profile[]>
  suggestions(name: string, zone: string | undefined): Promise<readonly NameSuggestion[]>
  /**
   * Resolves to the signed response for an ENS resolver contract and its encoded request. Absent if the server has no key for
   * it.
   */
  readonly resolve?: ((sender: string, data: string) => Promise<`0x${string}`>) | undefined
  register(body: SignedProfileBody, signal: AbortSignal): Promise<Profile>
  setAttributes(name: string, body: SignedProfileBody, signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  setAddress(name: string, body: SignedProfileBody, signal: AbortSignal): Promise<Profile['addresses']>
}

/** A request to an onramp. */
export interface OnrampRequest {
  /** The name of the provider. Defaults to the first one that is configured. */
  readonly provider?: string | undefined
  readonly signal: AbortSignal
}

/** Quotes crypto purchases and returns the URL of the provider's page. */
export interface Onramp {
  options(request: OnrampRequest): Promise<OnrampOptions>
  quote(body: OnrampQuoteBody, request: OnrampRequest): Promise<OnrampQuote>
  /**
   * Resolves to the URL of the provider's page. `clientAddress` is the IP address of the buyer, which some providers require.
   */
  url(body: OnrampUrlBody, request: OnrampRequest & { readonly clientAddress: string | undefined }): Promise<string>
  /** Resolves to a page of an account's purchases, as history items. */
  purchases(address: string, cursor: string | undefined, signal: AbortSignal): Promise<HistoryAnswer>
}

/** The permissions that accounts have granted to pages. */
export interface SmartSessions {
  list(address: string): Promise<readonly SmartSession[]>
  revoke(address: string, body: { pci: string; signature?: string | undefined }): Promise<void>
}

/** The parts of the chain API. */
export interface ChainApi {
  readonly identity?: IdentityReader | undefined
  readonly balances?: BalanceReader | undefined
  readonly history?: HistoryReader | undefined
  readonly prices?: PriceReader | undefined
  readonly convert?: ConvertProvider | undefined
  /** The CAIP-2 IDs of the chains on which `convert` can swap. */
  readonly swapChains?: readonly string[] | undefined
  readonly names?: AccountNames | undefined
  readonly onramp?: Onramp | undefined
  readonly sessions?: SmartSessions | undefined
}
