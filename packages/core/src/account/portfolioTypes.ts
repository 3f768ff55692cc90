import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { Network, Session } from '../adapter.ts'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

/** The account, network and session whose tokens are read. */
export interface PortfolioSubject {
  readonly account: AccountId
  readonly network: Network
  readonly session: Session | undefined
}

/** A token that the active account owns. Amounts are exact. */
export interface Token {
  /** The CAIP-10 ID of the token, or `native` for the network's currency. Unique within a portfolio. */
  readonly id: string
  /** The chain (CAIP-2). */
  readonly chain: ChainId
  /** The plain address of the token contract or mint. Absent for the network's currency. */
  readonly address?: string
  /** The token's name. Do not trust it or the symbol, because the token's contract chooses both. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The number of decimal places. */
  readonly decimals: number
  /** The balance in base units. */
  readonly amount: bigint
  /** The price of one token in US dollars. Absent if it is not known. */
  readonly price?: TokenPrice
  /** The value of the balance in US dollars, as decimal text. Absent if the price is not known. */
  readonly fiat?: string
  /** The https URL of the logo. */
  readonly iconUrl?: string
  /**
   * Why the token is hidden by default: it is on no token list (`unlisted`), or its name or symbol contains a link or imitates a
   * listed token (`spam`). Hidden tokens do not count towards the total.
   */
  readonly hidden?: 'unlisted' | 'spam'
}

/** A price, with its source and age. */
export interface TokenPrice {
  /** The price as decimal text. */
  readonly amount: string
  /** The source, such as `uniswap-v3` or `wallet`. Absent if the server does not report it. */
  readonly source?: string
  /** When the price was determined, in epoch milliseconds. If the server does not report it, the time of the response. */
  readonly at: number
}

/** The tokens of the active account on its network. */
export interface PortfolioState {
  /** The account whose tokens are shown. */
  readonly account: AccountId | undefined
  /**
   * The tokens: first those with a value, most valuable first, then the others by symbol, then the hidden ones. Without a server,
   * only the network's currency. If loading fails, the last tokens are kept.
   */
  readonly tokens: QueryResult<readonly Token[]>
}

/** The tokens of the active account. The methods that read them never reject. Errors are reported in `state`. */
export interface Portfolio {
  /** The tokens of the account and when they were loaded. */
  readonly state: ReadableStore<PortfolioState>
  /**
   * Reads the tokens, unless they were read in the last 30 seconds. With `force`, they are always read, and the server reads the
   * listed tokens (CAIP-10) from the chain again. After a failure, nothing is requested for 30 seconds.
   */
  refresh(params?: { readonly force?: readonly string[] }): Promise<void>
  /**
   * Adds a token by its address. Its name and decimals are read from its contract, it is hidden as `unlisted` unless the server lists
   * it, and it is kept on this device. Resolves to `undefined` if there is no token at the address. Only on eip155.
   *
   * @throws if the network does not respond.
   */
  add(address: string): Promise<Token | undefined>
  /** Reads the tokens if the last read was at least `everyMs` ago. Stops after a 503 response until `refresh` is called. */
  poll(everyMs: number): Promise<void>
  /** Stops the requests and timers. */
  stop(): void
}
