import * as v from 'valibot'
import { isWebLink } from '../../safeLinks.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { decimalText, plainAddress, shownText, text, validItemsOf } from './fieldSchemas.ts'

/** A fiat currency that buyers can pay with, and the limits of each payment method. */
export interface PaymentCurrency {
  /** The ISO 4217 code, such as `USD`. */
  readonly id: string
  /** The smallest and the largest payment of each payment method. */
  readonly payment_method_limits: readonly { readonly id: string; readonly min: string; readonly max: string }[]
}

/** An asset that can be bought. */
export interface PurchaseCurrency {
  /** The provider's ID of the token. */
  readonly id: string
  /** The token's name. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The networks on which the provider delivers the token. */
  readonly networks: readonly {
    readonly name: string
    readonly display_name: string
    readonly chain_id: string
    readonly contract_address: string
  }[]
}

const paymentCurrency: v.GenericSchema<unknown, PaymentCurrency> = v.object({
  id: text(40),
  payment_method_limits: validItemsOf(v.object({ id: text(64), min: decimalText, max: decimalText }), 50),
})
const purchaseCurrency: v.GenericSchema<unknown, PurchaseCurrency> = v.object({
  id: text(100),
  name: shownText(100),
  symbol: shownText(40),
  networks: validItemsOf(
    v.object({ name: text(64), display_name: shownText(64), chain_id: text(64), contract_address: text(128) }),
    200,
  ),
})

/** The names of the onramp providers that clients know. */
export const onrampProviderNames = ['coinbase', 'meld'] as const

/** The name of an onramp provider. */
export type OnrampProviderName = (typeof onrampProviderNames)[number]

/** The query parameters of the onramp's endpoints. */
export interface OnrampQuery extends ChainQuery {
  /** The provider. Defaults to the server's first. Added by Latchkey. */
  readonly provider?: string | undefined
}
const onrampQuery = v.object({ ...chainQueryEntries, provider: v.optional(text(32)) })

/** The currencies of the onramp. */
export interface OnrampOptions {
  /** The fiat currencies that the providers accept. */
  readonly paymentCurrencies: readonly PaymentCurrency[]
  /** The tokens that the providers sell. */
  readonly purchaseCurrencies: readonly PurchaseCurrency[]
  /** The server's providers, the default one first. Providers that this client does not know are omitted. Added by Latchkey. */
  readonly providers?: readonly { readonly name: OnrampProviderName }[] | undefined
}

/** `GET /v1/onramp/options`: returns the currencies that buyers can pay with and the assets that they can buy. */
export const getOnrampOptions: Endpoint<undefined, OnrampOptions, OnrampQuery> = defineEndpoint({
  method: 'GET',
  path: '/v1/onramp/options',
  query: onrampQuery,
  answer: v.object({
    paymentCurrencies: validItemsOf(paymentCurrency, 200),
    purchaseCurrencies: validItemsOf(purchaseCurrency, 2_000),
    providers: v.optional(validItemsOf(v.object({ name: v.picklist(onrampProviderNames) }), 20)),
  }),
})

/** An amount in a currency, such as `{ amount: '12.50', currency: 'USD' }`. */
export interface OnrampAmount {
  /** The amount, as decimal text. */
  readonly amount: string
  /** The currency code or the token symbol. */
  readonly currency: string
}
const onrampAmount = v.object({ amount: decimalText, currency: text(40) })

/** A quote for a purchase. */
export interface OnrampQuote {
  /** The total amount that the user pays, including fees. */
  readonly paymentTotal: OnrampAmount
  /** The price of the tokens, without fees. */
  readonly paymentSubtotal: OnrampAmount
  /** The amount that the user receives. */
  readonly purchaseAmount: OnrampAmount
  /** The provider's fee. */
  readonly coinbaseFee: OnrampAmount
  /** The network fee. */
  readonly networkFee: OnrampAmount
  /** The provider's ID of the quote. */
  readonly quoteId: string
}

/** The body of `POST /v1/onramp/quote`. */
export interface OnrampQuoteBody {
  /** The token to buy. */
  readonly purchaseCurrency: PurchaseCurrency
  /** The currency of the payment. */
  readonly paymentCurrency: PaymentCurrency
  /** The amount to pay, as decimal text. */
  readonly amount: string
  /** Clients send the symbol of the purchased asset here. */
  readonly network?: string | undefined
}

/** `POST /v1/onramp/quote`: returns a quote for a purchase. */
export const postOnrampQuote: Endpoint<OnrampQuoteBody, OnrampQuote, OnrampQuery> = defineEndpoint({
  method: 'POST',
  path: '/v1/onramp/quote',
  query: onrampQuery,
  body: v.object({ purchaseCurrency, paymentCurrency, amount: decimalText, network: v.optional(text(64)) }),
  answer: v.object({
    paymentTotal: onrampAmount,
    paymentSubtotal: onrampAmount,
    purchaseAmount: onrampAmount,
    coinbaseFee: onrampAmount,
    networkFee: onrampAmount,
    quoteId: text(200),
  }),
})

/** The body of `POST /v1/generators/onrampurl`. */
export interface OnrampUrlBody {
  /** The addresses that can receive the tokens, and their networks. */
  readonly destinationWallets: readonly {
    readonly address: string
    readonly blockchains?: readonly string[] | undefined
    readonly assets?: readonly string[] | undefined
    readonly supported_networks?: readonly string[] | undefined
  }[]
  /** The ID of the user at the provider: 32 to 50 characters, such as an address. */
  readonly partnerUserId: string
  /** The preselected network, by the provider's name for it. */
  readonly defaultNetwork?: string | undefined
  /** Whether the provider's page opens for buying or for sending. */
  readonly defaultExperience?: 'buy' | 'send' | undefined
  /** The prefilled amount of the token. */
  readonly presetCryptoAmount?: number | undefined
  /** The prefilled payment amount. */
  readonly presetFiatAmount?: number | undefined
  /** The currency of `presetFiatAmount` (ISO 4217). Added by Latchkey. */
  readonly fiatCurrency?: string | undefined
  /** The payment method to select, such as `CARD`. Added by Latchkey. */
  readonly paymentMethod?: string | undefined
}

const names = v.optional(v.pipe(v.array(text(64)), v.maxLength(100)))

/** `POST /v1/generators/onrampurl`: returns the URL of the provider's page, which opens in a popup. */
export const postOnrampUrl: Endpoint<OnrampUrlBody, { readonly url: string }, OnrampQuery> = defineEndpoint({
  method: 'POST',
  path: '/v1/generators/onrampurl',
  query: onrampQuery,
  body: v.object({
    destinationWallets: v.pipe(
      v.array(v.object({ address: plainAddress, blockchains: names, assets: names, supported_networks: names })),
      v.minLength(1),
      v.maxLength(20),
    ),
    partnerUserId: v.pipe(v.string(), v.minLength(32), v.maxLength(50)),
    defaultNetwork: v.optional(text(64)),
    defaultExperience: v.optional(v.picklist(['buy', 'send'])),
    presetCryptoAmount: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
    presetFiatAmount: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
    fiatCurrency: v.optional(text(40)),
    paymentMethod: v.optional(text(64)),
  }),
  answer: v.object({ url: v.pipe(text(8_192), v.check(isWebLink)) }),
})
