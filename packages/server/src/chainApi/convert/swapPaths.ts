import { concat, type Hex, numberToHex, size } from 'viem'
import { HttpError } from '../../errors/httpError.ts'
import type { ExchangeConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import type { NodeClient } from '../nodeClient.ts'
import { poolAbi, quoterAbi, readContracts } from './uniswapContracts.ts'

/** A way to swap two tokens: one pool, or two pools with a token between them. */
export interface SwapPath {
  readonly tokens: readonly `0x${string}`[]
  /** The fee of the pool after each token but the last, in hundredths of a basis point. */
  readonly fees: readonly number[]
}

/** A route with its result, according to the pools' current state. */
export interface QuotedPath extends SwapPath {
  /** In base units of the last token. */
  readonly amountOut: bigint
  /** The gas for the pools, without the rest of the transaction. */
  readonly poolGas: bigint
}

interface Pool {
  readonly fee: number
  readonly liquidity: bigint
}

const zero = '0x0000000000000000000000000000000000000000'
/** The maximum number of intermediate tokens to try. */
const maxBetween = 4
/** The number of pools to try for each half of a route with two pools, most liquid first. */
const poolsPerHop = 2

/**
 * Quotes all routes with QuoterV2: every configured pool of the two tokens, and routes through the wrapped native currency and
 * the stablecoins. Resolves to the routes that have a result, the best first. Pools are cached for half a minute; quotes are
 * not.
 *
 * @throws {HttpError} 400 with `insufficient liquidity` if no route has a result, or 400 if the amount is too small.
 */
export async function quotePaths(
  { nodes, callNode }: { nodes: Pick<NodeClient, 'read'>; callNode: CallNode },
  {
    chainId,
    exchange,
    from,
    to,
    amount,
  }: {
    chainId: string
    exchange: ExchangeConfig
    from: `0x${string}`
    to: `0x${string}`
    amount: bigint
  },
  signal: AbortSignal,
): Promise<readonly [QuotedPath, ...QuotedPath[]]> {
  const pools = (a: `0x${string}`, b: `0x${string}`): Promise<readonly Pool[]> =>
    nodes.read({
      kind: 'price',
      key: `pools ${chainId} ${[a.toLowerCase(), b.toLowerCase()].sort().join()}`,
      signal,
      load: (loadSignal) => readPools(callNode, { chainId, exchange, a, b }, loadSignal),
    })
  const isEnd = (token: string): boolean => isSame(token, from) || isSame(token, to)
  const between = [exchange.wrappedNative, ...exchange.stablecoins]
    .filter((token) => !isEnd(token))
    .slice(0, maxBetween)
  const [direct, ...hops] = await Promise.all([
    pools(from, to),
    ...between.map(async (token) => {
      const [first, second] = await Promise.all([pools(from, token), pools(token, to)])
      return first
        .slice(0, poolsPerHop)
        .flatMap((a) => second.slice(0, poolsPerHop).map((b) => ({ tokens: [from, token, to], fees: [a.fee, b.fee] })))
    }),
  ])
  const routes: readonly SwapPath[] = [
    ...direct.map(({ fee }) => ({ tokens: [from, to], fees: [fee] })),
    ...hops.flat(),
  ]
  const quotes = await readContracts(
    callNode,
    chainId,
    routes.map((route) => ({
      address: exchange.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInput' as const,
      args: [encodePath(route), amount] as const,
    })),
    signal,
  )
  const [best, ...others] = routes
    .flatMap((route, at): QuotedPath[] => {
      const [amountOut, , , poolGas] = quotes[at] ?? [0n, [], [], 0n]
      return amountOut > 0n ? [{ ...route, amountOut, poolGas }] : []
    })
    .sort((a, b) => (a.amountOut === b.amountOut ? 0 : a.amountOut > b.amountOut ? -1 : 1))
  if (!best && quotes.some((quote) => quote !== undefined))
    throw new HttpError(400, 'amount', 'The amount is too small to be swapped')
  // Clients recognize the error by this text.
  if (!best) throw new HttpError(400, 'amount', 'There is insufficient liquidity to swap this amount of these tokens')
  return [best, ...others]
}

/** Returns the path in the encoding of Uniswap V3: addresses with the fees between them. */
export function encodePath({ tokens, fees }: SwapPath): Hex {
  return concat(
    tokens.flatMap((token, at) => {
      const fee = fees[at]
      return fee === undefined ? [token] : [token, numberToHex(fee, { size: 3 })]
    }),
  )
}

/** Whether two addresses are the same. */
export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

async function readPools(
  callNode: CallNode,
  { chainId, exchange, a, b }: { chainId: string; exchange: ExchangeConfig; a: `0x${string}`; b: `0x${string}` },
  signal: AbortSignal,
): Promise<readonly Pool[]> {
  const addresses = await readContracts(
    callNode,
    chainId,
    exchange.feeTiers.map((fee) => ({
      address: exchange.factory,
      abi: poolAbi,
      functionName: 'getPool' as const,
      args: [a, b, fee] as const,
    })),
    signal,
  )
  const existing = exchange.feeTiers.flatMap((fee, at) => {
    const address = addresses[at]
    return address !== undefined && address !== zero && size(address) === 20 ? [{ fee, address }] : []
  })
  const liquidities = await readContracts(
    callNode,
    chainId,
    existing.map(({ address }) => ({ address, abi: poolAbi, functionName: 'liquidity' as const, args: [] as const })),
    signal,
  )
  return existing
    .map(({ fee }, at) => ({ fee, liquidity: liquidities[at] ?? 0n }))
    .sort((one, other) => (one.liquidity > other.liquidity ? -1 : one.liquidity < other.liquidity ? 1 : 0))
}
