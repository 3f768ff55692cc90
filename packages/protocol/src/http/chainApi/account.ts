import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import {
  amountNumber,
  caip10,
  chainIdText,
  decimalText,
  imageUrl,
  listOf,
  requiredImageUrl,
  shownText,
  text,
  validItemsOf,
} from './fieldSchemas.ts'

/** The currencies in which a server can value amounts. A server that cannot value amounts in a currency rejects it. */
export const currencies = ['usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy', 'btc', 'eth'] as const

/** A currency in which amounts are valued. */
export type Currency = (typeof currencies)[number]

/** The maximum number of tokens in a response. Further tokens make the response invalid. */
export const maxBalances = 2_000
/** The maximum number of transactions on a page of the history. */
export const maxHistoryPage = 100

// --- Balances ------------------------------------------------------------------------------------------------------

/** The balance of one token. */
export interface TokenBalance {
  /** The token's name. Do not trust it, because the contract chooses it. */
  readonly name: string
  /** The token's symbol. Do not trust it, because the contract chooses it. */
  readonly symbol: string
  /** The chain (CAIP-2). */
  readonly chainId?: string | undefined
  /** The token (CAIP-10). Absent for the native currency. */
  readonly address?: string | undefined
  /** The value in `currency`. Absent if the price is not known. */
  readonly value?: number | undefined
  /** The price of one token in `currency`. 0 if the price is not known. */
  readonly price: number
  /** The balance as decimal text, with the token's number of decimals. */
  readonly quantity: {
    /** The number of decimal places, as text. */
    readonly decimals: string
    /** The amount in human units, such as `12.5`. */
    readonly numeric: string
  }
  /** The https URL of the logo, or an empty string. */
  readonly iconUrl: string
  /** When the price was determined (ISO 8601). Added by Latchkey. */
  readonly pricedAt?: string | undefined
  /** The source of the price, such as `uniswap-v3`. Added by Latchkey. */
  readonly priceSource?: string | undefined
  /** Whether the token is on none of the server's token lists. Added by Latchkey. */
  readonly isUnlisted?: boolean | undefined
}

/** SOL has no address here. Other servers give it a plain ID, which is similar to the mint of wrapped SOL. */
const plainSol = v.pipe(
  v.string(),
  v.regex(/^So1{40}[12]$/),
  v.transform(() => undefined),
)

/** The schema for the balance of one token. */
export const tokenBalance: v.GenericSchema<unknown, TokenBalance> = v.object({
  name: shownText(100),
  symbol: shownText(40),
  chainId: v.optional(chainIdText),
  address: v.optional(v.union([caip10, plainSol])),
  value: v.pipe(
    v.nullish(amountNumber),
    v.transform((value) => value ?? undefined),
  ),
  price: amountNumber,
  quantity: v.object({ decimals: v.pipe(v.string(), v.regex(/^\d{1,3}$/)), numeric: decimalText }),
  iconUrl: requiredImageUrl,
  pricedAt: v.fallback(v.optional(text(40)), undefined),
  priceSource: v.fallback(v.optional(text(64)), undefined),
  isUnlisted: v.fallback(v.optional(v.boolean()), undefined),
})

/** The query parameters of `GET /v1/account/{address}/balance`. */
export interface BalanceQuery extends ChainQuery {
  /** The currency of `price` and `value`. */
  readonly currency?: Currency | undefined
  /** The chain (CAIP-2). If absent, all of the server's chains are read. */
  readonly chainId?: string | undefined
  /** The tokens (CAIP-10) to read again from the chain, joined with commas. Tokens with a balance of zero are included. */
  readonly forceUpdate?: string | undefined
}

/** `GET /v1/account/{address}/balance`: returns the balances of an account. Tokens that cannot be parsed are omitted. */
export const getBalances: Endpoint<undefined, { readonly balances: readonly TokenBalance[] }, BalanceQuery> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/balance',
    query: v.object({
      ...chainQueryEntries,
      currency: v.optional(v.picklist(currencies), 'usd'),
      chainId: v.optional(chainIdText),
      forceUpdate: v.optional(text(8_000)),
    }),
    answer: v.object({ balances: validItemsOf(tokenBalance, maxBalances) }),
  })

// --- History -------------------------------------------------------------------------------------------------------

/** A token transfer in a transaction. */
export interface TokenTransfer {
  /** The token. Absent for NFTs. */
  readonly fungible_info?:
    | {
        readonly name?: string | undefined
        readonly symbol?: string | undefined
        readonly icon?: { readonly url?: string | undefined } | null | undefined
      }
    | null
    | undefined
  /** The NFT. Absent for fungible tokens. */
  readonly nft_info?:
    | {
        readonly name?: string | undefined
        readonly content?:
          | {
              readonly preview?: { readonly url?: string | undefined } | null | undefined
              readonly detail?: { readonly url?: string | undefined } | null | undefined
            }
          | null
          | undefined
        readonly flags?: { readonly is_spam?: boolean | undefined } | undefined
      }
    | null
    | undefined
  /** Whether the account received (`in`) or sent (`out`) the tokens, or sent them to itself (`self`). */
  readonly direction: 'in' | 'out' | 'self'
  /** The amount in human units, such as `12.5`. */
  readonly quantity: { readonly numeric: string }
  /** The value in the requested currency, at the time of the transaction. `null` if it is not known. */
  readonly value?: number | null | undefined
  /** The price of one token in the requested currency. */
  readonly price?: number | null | undefined
  /** The token contract or mint (CAIP-10). Absent for the native currency. Added by Latchkey. */
  readonly token?: string | undefined
  /** Whether the token is on none of the server's token lists. Do not trust its name and symbol. Added by Latchkey. */
  readonly isUnlisted?: boolean | undefined
  /**
   * Whether the transfer is unsolicited and likely to be spam or address poisoning: an unlisted token that was sent to the
   * account, a zero-value transfer that someone else made from the account, or a payment from an address that resembles one
   * that the account pays. Clients hide such transfers and never suggest their addresses as recipients. Added by Latchkey.
   */
  readonly isSpam?: boolean | undefined
}

