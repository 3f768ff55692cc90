import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { type Currency, currencies } from './account.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { amountNumber, caip10, imageUrl, listOf, shownText, text } from './fieldSchemas.ts'

/** The price of a token. */
export interface FungiblePrice {
  /** The token (CAIP-10), as in the request. */
  readonly address: string
  /** The token's name. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The URL of the token's logo. */
  readonly iconUrl?: string | undefined
  /** The price of one token in the requested currency. 0 if it is unknown. */
  readonly price: number
  /** The number of decimal places. Absent on servers that do not report it. */
  readonly decimals?: number | undefined
  /** When the price was determined (ISO 8601). Added by Latchkey. */
  readonly pricedAt?: string | undefined
  /** The source of the price, such as `uniswap-v3`. Added by Latchkey. */
  readonly priceSource?: string | undefined
}

/** The body of `POST /v1/fungible/price`. */
export interface PriceBody {
  /** The project of the page. */
  readonly projectId?: string | undefined
  /** The currency of the prices. */
  readonly currency: Currency
  /** The tokens (CAIP-10). The native currency of an EVM chain is `…:0xeeee…eeee`. */
  readonly addresses: readonly string[]
}

/** `POST /v1/fungible/price`: returns the prices of tokens. */
export const postPrices: Endpoint<PriceBody, { readonly fungibles: readonly FungiblePrice[] }, ChainQuery> =
  defineEndpoint({
    method: 'POST',
    path: '/v1/fungible/price',
    query: v.object(chainQueryEntries),
    body: v.object({
      projectId: v.optional(text(128)),
      currency: v.picklist(currencies),
      addresses: listOf(caip10, 100),
    }),
    answer: v.object({
      fungibles: listOf(
        v.object({
          address: caip10,
          name: shownText(100),
          symbol: shownText(40),
          iconUrl: imageUrl,
          price: amountNumber,
          decimals: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))), undefined),
          pricedAt: v.fallback(v.optional(text(40)), undefined),
          priceSource: v.fallback(v.optional(text(64)), undefined),
        }),
        100,
      ),
    }),
  })
