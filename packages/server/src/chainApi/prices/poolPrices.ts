import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { Clock } from '../../serverDependencies.ts'
import type { ChainConfig, ExchangeConfig } from '../chainConfig.ts'
import { balanceOfCall, type EncodedCall, multicall, type Returned, uintOf } from '../multicall.ts'
import type { CallNode } from '../nodeBatch.ts'
import type { NodeClient } from '../nodeClient.ts'
import { readLifetimesMs } from '../readCache.ts'

// From the interfaces of UniswapV3Factory and UniswapV3Pool: https://docs.uniswap.org/contracts/v3/reference/core.
const abi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[])',
  'function decimals() view returns (uint8)',
])

/** The minimum value of the stablecoin or wrapped native currency in a pool, in US dollars. */
const minDepthUsd = 10_000
/** The periods over which a price is averaged, in seconds. The longest for which the pool has observations is used. */
const periods = [1800, 300] as const
/**
 * The number of blocks over which the price of a pool without observations must have been stable. Most pools keep a single
 * observation, which each swap replaces, so their price would otherwise be that of the last transaction.
 */
const earlierBlocks = 3
/** The maximum difference between the current price and the earlier one, and between two pools: 10%. */
const maxDifference = 0.1
/** Pools with less than this share of the depth of the deepest pool are not compared with it. */
const comparedShare = 0.1
const maxRememberedPools = 20_000

/** A token whose price in US dollars is determined by its pools. */
export interface PooledToken {
  readonly address: `0x${string}`
  /** The number of decimals on the token list. The contract must have the same. */
  readonly decimals: number
}

interface Pool {
  readonly address: `0x${string}`
  readonly quote: `0x${string}`
}

/** A price that a pool implies. */
interface PoolPrice {
  /** The price in US dollars. `undefined` if the current price differs too much from the earlier one. */
  readonly usd: number | undefined
  readonly depthUsd: number
}

