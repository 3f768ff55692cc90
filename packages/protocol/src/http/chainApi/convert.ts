import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { baseUnits, caip10, chainIdText, imageUrl, shownText, text, validItemsOf } from './fieldSchemas.ts'

/** The address that represents the native currency of an EVM chain in the chain API. */
export const nativeTokenAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

const hexData = v.pipe(v.string(), v.maxLength(200_000), v.regex(/^0x([0-9a-fA-F]{2})*$/))

/** A token that can be swapped. */
export interface ConvertToken {
  /** The token's name. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The token (CAIP-10). The native currency has the address `nativeTokenAddress`. */
  readonly address: string
  /** The number of decimals of the token. */
  readonly decimals: number
  /** The https URL of the logo. `null` or absent if there is none. */
  readonly logoUri?: string | null | undefined
  /** Whether the token supports permits (EIP-2612). `null` or absent if it is not known. */
  readonly eip2612?: boolean | null | undefined
}

/** `GET /v1/convert/tokens`: returns the tokens on the lists of a chain. */
export const getConvertTokens: Endpoint<
  undefined,
  { readonly tokens: readonly ConvertToken[] },
  ChainQuery & { readonly chainId: string; readonly address?: string | undefined }
> = defineEndpoint({
  method: 'GET',
  path: '/v1/convert/tokens',
  query: v.object({ ...chainQueryEntries, chainId: chainIdText, address: v.optional(text(200)) }),
  answer: v.object({
    tokens: validItemsOf(
      v.object({
        name: shownText(100),
        symbol: shownText(40),
        address: caip10,
        decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
        logoUri: imageUrl,
        eip2612: v.nullish(v.boolean()),
      }),
      20_000,
    ),
  }),
})

/** The operator's fee, which is included in a quote. Added by Latchkey. */
export interface ConvertFee {
  /** The fee in basis points of the bought amount. */
  readonly bps: number
  /** The amount in base units of the bought token. It has already been subtracted from the quoted amount. */
  readonly amount: string
  /** The account that receives the fee. */
  readonly recipient: string
}

const feeSchema: v.GenericSchema<unknown, ConvertFee> = v.object({
  bps: v.pipe(v.number(), v.minValue(0), v.maxValue(10_000)),
  amount: baseUnits,
  recipient: text(128),
})

/** A quote for a swap. */
export interface ConvertQuote {
  /** The provider's ID of the quote. */
  readonly id?: string | null | undefined
  /** The amount to sell, in base units. */
  readonly fromAmount: string
  /** The amount to receive, in base units. */
  readonly toAmount: string
  /** The token to sell, as a CAIP-10 account ID. */
  readonly fromAccount: string
  /** The token to receive, as a CAIP-10 account ID. */
  readonly toAccount: string
  /** The operator's fee. Absent if there is none. Added by Latchkey. */
  readonly fee?: ConvertFee | undefined
}

/** The query parameters of `GET /v1/convert/quotes`. */
export interface QuoteQuery extends ChainQuery {
  /** The amount to sell, in base units. */
  readonly amount: string
  /** The token to sell (CAIP-10). */
  readonly from: string
  /** The token to buy (CAIP-10), on the same chain. */
  readonly to: string
  /** The gas price to calculate with, in wei. */
  readonly gasPrice?: string | undefined
  /** The account that swaps, as a CAIP-10 account ID. */
  readonly userAddress?: string | undefined
}

/**
 * `GET /v1/convert/quotes`: returns quotes, the best one first. Responds with 400 and `insufficient liquidity` if there is no
 * pool.
 */
export const getConvertQuotes: Endpoint<undefined, { readonly quotes: readonly ConvertQuote[] }, QuoteQuery> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/convert/quotes',
    query: v.object({
      ...chainQueryEntries,
      amount: baseUnits,
      from: caip10,
      to: caip10,
      gasPrice: v.optional(text(78)),
      userAddress: v.optional(caip10),
    }),
    answer: v.object({
      quotes: validItemsOf(
        v.object({
          id: v.nullish(text(200)),
          fromAmount: baseUnits,
          toAmount: baseUnits,
          fromAccount: caip10,
          toAccount: caip10,
          fee: v.optional(feeSchema),
        }),
        100,
      ),
    }),
  })

/** `GET /v1/convert/allowance`: returns how much of a token the exchange can spend, in base units. */
export const getConvertAllowance: Endpoint<
  undefined,
  { readonly allowance: string },
  ChainQuery & { readonly tokenAddress: string; readonly userAddress: string }
> = defineEndpoint({
  method: 'GET',
  path: '/v1/convert/allowance',
  query: v.object({ ...chainQueryEntries, tokenAddress: caip10, userAddress: caip10 }),
  answer: v.object({ allowance: baseUnits }),
})

/** Gas prices in wei. */
export interface GasPriceAnswer {
  /** The usual gas price, in wei. */
  readonly standard: string
  /** The gas price for a fast transaction, in wei. */
  readonly fast?: string | null | undefined
  /** The gas price for the next block, in wei. */
  readonly instant?: string | null | undefined
}

