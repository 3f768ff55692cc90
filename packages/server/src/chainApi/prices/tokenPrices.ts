import { createHash } from 'node:crypto'
import { type Currency, nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { errorFields } from '../../errors/errorLogFields.ts'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock, Log } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import type { NodeClient } from '../nodeClient.ts'
import { externalPrices } from './externalPrices.ts'
import { createPoolPrices } from './poolPrices.ts'

/** A price and its source. */
export interface TokenPrice {
  readonly price: number
  /** When the price was determined (ISO 8601). */
  readonly pricedAt: string
  /** `stablecoin` for tokens that are configured as such, `uniswap-v3` or `external`. */
  readonly source: 'stablecoin' | 'uniswap-v3' | 'external'
}

/** A token whose price is read. */
export interface PricedToken {
  readonly address: string
  readonly decimals: number
  /** Whether the token is on none of the lists. Anyone can create a pool for such a token, so its pools are not used. */
  readonly isUnlisted?: boolean
}

/** Reads the prices of tokens. */
export interface TokenPrices {
  /**
   * Checks that amounts can be valued in a currency. Prices in currencies other than US dollars need a price source.
   *
   * @throws {HttpError} 400 if they cannot.
   */
  requireCurrency(currency: Currency): void
  /**
   * Resolves to the known prices, by address. `undefined` represents the native currency. Results are cached for thirty
   * seconds.
   *
   * @throws {HttpError} 503 if the nodes are needed and do not respond or, for currencies other than US dollars, if the price
   * source does not respond.
   */
  pricesOf(query: {
    readonly chain: ChainConfig
    readonly tokens: readonly (PricedToken | undefined)[]
    readonly currency: Currency
    readonly signal: AbortSignal
  }): Promise<ReadonlyMap<string | undefined, TokenPrice>>
}

/** The maximum number of tokens of a chain that are priced at once. Further tokens have no price. */
const maxTokens = 500

/**
 * Creates the reader for token prices. Prices come from the operator's source, if there is one. Other prices in US dollars come
 * from the pools of the chain's exchange.
 */
export function createTokenPrices({
  nodes,
  callNode,
  pricesUrl,
  fetch,
  clock,
  now,
  log,
  sourceTimeoutMs,
}: {
  nodes: NodeClient
  callNode: CallNode
  /** The URL of the operator's price source. `undefined` if there is none. */
  pricesUrl: string | undefined
  fetch: typeof globalThis.fetch
  clock: Clock
  /** Epoch milliseconds. */
  now: Clock
  log: Log
  /** The time limit for a response of the price source, in milliseconds. Default: five seconds. */
  sourceTimeoutMs?: number | undefined
}): TokenPrices {
  const pools = createPoolPrices({ nodes, callNode, clock })

  async function fromSource(
    { chain: { chainId }, tokens, currency }: Parameters<TokenPrices['pricesOf']>[0],
    signal: AbortSignal,
  ): Promise<Map<string | undefined, TokenPrice>> {
    const prices = new Map<string | undefined, TokenPrice>()
    if (pricesUrl === undefined) return prices
    const ids = new Map(tokens.map((token) => [caip10Of(chainId, token), token?.address]))
    const found = await externalPrices({
      url: pricesUrl,
      fetch,
      currency,
      tokens: [...ids.keys()],
      signal,
      timeoutMs: sourceTimeoutMs,
    }).catch((error: unknown) => {
      // In US dollars, most prices can be read from pools.
      if (currency !== 'usd' || signal.aborted) throw error
      log('warn', 'the price source did not respond', errorFields(error))
      return new Map<string, never>()
    })
    for (const [id, { price, pricedAt = isoTime(now()) }] of found)
      prices.set(ids.get(id), { price, pricedAt, source: 'external' })
    return prices
  }

  async function load(
    query: Parameters<TokenPrices['pricesOf']>[0],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string | undefined, TokenPrice>> {
    const { chain, tokens, currency } = query
    const prices = await fromSource(query, signal)
    const { exchange } = chain
    if (currency !== 'usd' || !exchange) return prices
    const missing = tokens.filter((token) => !prices.has(token?.address) && !token?.isUnlisted)
    const usd = await pools.usdPrices(
      chain,
      missing.map((token) => ({
        address: (token?.address ?? exchange.wrappedNative) as `0x${string}`,
        decimals: token?.decimals ?? chain.nativeCurrency.decimals,
      })),
      signal,
    )
    const stable = new Set(exchange.stablecoins.map((address) => address.toLowerCase()))
    const pricedAt = isoTime(now())
    for (const token of missing) {
      const address = (token?.address ?? exchange.wrappedNative).toLowerCase()
      const price = usd.get(address)
      if (price !== undefined)
        prices.set(token?.address, { price, pricedAt, source: stable.has(address) ? 'stablecoin' : 'uniswap-v3' })
    }
    return prices
  }

  return {
    requireCurrency(currency) {
      if (currency !== 'usd' && pricesUrl === undefined)
        throw new HttpError(400, 'currency', `This server has no prices in ${currency}`)
    },
    async pricesOf({ chain, tokens, currency, signal }) {
      const some = tokens.slice(0, maxTokens)
      if (some.length === 0) return new Map()
      const ids = some.map((token) => caip10Of(chain.chainId, token)).sort()
      const key = createHash('sha256').update(`${currency} ${ids.join()}`).digest('hex')
      const query = { chain, tokens: some, currency, signal }
      return nodes.read({ kind: 'price', key, signal, load: (shared) => load(query, shared) })
    },
  }
}

function caip10Of(chainId: string, token: PricedToken | undefined): string {
  return `${chainId}:${token?.address ?? nativeTokenAddress}`
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
