import { multiplyDecimals } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import {
  type ApproveTransaction,
  type ConvertQuote,
  type ConvertToken,
  getBuildApprove,
  getConvertAllowance,
  getConvertGasPrice,
  getConvertQuotes,
  getConvertTokens,
  postBuildTransaction,
  postPrices,
  type SwapTransaction,
} from '@latchkey/protocol/http/chainApi'
import { isLatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { swapNetworks, swapSlippagePercent } from '@latchkey/protocol/specificationConstants'
import type { TokenPrice } from '../account/portfolioTypes.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { createCache } from '../lib/cache.ts'
import type { SwapRequest } from './checkSwapTransaction.ts'
import { convertIdOf, keyOf } from './swapTokens.ts'
import type { SwapToken } from './swapTypes.ts'

/** How long the list of tokens is cached. */
const tokensCacheMs = 600_000
/** How long prices and gas prices are cached. */
const pricesCacheMs = 30_000

/** The client for the server's swap API. All methods reject with a `LatchkeyError`. */
export interface SwapApiClient {
  /** Resolves to whether the server supports swaps on a chain. */
  supports(chain: ChainId): Promise<boolean>
  /** Resolves to the tokens on the server's lists, or to `undefined` if it does not support swaps on the chain. */
  tokens(chain: ChainId): Promise<readonly ConvertToken[] | undefined>
  /** Resolves to the prices in US dollars by the tokens' keys. Tokens without a price are missing. */
  prices(tokens: readonly SwapToken[]): Promise<ReadonlyMap<string, TokenPrice>>
  /** Resolves to the gas price in wei. Rejects with `swap/no-gas-price` if the server does not know it. */
  gasPrice(chain: ChainId): Promise<bigint>
  /** Resolves to the best quote. Rejects with `swap/no-liquidity` if there is none. */
  quote(request: SwapRequest, gasPrice: bigint | undefined, signal: AbortSignal): Promise<ConvertQuote>
  /** Resolves to the amount that the exchange can spend. */
  allowance(request: SwapRequest, signal: AbortSignal): Promise<bigint>
  /** Resolves to the approval. Rejects with `swap/unsupported-network` if the server does not support the network. */
  buildApproval(request: SwapRequest, signal: AbortSignal): Promise<ApproveTransaction>
  /** Resolves to the swap. Rejects with `swap/unsupported-network` if the server does not support the network. */
  buildSwap(request: SwapRequest, signal: AbortSignal): Promise<SwapTransaction>
  stop(): void
}

/** Creates the client for the server's swap API. */
export function createSwapApiClient({
  api,
  clock,
}: {
  readonly api: ChainApiClient
  readonly clock: Clock
}): SwapApiClient {
  const cache = createCache(clock)

  async function tokens(chain: ChainId): Promise<readonly ConvertToken[] | undefined> {
    const isSupported = await api.supports(chain).catch((cause: unknown) => {
      throw accountFailure('swap/not-loaded', undefined, { cause })
    })
    if (!isSupported) return undefined
    return cache.read(`tokens ${chain}`, {
      ttlMs: tokensCacheMs,
      async load(signal) {
        try {
          return (await api.call(getConvertTokens, { query: { chainId: chain }, signal })).tokens
        } catch (error) {
          if (isRefused(error)) return undefined
          throw accountFailure('swap/not-loaded', undefined, { cause: error })
        }
      },
    })
  }

  /**
   * Throws if the server does not support the network. If the list of chains cannot be loaded, leaves it to the request itself
   * to fail.
   */
  async function assertSupported({ from }: SwapRequest): Promise<void> {
    const isSupported = await api.supports(from.chain).catch(() => true)
    if (!isSupported) throw accountFailure('swap/unsupported-network')
  }

  const sides = ({ account, from, to, amount }: SwapRequest) => ({
    from: convertIdOf(from),
    to: convertIdOf(to),
    userAddress: account,
    amount: String(amount),
  })

  return {
    async supports(chain) {
      if (!chain.startsWith('eip155:') || !(await api.supports(chain))) return false
      // Do not find out by requesting the tokens, because browsers log a failed request to the console if the chain has no
      // exchange.
      return swapNetworks.includes(chain) || (await api.supportsSwaps(chain)) === true
    },
    tokens,
    async prices(wanted) {
      const addresses = [...new Set(wanted.map(convertIdOf))].sort()
      if (addresses.length === 0) return new Map()
      return cache.read(`prices ${addresses.join()}`, {
        ttlMs: pricesCacheMs,
        async load(signal) {
          const { fungibles } = await api.call(postPrices, { body: { currency: 'usd', addresses }, signal })
          const now = clock.now()
          return new Map(
            wanted.flatMap((token): [string, TokenPrice][] => {
              const found = fungibles.find(({ address }) => keyOf(address) === keyOf(convertIdOf(token)))
              if (!found || found.price <= 0) return []
              const at = found.pricedAt === undefined ? now : Date.parse(found.pricedAt)
              const price = {
                amount: multiplyDecimals(String(found.price), '1') ?? '0',
                ...(found.priceSource && { source: found.priceSource }),
                at: Number.isNaN(at) ? now : Math.min(at, now),
              }
              return [[keyOf(token.id), price]]
            }),
          )
        },
      })
    },
    gasPrice: (chain) =>
      cache
        .read(`gas ${chain}`, {
          ttlMs: pricesCacheMs,
          load: async (signal) =>
            BigInt((await api.call(getConvertGasPrice, { query: { chainId: chain }, signal })).standard),
        })
        .catch((error: unknown) => {
          throw accountFailure('swap/no-gas-price', undefined, { cause: error })
        }),
    async quote(request, gasPrice, signal) {
      const query = { ...sides(request), ...(gasPrice !== undefined && { gasPrice: String(gasPrice) }) }
      const { quotes } = await api.call(getConvertQuotes, { query, signal }).catch((error: unknown) => {
        throw lacksLiquidity(error)
          ? accountFailure('swap/no-liquidity', undefined, { cause: error })
          : toLatchkeyError(error)
      })
      const [best] = quotes
      const { from, to, amount } = sides(request)
      if (!best || BigInt(best.toAmount) === 0n) throw accountFailure('swap/no-liquidity')
      if (best.fromAmount !== amount || keyOf(best.fromAccount) !== keyOf(from) || keyOf(best.toAccount) !== keyOf(to))
        throw accountFailure('swap/mismatch', { reason: 'the quote is for other tokens or another amount' })
      return best
    },
    async allowance(request, signal) {
      const { from, userAddress } = sides(request)
      const query = { tokenAddress: from, userAddress }
      const { allowance } = await api.call(getConvertAllowance, { query, signal }).catch((error: unknown) => {
        throw accountFailure('swap/allowance-failed', undefined, { cause: error })
      })
      return BigInt(allowance)
    },
    async buildApproval(request, signal) {
      await assertSupported(request)
      const { tx } = await api.call(getBuildApprove, { query: sides(request), signal }).catch((error: unknown) => {
        throw accountFailure('swap/approval-failed', undefined, { cause: error })
      })
      return tx
    },
    async buildSwap(request, signal) {
      await assertSupported(request)
      const body = { ...sides(request), eip155: { slippage: swapSlippagePercent }, disableEstimate: true }
      const { tx } = await api.call(postBuildTransaction, { body, signal }).catch((error: unknown) => {
        throw accountFailure('swap/build-failed', undefined, { cause: error })
      })
      return tx
    },
    stop: () => cache.clear(),
  }
}

/** Whether the error means that the server does not support the request, rather than that it is unavailable. */
function isRefused(error: unknown): boolean {
  return isLatchkeyError(error, 'http/failed') && [400, 404, 422, 501].includes(error.details.status)
}

function lacksLiquidity(error: unknown): boolean {
  return isLatchkeyError(error, 'http/failed') && /insufficient liquidity/i.test(error.details.reason ?? '')
}