/** `GET /v1/convert/gas-price`: returns the gas prices of a chain. */
export const getConvertGasPrice: Endpoint<undefined, GasPriceAnswer, ChainQuery & { readonly chainId: string }> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/convert/gas-price',
    query: v.object({ ...chainQueryEntries, chainId: chainIdText }),
    answer: v.object({ standard: baseUnits, fast: v.nullish(baseUnits), instant: v.nullish(baseUnits) }),
  })

/** An approval for the exchange to spend a token. */
export interface ApproveTransaction {
  /** The token to approve (CAIP-10), which is `from` of the request. The transaction is sent to its plain address. */
  readonly from: string
  /** A token (CAIP-10). Latchkey's server responds with the approved token, other servers with the token to buy. */
  readonly to: string
  /** The calldata of the approval, as `0x` and hex digits. */
  readonly data: string
  /** The native value of the transaction, in wei. Always `0`. */
  readonly value: string
  /** The gas price of the approval on EVM networks. */
  readonly eip155?: { readonly gasPrice: string } | undefined
  /**
   * Whether the transaction resets the allowance to 0. Some tokens, such as USDT, do not allow changing a nonzero allowance
   * directly. Once the reset is confirmed, the next request returns the approval. Added by Latchkey.
   */
  readonly resetsAllowance?: boolean | undefined
}

/** The query parameters of `GET /v1/convert/build-approve`. */
export interface BuildApproveQuery extends ChainQuery {
  /** The token to sell (CAIP-10), which is approved. */
  readonly from: string
  /** The token to buy (CAIP-10). */
  readonly to: string
  /** The account that approves, as a CAIP-10 account ID. */
  readonly userAddress?: string | undefined
  /** The amount in base units. If absent, the approval is unlimited. */
  readonly amount?: string | undefined
}

/** `GET /v1/convert/build-approve`: returns the transaction that lets the exchange spend a token. */
export const getBuildApprove: Endpoint<undefined, { readonly tx: ApproveTransaction }, BuildApproveQuery> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/convert/build-approve',
    query: v.object({
      ...chainQueryEntries,
      from: caip10,
      to: caip10,
      userAddress: v.optional(caip10),
      amount: v.optional(baseUnits),
    }),
    answer: v.object({
      tx: v.object({
        from: caip10,
        to: caip10,
        data: hexData,
        value: baseUnits,
        eip155: v.optional(v.object({ gasPrice: baseUnits })),
        resetsAllowance: v.fallback(v.optional(v.boolean()), undefined),
      }),
    }),
  })

/** The body of `POST /v1/convert/build-transaction`. */
export interface BuildTransactionBody {
  /** The project of the page. */
  readonly projectId?: string | undefined
  /** The amount to sell, in base units. */
  readonly amount: string
  /** The token to pay, as a CAIP-10 account ID. */
  readonly from: string
  /** The token to receive, as a CAIP-10 account ID. */
  readonly to: string
  /** The account (CAIP-10) that swaps. */
  readonly userAddress: string
  /** Options for EVM networks: the slippage in percent, and an EIP-2612 permit. */
  readonly eip155?: { readonly slippage: number; readonly permit?: string | undefined } | undefined
  /** Whether to skip the gas estimate, which fails if the allowance is not sufficient yet. */
  readonly disableEstimate?: boolean | undefined
}

/** A swap transaction. */
export interface SwapTransaction {
  /** The account (CAIP-10). */
  readonly from: string
  /** The exchange's contract (CAIP-10). */
  readonly to: string
  /** The calldata of the swap, as `0x` and hex digits. */
  readonly data: string
  /** The expected amount of the bought token, in base units. */
  readonly amount: string
  /** The gas limit and the gas price of the swap. */
  readonly eip155: { readonly gas: string; readonly gasPrice: string }
  /**
   * The minimum amount of the bought token, in base units. If the swap would return less, the transaction reverts. The
   * transaction is built with a new quote, so compare this amount with the one that the user has seen. Added by Latchkey.
   */
  readonly minimumAmount?: string | undefined
  /** When the transaction expires, in seconds since the epoch. Added by Latchkey. */
  readonly deadline?: number | undefined
  /** The operator's fee. Absent if there is none. Added by Latchkey. */
  readonly fee?: ConvertFee | undefined
}

/** `POST /v1/convert/build-transaction`: returns the transaction that swaps the tokens. */
export const postBuildTransaction: Endpoint<BuildTransactionBody, { readonly tx: SwapTransaction }, ChainQuery> =
  defineEndpoint({
    method: 'POST',
    path: '/v1/convert/build-transaction',
    query: v.object(chainQueryEntries),
    body: v.object({
      projectId: v.optional(text(128)),
      amount: baseUnits,
      from: caip10,
      to: caip10,
      userAddress: caip10,
      eip155: v.optional(
        v.object({
          slippage: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(50)),
          permit: v.optional(hexData),
        }),
      ),
      disableEstimate: v.optional(v.boolean()),
    }),
    answer: v.object({
      tx: v.object({
        from: caip10,
        to: caip10,
        data: hexData,
        amount: baseUnits,
        eip155: v.object({ gas: baseUnits, gasPrice: baseUnits }),
        minimumAmount: v.optional(baseUnits),
        deadline: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), undefined),
        fee: v.optional(feeSchema),
      }),
    }),
  })
