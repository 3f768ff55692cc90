import {
  type ApproveTransaction,
  type ConvertFee,
  type ConvertQuote,
  type ConvertToken,
  nativeTokenAddress,
  type SwapTransaction,
} from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import { encodeFunctionData, type Hex, isAddress, isAddressEqual, maxUint256, zeroAddress } from 'viem'
import { HttpError, notConfigured } from '../../errors/httpError.ts'
import type { Clock } from '../../serverDependencies.ts'
import type { ConvertProvider } from '../chainApiTypes.ts'
import type { ChainConfig, ExchangeConfig } from '../chainConfig.ts'
import { type CallNode, nodeResult, unavailable } from '../nodeBatch.ts'
import { configuredChain, isRevert, NodeCallError, type NodeClient } from '../nodeClient.ts'
import { encodeSwapCalldata, type Permit, readPermit } from './encodeSwapCalldata.ts'
import { readGasPrices } from './gasPrices.ts'
import { type QuotedPath, quotePaths } from './swapPaths.ts'
import { readContracts, tokenAbi, wrappedNativeAbi } from './uniswapContracts.ts'

/** How long a swap transaction can be mined after it was built, in seconds. */
const swapSeconds = 1_200
/** The gas of a swap that is not estimated. */
const fixedGas = 250_000n
/** The gas of a swap transaction in addition to that of its pools. */
const transactionGas = 120_000n
/** The maximum amount, because the exchange uses signed integers. */
const maxAmount = 2n ** 255n - 1n
/** The maximum number of quotes in a response. */
const maxQuotes = 5

const hexQuantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,13}$/),
  v.transform((text) => BigInt(text)),
)
const latestBlock = v.object({ timestamp: hexQuantity })

/** A token of a request. */
interface Token {
  /** The token's address, or that of the wrapped native currency if the token is the native currency. */
  readonly address: `0x${string}`
  readonly isNative: boolean
}

/** The two tokens of a request with their chain. */
interface Pair {
  readonly chain: ChainConfig
  readonly exchange: ExchangeConfig
  readonly from: Token
  readonly to: Token
}

/**
 * Creates the provider of swaps through Uniswap V3. A quote is the amount that the pools would return now. The transaction is
 * built with a new quote, and reverts if it yields less than the quote minus the slippage, or after 20 minutes. This limits the
 * loss to price changes after that, such as a sandwich attack. It does not protect against a price that was already manipulated
 * when the transaction was built: compare the transaction's `amount` with the quote that the user has seen, and the quote with
 * prices from another source. Tokens that take a fee on each transfer cannot be swapped: their pools return less than quoted,
 * so the transaction reverts.
 *
 * @example
 * const convert = createConvertProvider({ nodes, callNode, now: Date.now })
 * const [best] = await convert.quotes({ amount: '1000000', from: 'eip155:1:0xa0b8…', to: 'eip155:1:0xeeee…' }, signal)
 */