/** A transaction of an account. */
export interface HistoryTransaction {
  /** The ID. A transaction with the same ID replaces an earlier one. */
  readonly id: string
  /** Details of the transaction. */
  readonly metadata: {
    /** What the transaction does, such as `send`, `receive`, `trade`, `approve` or `execute`. */
    readonly operationType: string
    /** The transaction hash. */
    readonly hash: string
    /** The time of the block (ISO 8601). */
    readonly minedAt: string
    readonly sentFrom: string
    readonly sentTo: string
    /** `confirmed`, `failed` or `pending`, or `ONRAMP_TRANSACTION_STATUS_*` for a purchase. */
    readonly status: string
    readonly nonce?: number | null | undefined
    readonly application?:
      | { readonly name?: string | null | undefined; readonly iconUrl?: string | null | undefined }
      | null
      | undefined
    /** The chain (CAIP-2). Clients only show items of the active chain. */
    readonly chain?: string | null | undefined
  }
  /** The token transfers. Never empty in responses of Latchkey's server, because clients hide items without transfers. */
  readonly transfers: readonly TokenTransfer[]
}

const icon = v.object({ url: imageUrl })
/* @__NO_SIDE_EFFECTS__ */
const optionalShown = (max: number) => v.fallback(v.optional(shownText(max)), undefined)

/** The schema for a token transfer. */
export const tokenTransfer: v.GenericSchema<unknown, TokenTransfer> = v.object({
  fungible_info: v.nullish(
    v.object({ name: optionalShown(100), symbol: optionalShown(40), icon: v.fallback(v.nullish(icon), undefined) }),
  ),
  nft_info: v.nullish(
    v.object({
      name: optionalShown(100),
      content: v.fallback(
        v.nullish(
          v.object({ preview: v.fallback(v.nullish(icon), undefined), detail: v.fallback(v.nullish(icon), undefined) }),
        ),
        undefined,
      ),
      flags: v.fallback(v.optional(v.object({ is_spam: v.optional(v.boolean()) })), undefined),
    }),
  ),
  direction: v.picklist(['in', 'out', 'self']),
  quantity: v.object({ numeric: decimalText }),
  value: v.fallback(v.nullish(amountNumber), undefined),
  price: v.fallback(v.nullish(amountNumber), undefined),
  token: v.fallback(v.optional(caip10), undefined),
  isUnlisted: v.fallback(v.optional(v.boolean()), undefined),
  isSpam: v.fallback(v.optional(v.boolean()), undefined),
})

/** The schema for a transaction of an account. `transfers: null` becomes an empty list. */
export const historyTransaction: v.GenericSchema<unknown, HistoryTransaction> = v.object({
  id: v.pipe(text(300), v.nonEmpty()),
  metadata: v.object({
    operationType: v.pipe(text(40), v.regex(/^\w+$/)),
    hash: text(128),
    minedAt: v.pipe(v.string(), v.isoTimestamp()),
    sentFrom: text(128),
    sentTo: text(128),
    status: text(64),
    nonce: v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0))), undefined),
    application: v.fallback(v.nullish(v.object({ name: v.nullish(shownText(100)), iconUrl: imageUrl })), undefined),
    chain: v.nullish(chainIdText),
  }),
  transfers: v.pipe(
    v.nullish(listOf(tokenTransfer, 200), null),
    v.transform((transfers) => transfers ?? []),
  ),
})

/** The query parameters of `GET /v1/account/{address}/history`. */
export interface HistoryQuery extends ChainQuery {
  /** The `next` of the previous page. Omitted for the first page. */
  readonly cursor?: string | undefined
  /** `coinbase` returns purchases instead of transactions, only on eip155. */
  readonly onramp?: string | undefined
  /** The chain (CAIP-2). Defaults to `eip155:1`. */
  readonly chainId?: string | undefined
  /** The currency of the prices. */
  readonly currency?: Currency | undefined
}

/** A page of an account's history. */
export interface HistoryAnswer {
  /** The transactions, newest first. Transactions that cannot be parsed are omitted. */
  readonly data: readonly HistoryTransaction[]
  /** The cursor of the next page. `null` on the last page. */
  readonly next: string | null
  /**
   * Whether payments in the native currency, approvals and other calls might be missing, because the node can only search for
   * token transfers. Added by Latchkey.
   */
  readonly isPartial?: boolean | undefined
}

/** `GET /v1/account/{address}/history`: returns a page of an account's transactions. */
export const getHistory: Endpoint<undefined, HistoryAnswer, HistoryQuery> = defineEndpoint({
  method: 'GET',
  path: '/v1/account/:address/history',
  query: v.object({
    ...chainQueryEntries,
    cursor: v.optional(text(2048)),
    onramp: v.optional(text(32)),
    chainId: v.optional(chainIdText),
    currency: v.optional(v.picklist(currencies), 'usd'),
  }),
  answer: v.object({
    data: validItemsOf(historyTransaction, maxHistoryPage),
    next: v.pipe(
      v.nullish(text(2048), null),
      v.transform((next) => next || null),
    ),
    isPartial: v.fallback(v.optional(v.boolean()), undefined),
  }),
})