/** Determines prices in US dollars from the Uniswap V3 pools of a chain's exchange. */
export interface PoolPrices {
  /**
   * Resolves to the prices of tokens by lower-case address. Tokens are priced against the exchange's stablecoins, which are
   * valued at one US dollar, and against the wrapped native currency. A token has no price if no pool is deep enough, if the
   * current price differs from the average of the last minutes (or, without observations, from the price three blocks ago), if
   * the prices of pools differ, or if the contract reports different decimals than the list.
   *
   * @throws {HttpError} 503 if no node responds.
   */
  usdPrices(
    chain: ChainConfig,
    tokens: readonly PooledToken[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>>
}

/** Creates the reader for prices from pools. The addresses of pools are cached for ten minutes. */
export function createPoolPrices({
  nodes,
  callNode,
  clock,
}: {
  nodes: NodeClient
  callNode: CallNode
  clock: Clock
}): PoolPrices {
  const remembered = new Map<string, { readonly pools: readonly Pool[]; readonly expiresAt: number }>()

  function read(chainId: string, calls: readonly EncodedCall[], signal: AbortSignal): Promise<readonly Returned[]> {
    return multicall({ nodes, callNode, chainId, calls, isTrusted: true, signal })
  }

  async function poolsOf(
    { chainId }: ChainConfig,
    { factory, stablecoins, wrappedNative, feeTiers }: ExchangeConfig,
    tokens: readonly `0x${string}`[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Pool[]>> {
    const found = new Map<string, readonly Pool[]>()
    const missing: `0x${string}`[] = []
    for (const token of tokens) {
      const known = remembered.get(`${chainId} ${token}`)
      if (known && known.expiresAt > clock()) found.set(token, known.pools)
      else missing.push(token)
    }
    const asked = missing.flatMap((token) =>
      [...stablecoins, wrappedNative]
        .filter((quote) => quote.toLowerCase() !== token)
        .flatMap((quote) => feeTiers.map((fee) => ({ token, quote, fee }))),
    )
    const calls = asked.map(({ token, quote, fee }) => ({
      to: factory,
      data: encodeFunctionData({ abi, functionName: 'getPool', args: [token, quote, fee] }),
    }))
    const returned = await read(chainId, calls, signal)
    const lists = new Map<string, Pool[]>(missing.map((token) => [token, []]))
    asked.forEach(({ token, quote }, index) => {
      const address = uintOf(returned[index])
      if (address) lists.get(token)?.push({ address: `0x${address.toString(16).padStart(40, '0').slice(-40)}`, quote })
    })
    for (const [token, pools] of lists) {
      found.set(token, pools)
      const key = `${chainId} ${token}`
      remembered.delete(key)
      remembered.set(key, { pools, expiresAt: clock() + readLifetimesMs.tokens })
      const [oldest] = remembered.keys()
      if (remembered.size > maxRememberedPools && oldest !== undefined) remembered.delete(oldest)
    }
    return found
  }

  /** Resolves to the square root of each pool's price a few blocks ago, by pool. Used for pools without observations. */
  async function earlierPrices(
    chainId: string,
    pools: readonly `0x${string}`[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    if (pools.length === 0) return new Map()
    const head = BigInt((await nodes.call(chainId, 'eth_blockNumber', [], signal)) as string)
    const block = `0x${(head > earlierBlocks ? head - BigInt(earlierBlocks) : 0n).toString(16)}`
    const data = encodeFunctionData({ abi, functionName: 'slot0' })
    const calls = pools.map((to) => ({ to, data }))
    // There is no earlier price if the node does not have the state of that block, or if the pool did not exist.
    const returned = await multicall({ nodes, callNode, chainId, calls, isTrusted: false, block, signal })
    return new Map(
      pools.flatMap((pool, at) => {
        const sqrt = uintOf(returned[at])
        return sqrt ? [[pool, squareRoot(sqrt)] as const] : []
      }),
    )
  }

  return {
    async usdPrices(chain, tokens, signal) {
      const prices = new Map<string, number>()
      const { exchange, chainId, nativeCurrency } = chain
      if (!exchange || exchange.stablecoins.length === 0 || tokens.length === 0) return prices
      if (!(await nodes.hasCode(chainId, exchange.factory, signal))) return prices
      const wrapped = exchange.wrappedNative.toLowerCase() as `0x${string}`
      const stable = new Set(exchange.stablecoins.map((address) => address.toLowerCase()))
      const listed = new Map(chain.tokens.map(({ address, decimals }) => [address.toLowerCase(), decimals]))
      const asked = new Map(tokens.map(({ address, decimals }) => [address.toLowerCase() as `0x${string}`, decimals]))
      // The price of the native currency is needed for tokens that only have a pool with it.
      asked.set(wrapped, nativeCurrency.decimals)
      const pools = await poolsOf(
        chain,
        exchange,
        [...asked.keys()].filter((token) => !stable.has(token)),
        signal,
      )

      const contracts = [...new Set([...asked.keys(), ...stable])] as `0x${string}`[]
      const details = [...pools].flatMap(([token, list]) => list.map((pool) => ({ token, pool })))
      const decimalsCalls = contracts.map((to) => ({ to, data: encodeFunctionData({ abi, functionName: 'decimals' }) }))
      const returned = await read(
        chainId,
        [...decimalsCalls, ...details.flatMap(({ pool: { address, quote } }) => poolCalls(address, quote))],
        signal,
      )
      const decimals = new Map<string, number>()
      contracts.forEach((contract, index) => {
        const places = uintOf(returned[index])
        const expected = asked.get(contract) ?? listed.get(contract)
        // A contract that reports different decimals than the list would be priced wrong by orders of magnitude.
        if (places !== undefined && places <= 36n && (expected === undefined || BigInt(expected) === places))
          decimals.set(contract, Number(places))
      })
      for (const token of stable) if (decimals.has(token)) prices.set(token, 1)

      const states = details.map(({ token, pool }, index) => {
        const from = contracts.length + index * callsPerPool
        return { token, pool, state: poolState(returned.slice(from, from + callsPerPool)) }
      })
      const unobserved = states.flatMap(({ pool, state }) =>
        state && state.average === undefined ? [pool.address] : [],
      )
      const earlier = await earlierPrices(chainId, [...new Set(unobserved)], signal)
      // The native currency comes first, because the prices of other tokens depend on it.
      for (const token of [wrapped, ...asked.keys()]) {
        if (prices.has(token)) continue
        const places = decimals.get(token)
        if (places === undefined) continue
        const implied = states.flatMap(({ token: priced, pool, state }) => {
          const quote = pool.quote.toLowerCase()
          const [quoteUsd, quotePlaces] = [prices.get(quote), decimals.get(quote)]
          if (priced !== token || !state || quoteUsd === undefined || quotePlaces === undefined) return []
          const sqrtBefore = earlier.get(pool.address)
          const before = state.average ?? (sqrtBefore && sqrtBefore ** 2)
          // Without an earlier price, the current price could be the initial one, which the creator of the pool chooses.
          if (before === undefined) return []
          return [impliedPrice({ ...state, before }, { isToken0: token < quote, places, quotePlaces, quoteUsd })]
        })
        const usd = agreedPrice(implied)
        if (usd !== undefined) prices.set(token, usd)
      }
      return prices
    },
  }
}

const callsPerPool = 3 + periods.length

function poolCalls(pool: `0x${string}`, quote: `0x${string}`): readonly EncodedCall[] {
  return [
    { to: pool, data: encodeFunctionData({ abi, functionName: 'slot0' }) },
    { to: pool, data: encodeFunctionData({ abi, functionName: 'liquidity' }) },
    balanceOfCall(quote, pool),
    ...periods.map((seconds) => ({
      to: pool,
      data: encodeFunctionData({ abi, functionName: 'observe', args: [[seconds, 0]] }),
    })),
  ]
}

interface PoolState {
  /** The square root of the current price of token 0 in token 1, in base units. */
  readonly sqrtPrice: number
  /** The average price of token 0 in token 1, in base units. `undefined` if the pool has no observations. */
  readonly average: number | undefined
  readonly liquidity: number
  /** The pool's balance of the quote token, in base units. */
  readonly quoteBalance: number
}

function poolState([slot0, liquidity, quoteBalance, ...observed]: readonly Returned[]): PoolState | undefined {
  const [sqrt, depth, balance] = [uintOf(slot0), uintOf(liquidity), uintOf(quoteBalance)]
  if (!sqrt || !depth || !balance) return undefined
  const averages = observed.flatMap((data, index) => {
    const tick = averageTick(data, periods[index] as number)
    return tick === undefined ? [] : [1.0001 ** tick]
  })
  return {
    sqrtPrice: squareRoot(sqrt),
    average: averages[0],
    liquidity: Number(depth),
    quoteBalance: Number(balance),
  }
}

function squareRoot(sqrtPriceX96: bigint): number {
  return Number(sqrtPriceX96) / 2 ** 96
}

function averageTick(data: Returned, seconds: number): number | undefined {
  if (data === undefined) return undefined
  try {
    const [[before, now]] = decodeFunctionResult({ abi, functionName: 'observe', data })
    return before === undefined || now === undefined ? undefined : Number(now - before) / seconds
  } catch {
    return undefined
  }
}

function impliedPrice(
  { sqrtPrice, average, before, liquidity, quoteBalance }: PoolState & { readonly before: number },
  {
    isToken0,
    places,
    quotePlaces,
    quoteUsd,
  }: { isToken0: boolean; places: number; quotePlaces: number; quoteUsd: number },
): PoolPrice {
  const scale = 10 ** (places - quotePlaces) * quoteUsd
  const usdOf = (price: number): number => (isToken0 ? price : 1 / price) * scale
  // A balance outside of the current range does not resist price changes, and the liquidity of a narrow range can be high
  // although its value is low. A pool therefore needs both a sufficient balance and sufficient liquidity.
  const inRange = isToken0 ? liquidity * sqrtPrice : liquidity / sqrtPrice
  const depthUsd = (Math.min(inRange, quoteBalance) / 10 ** quotePlaces) * quoteUsd
  const current = usdOf(sqrtPrice ** 2)
  if (differ(usdOf(before), current)) return { usd: undefined, depthUsd }
  return { usd: average === undefined ? current : usdOf(average), depthUsd }
}

function agreedPrice(implied: readonly PoolPrice[]): number | undefined {
  const deep = implied.filter(({ depthUsd }) => depthUsd >= minDepthUsd).sort((a, b) => b.depthUsd - a.depthUsd)
  const [deepest] = deep
  if (deepest?.usd === undefined || !Number.isFinite(deepest.usd) || deepest.usd <= 0) return undefined
  const { usd, depthUsd } = deepest
  const compared = deep.filter((pool) => pool.depthUsd >= depthUsd * comparedShare)
  if (compared.some((pool) => pool.usd === undefined || differ(pool.usd, usd))) return undefined
  return Number(usd.toPrecision(9))
}

function differ(one: number, other: number): boolean {
  return !(Math.abs(one - other) <= maxDifference * Math.min(one, other))
}