export function createConvertProvider({
  nodes,
  callNode,
  now,
}: {
  nodes: Pick<NodeClient, 'chains' | 'read' | 'hasCode'>
  callNode: CallNode
  /** The time in milliseconds since the Unix epoch. */
  now: Clock
}): ConvertProvider {
  function gasPrices(chainId: string, signal: AbortSignal) {
    return nodes.read({
      kind: 'gas',
      key: chainId,
      signal,
      load: (loadSignal) => readGasPrices(callNode, chainId, loadSignal),
    })
  }

  async function deployed({ chainId }: ChainConfig, exchange: ExchangeConfig, signal: AbortSignal): Promise<void> {
    // Funds that are sent to an address without code would be lost.
    const contracts = [exchange.factory, exchange.quoter, exchange.router, exchange.wrappedNative]
    const exist = await Promise.all(contracts.map((address) => nodes.hasCode(chainId, address, signal)))
    if (exist.includes(false))
      throw notConfigured('chainId', 'The exchange that is configured for this chain does not exist on it')
  }

  async function allowanceOf(
    { chainId }: ChainConfig,
    { owner, token, spender }: { owner: `0x${string}`; token: `0x${string}`; spender: `0x${string}` },
    signal: AbortSignal,
  ): Promise<bigint> {
    const read = { address: token, abi: tokenAbi, functionName: 'allowance', args: [owner, spender] } as const
    const [allowance] = await readContracts(callNode, chainId, [read], signal)
    if (allowance === undefined) throw new HttpError(400, 'tokenAddress', 'There is no token at this address')
    return allowance
  }

  async function quote(
    pair: Pair,
    amount: bigint,
    signal: AbortSignal,
  ): Promise<readonly [QuotedPath, ...QuotedPath[]]> {
    const { chain, exchange, from, to } = pair
    await deployed(chain, exchange, signal)
    const route = { chainId: chain.chainId, exchange, from: from.address, to: to.address, amount }
    return quotePaths({ nodes, callNode }, route, signal)
  }

  return {
    tokens: async (chainId) => tokensOf(exchangeOf(nodes.chains, chainId).chain),

    async quotes({ amount: text, from, to, userAddress }, signal) {
      const pair = pairOf(nodes.chains, from, to)
      if (userAddress !== undefined) accountOf(pair.chain, userAddress)
      const amount = amountOf(text)
      const answer = (toAmount: bigint, fee?: ConvertFee): ConvertQuote => ({
        id: null,
        fromAmount: String(amount),
        toAmount: String(toAmount),
        fromAccount: from,
        toAccount: to,
        ...(fee ? { fee } : {}),
      })
      if (isWrapping(pair)) return [answer(amount)]
      const routes = await quote(pair, amount, signal)
      return routes.slice(0, maxQuotes).map(({ amountOut }) => {
        const { net, fee } = afterFee(amountOut, pair.exchange)
        return answer(net, fee)
      })
    },

    async allowance({ tokenAddress, userAddress }, signal) {
      const { chain, exchange, token } = tokenOf(nodes.chains, tokenAddress, 'tokenAddress')
      const owner = accountOf(chain, userAddress)
      // The native currency needs no approval.
      if (token.isNative) return String(maxUint256)
      return String(await allowanceOf(chain, { owner, token: token.address, spender: exchange.router }, signal))
    },

    async gasPrice(chainId, signal) {
      const { namespace } = evmChain(nodes.chains, chainId)
      if (namespace !== 'eip155') throw new HttpError(400, 'chainId', `The gas price of ${chainId} is not supported`)
      return gasPrices(chainId, signal)
    },

    async buildApprove({ from, to, userAddress, amount: text }, signal): Promise<ApproveTransaction> {
      const { chain, exchange, from: token } = pairOf(nodes.chains, from, to)
      if (token.isNative) throw new HttpError(400, 'from', 'The native currency needs no approval')
      const amount = text === undefined ? maxUint256 : BigInt(text)
      if (amount > maxUint256) throw new HttpError(400, 'amount', 'The amount is too large')
      const owner = userAddress === undefined ? undefined : accountOf(chain, userAddress)
      const { router } = exchange
      const [, { standard }] = await Promise.all([deployed(chain, exchange, signal), gasPrices(chain.chainId, signal)])
      const resetsAllowance =
        owner !== undefined &&
        (await needsReset(callNode, chain, { owner, token: token.address, router, amount }, signal))
      const args = [router, resetsAllowance ? 0n : amount] as const
      return {
        // Clients of the specification send the transaction to `from`. `to` is the same, so that no client can approve a
        // different token.
        from,
        to: from,
        data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }),
        value: '0',
        eip155: { gasPrice: standard },
        ...(resetsAllowance ? { resetsAllowance } : {}),
      }
    },

    async buildTransaction({ amount: text, from, to, userAddress, eip155, disableEstimate }, signal) {
      const pair = pairOf(nodes.chains, from, to)
      const { chain, exchange } = pair
      const { chainId } = chain
      if (!eip155) throw new HttpError(400, 'eip155', 'The slippage is missing')
      const { slippage, permit: encodedPermit } = eip155
      const user = accountOf(chain, userAddress)
      const amount = amountOf(text)
      const [{ standard }, time] = await Promise.all([
        gasPrices(chainId, signal),
        timeOf(callNode, chainId, { now, signal }),
      ])

      async function build(): Promise<BuiltCall> {
        if (isWrapping(pair)) return deployed(chain, exchange, signal).then(() => wrappingCall(pair, amount))
        const permit =
          encodedPermit === undefined || pair.from.isNative
            ? undefined
            : readPermit(encodedPermit as Hex, { user, router: exchange.router, amount, now: time })
        const [best] = await quote(pair, amount, signal)
        return routerCall(pair, { best, amount, user, slippage, time, permit })
      }

      const { to: contract, data, fixed, result } = await build()
      const value = pair.from.isNative ? amount : 0n
      const gas = disableEstimate
        ? fixed
        : ((await estimateGas(callNode, chainId, { from: user, to: contract, data, value }, signal)) * 110n) / 100n
      return {
        from: userAddress,
        to: `${chainId}:${contract}`,
        data,
        eip155: { gas: String(gas), gasPrice: standard },
        ...result,
      }
    },
  }
}

/** Returns the tokens of a chain, starting with the native currency. */
function tokensOf({ chainId, nativeCurrency, tokens }: ChainConfig): readonly ConvertToken[] {
  const { name, symbol, decimals } = nativeCurrency
  const address = `${chainId}:${nativeTokenAddress}`
  const native = { name, symbol, address, decimals, logoUri: null, eip2612: false }
  const listed = tokens.map(
    (token): ConvertToken => ({
      name: token.name,
      symbol: token.symbol,
      address: `${chainId}:${token.address}`,
      decimals: token.decimals,
      logoUri: token.logoUri ?? null,
      eip2612: token.eip2612 ?? null,
    }),
  )
  return [native, ...listed]
}

// --- Transactions ----------------------------------------------------------------------------------------------------

/** A call that swaps tokens. */
interface BuiltCall {
  readonly to: `0x${string}`
  readonly data: Hex
  /** The gas if it is not estimated. */
  readonly fixed: bigint
  readonly result: Pick<SwapTransaction, 'amount' | 'minimumAmount' | 'deadline' | 'fee'>
}

/** Returns the call that wraps or unwraps the native currency. */
function wrappingCall({ exchange, from }: Pair, amount: bigint): BuiltCall {
  return {
    to: exchange.wrappedNative,
    data: from.isNative
      ? encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })
      : encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] }),
    fixed: fixedGas,
    result: { amount: String(amount), minimumAmount: String(amount) },
  }
}

/** Returns the call to the router that swaps through the best route. */
function routerCall(
  { exchange, from, to }: Pair,
  {
    best,
    amount,
    user,
    slippage,
    time,
    permit,
  }: {
    best: QuotedPath
    amount: bigint
    user: `0x${string}`
    /** In percent. */
    slippage: number
    /** The current time, in seconds since the epoch. */
    time: bigint
    permit: Permit | undefined
  },
): BuiltCall {
  const minimumOut = best.amountOut - (best.amountOut * BigInt(Math.round(slippage * 10_000))) / 1_000_000n
  const deadline = time + BigInt(swapSeconds)
  const data = encodeSwapCalldata({
    route: best,
    amount,
    minimumOut,
    user,
    deadline,
    isFromNative: from.isNative,
    isToNative: to.isNative,
    permit,
    fee: exchange.fee?.bps ? exchange.fee : undefined,
  })
  const expected = afterFee(best.amountOut, exchange)
  const needed = best.poolGas + transactionGas
  return {
    to: exchange.router,
    data,
    fixed: needed > fixedGas ? needed : fixedGas,
    result: {
      amount: String(expected.net),
      minimumAmount: String(afterFee(minimumOut, exchange).net),
      deadline: Number(deadline),
      ...(expected.fee ? { fee: expected.fee } : {}),
    },
  }
}

// --- Requests --------------------------------------------------------------------------------------------------------

function evmChain(
  chains: ReadonlyMap<string, ChainConfig>,
  chainId: string,
): { chain: ChainConfig; namespace: string | undefined } {
  return { chain: configuredChain(chains, chainId), namespace: chainId.split(':')[0] }
}

function exchangeOf(
  chains: ReadonlyMap<string, ChainConfig>,
  chainId: string,
): { chain: ChainConfig; exchange: ExchangeConfig } {
  const { chain, namespace } = evmChain(chains, chainId)
  if (namespace !== 'eip155' || !chain.exchange)
    throw new HttpError(400, 'chainId', `The chain ${chainId} is not supported for swaps`)
  return { chain, exchange: chain.exchange }
}

function tokenOf(
  chains: ReadonlyMap<string, ChainConfig>,
  id: string,
  field: string,
): { chain: ChainConfig; exchange: ExchangeConfig; token: Token } {
  const at = id.lastIndexOf(':')
  const { chain, exchange } = exchangeOf(chains, id.slice(0, at))
  const address = id.slice(at + 1)
  if (!isAddress(address)) throw new HttpError(400, field, 'The address of the token is not valid')
  const isNative = isAddressEqual(address, nativeTokenAddress)
  return { chain, exchange, token: { address: isNative ? exchange.wrappedNative : address, isNative } }
}

function pairOf(chains: ReadonlyMap<string, ChainConfig>, fromId: string, toId: string): Pair {
  const { chain, exchange, token: from } = tokenOf(chains, fromId, 'from')
  if (toId.slice(0, toId.lastIndexOf(':')) !== chain.chainId)
    throw new HttpError(400, 'to', 'Tokens of different chains cannot be swapped')
  const { token: to } = tokenOf(chains, toId, 'to')
  if (isAddressEqual(from.address, to.address) && from.isNative === to.isNative)
    throw new HttpError(400, 'to', 'A token cannot be swapped for itself')
  return { chain, exchange, from, to }
}

/** Whether the native currency is swapped for its wrapped form or back, which needs no pool. */
function isWrapping({ from, to }: Pair): boolean {
  return isAddressEqual(from.address, to.address)
}

function accountOf({ chainId }: ChainConfig, userAddress: string): `0x${string}` {
  const at = userAddress.lastIndexOf(':')
  if (userAddress.slice(0, at) !== chainId)
    throw new HttpError(400, 'userAddress', 'The account is on a different chain than the tokens')
  const address = userAddress.slice(at + 1)
  if (!isAddress(address) || isAddressEqual(address, zeroAddress))
    throw new HttpError(400, 'userAddress', 'The address of the account is not valid')
  return address
}

function amountOf(text: string): bigint {
  const amount = BigInt(text)
  if (amount <= 0n || amount > maxAmount) throw new HttpError(400, 'amount', 'The amount is not valid')
  return amount
}

// --- Amounts ---------------------------------------------------------------------------------------------------------

function afterFee(gross: bigint, { fee }: ExchangeConfig): { net: bigint; fee?: ConvertFee } {
  if (!fee || fee.bps === 0) return { net: gross }
  // Rounded in the same way as in the router.
  const amount = (gross * BigInt(fee.bps)) / 10_000n
  return { net: gross - amount, fee: { bps: fee.bps, amount: String(amount), recipient: fee.recipient } }
}

// --- The node ----------------------------------------------------------------------------------------------------------

/**
 * Whether the allowance has to be set to 0 first. USDT and similar tokens do not allow changing a nonzero allowance directly.
 * This is determined by simulating the approval.
 */
async function needsReset(
  callNode: CallNode,
  { chainId }: ChainConfig,
  {
    owner,
    token,
    router,
    amount,
  }: { owner: `0x${string}`; token: `0x${string}`; router: `0x${string}`; amount: bigint },
  signal: AbortSignal,
): Promise<boolean> {
  if (amount === 0n) return false
  const [allowance, approval] = [
    encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [owner, router] }),
    encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [router, amount] }),
  ].map((data) => ({ method: 'eth_call', params: [{ from: owner, to: token, data }, 'latest'] }))
  const [current, approved] = await callNode(
    chainId,
    [allowance, approval].filter((call) => call !== undefined),
    signal,
  )
  if (!(approved instanceof NodeCallError)) return false
  if (!isRevert(approved)) throw unavailable()
  if (typeof current === 'string' && /^0x0*[1-9a-f]/i.test(current)) return true
  throw new HttpError(400, 'from', 'The token rejects the approval')
}

/**
 * The chain's time or this server's time, whichever is later. With a node that is behind, transactions would expire too early.
 */
async function timeOf(
  callNode: CallNode,
  chainId: string,
  { now, signal }: { now: Clock; signal: AbortSignal },
): Promise<bigint> {
  const [block] = await callNode(chainId, [{ method: 'eth_getBlockByNumber', params: ['latest', false] }], signal)
  const { timestamp } = nodeResult(latestBlock, block)
  const here = BigInt(Math.floor(now() / 1000))
  return timestamp > here ? timestamp : here
}

async function estimateGas(
  callNode: CallNode,
  chainId: string,
  { value, ...call }: { from: string; to: string; data: Hex; value: bigint },
  signal: AbortSignal,
): Promise<bigint> {
  const params = [{ ...call, value: `0x${value.toString(16)}` }]
  const [result] = await callNode(chainId, [{ method: 'eth_estimateGas', params }], signal)
  if (result instanceof NodeCallError && (isRevert(result) || /insufficient funds/i.test(result.message)))
    throw new HttpError(400, 'amount', 'The swap would fail with the current balance and allowance of the account')
  return nodeResult(hexQuantity, result)
}
