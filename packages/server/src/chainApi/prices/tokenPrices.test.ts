import { nativeTokenAddress, postPrices } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  createContractDeployer,
  createPool,
  deployExchange,
  deployTestToken,
  type FaultServer,
  startAnvil,
  startFaultServer,
  type TestExchange,
  type TestToken,
} from '@latchkey/testing/node'
import * as v from 'valibot'
import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  parseUnits,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainApiServer } from '../../testing/chainApiServer.ts'
import type { ChainConfig } from '../chainConfig.ts'

const chainId = 'eip155:31337'
const native = `${chainId}:${nativeTokenAddress}`
/** The account of the local exchange, which has a billion of its stablecoins. */
const treasury: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'

let anvil: Anvil
let exchange: TestExchange
let euro: TestToken
let snapshot: Hex
beforeAll(async () => {
  anvil = await startAnvil()
  euro = await deployTestToken({ chain: anvil.chain, name: 'Test Euro', symbol: 'TEUR', decimals: 6 })
  exchange = await deployExchange({ chain: anvil.chain, token: euro })
}, 120_000)
afterAll(async () => anvil.stop())
beforeEach(async () => {
  snapshot = await hand().snapshot()
})
afterEach(async () => {
  await hand().revert({ id: snapshot })
})

const hand = () => createTestClient({ mode: 'anvil', chain: anvil.chain, transport: http() }).extend(publicActions)

function localChain(overrides: Partial<ChainConfig> = {}): ChainConfig {
  return {
    chainId,
    name: 'Local chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls: [anvil.url],
    tokens: exchange.tokenList.tokens,
    multicall3: exchange.multicall3,
    exchange: exchange.contracts,
    ...overrides,
  }
}

const idOf = ({ address }: { address: string }) => `${chainId}:${address}`
const serverFor = (chain: Partial<ChainConfig> = {}, options: Partial<Parameters<typeof chainApiServer>[0]> = {}) =>
  chainApiServer({ chains: [localChain(chain)], ...options })

async function priceOf(token: string, server = serverFor()) {
  const { status, body } = await server.post('/v1/fungible/price', { currency: 'usd', addresses: [token] })
  expect(status).toBe(200)
  expect(v.is(postPrices.answer, body)).toBe(true)
  const [found] = body.fungibles as [{ price: number; pricedAt?: string; priceSource?: string }]
  return found
}

async function send(privateKey: Hex, to: Hex, data: Hex): Promise<void> {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, chain: anvil.chain, transport: http() }).extend(publicActions)
  const hash = await wallet.sendTransaction({ to, data, gas: 8_000_000n })
  const { status } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 10 })
  expect(status).toBe('success')
}

const routerAbi = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)',
])
const approval = (spender: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })

/** Sells tUSDC for another token in one pool, which raises the price of that token. */
async function push(tokenOut: Hex, fee: number, dollars: bigint): Promise<void> {
  const tokenIn = exchange.tokens.usdc.address
  const recipient = privateKeyToAccount(treasury).address
  const amountIn = parseUnits(String(dollars), 6)
  const params = { tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
  await send(treasury, tokenIn, approval(exchange.contracts.router))
  await send(
    treasury,
    exchange.contracts.router,
    encodeFunctionData({ abi: routerAbi, functionName: 'exactInputSingle', args: [params] }),
  )
}

/** Creates a pool of a token and tUSDC, in base units of both. */
async function addPool(token: Hex, amount: bigint, dollars: bigint): Promise<void> {
  const deployer = createContractDeployer({ chain: anvil.chain, privateKey: testAccounts[0].privateKey })
  const { positionManager } = exchange
  const usdc = exchange.tokens.usdc.address
  for (const to of [token, usdc]) await deployer.send({ to, data: approval(positionManager) })
  const amounts = [
    { address: token, amount },
    { address: usdc, amount: dollars },
  ] as const
  await createPool({ deployer, positionManager, fee: 3000, amounts })
}

describe('prices from pools', () => {
  test('a price has a time and a source, and an unknown price is 0 and has neither', async () => {
    const server = serverFor({}, { now: () => Date.UTC(2026, 10, 28) })
    const pricedAt = '2026-11-28T00:00:00.000Z'
    expect(await priceOf(idOf(exchange.tokens.usdc), server)).toMatchObject({
      price: 1,
      pricedAt,
      priceSource: 'stablecoin',
    })
    const ether = await priceOf(native, server)
    expect(ether).toMatchObject({ pricedAt, priceSource: 'uniswap-v3' })
    expect(Math.abs(ether.price - 2961)).toBeLessThan(10)
    const unknown = await priceOf(idOf(exchange.tokens.unpriced), server)
    expect(unknown.price).toBe(0)
    for (const field of ['pricedAt', 'priceSource']) expect(unknown).not.toHaveProperty(field)
  })

  test('a price that one transaction has moved is not shown, even if the pool keeps a single observation', async () => {
    expect((await priceOf(idOf(euro))).price).toBeCloseTo(1, 1)
    // With time, even such a pool has an average, until the next swap replaces its observation.
    await hand().increaseTime({ seconds: 3_600 })
    await hand().mine({ blocks: 1 })
    expect((await priceOf(idOf(euro))).price).toBeCloseTo(1, 1)
    await push(euro.address, 500, 400_000n)
    expect((await priceOf(idOf(euro))).price).toBe(0)
    await hand().mine({ blocks: 4 })
    expect((await priceOf(idOf(euro))).price).toBeGreaterThan(1.5)
  })

  test('if pools of similar depth contradict each other, there is no price', async () => {
    await push(exchange.contracts.wrappedNative, 3000, 200_000n)
    await hand().mine({ blocks: 4 })
    expect((await priceOf(native)).price).toBe(0)
  })

  test('a pool with little liquidity has no price', async () => {
    const { address } = exchange.tokens.unpriced
    await addPool(address, parseUnits('400', 18), parseUnits('400', 6))
    await hand().mine({ blocks: 4 })
    expect((await priceOf(idOf({ address }))).price).toBe(0)
  })

  test('the pools of an unlisted token are not used, because anyone can create them', async () => {
    const { address } = exchange.tokens.lookalike
    const dollars = parseUnits('300000', 6)
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [testAccounts[0].address, dollars] } as const
    await send(treasury, exchange.tokens.usdc.address, encodeFunctionData(transfer))
    await addPool(address, dollars, dollars)
    await hand().mine({ blocks: 4 })
    expect(await priceOf(idOf({ address }))).toMatchObject({ price: 0, symbol: 'USDC' })
    const tokens = [...exchange.tokenList.tokens, { address, name: 'USD Coin', symbol: 'USDC', decimals: 6 }]
    expect((await priceOf(idOf({ address }), serverFor({ tokens }))).price).toBeCloseTo(1, 1)
  })

  test('a token whose contract has different decimals than the list has no price, instead of one that is wrong by orders of magnitude', async () => {
    const tokens = exchange.tokenList.tokens.map((token) => ({
      ...token,
      decimals: token.symbol === 'TEUR' ? 18 : token.decimals,
    }))
    expect((await priceOf(idOf(euro), serverFor({ tokens }))).price).toBe(0)
    const wrongStable = exchange.tokenList.tokens.map((token) => ({
      ...token,
      decimals: token.symbol === 'tUSDC' ? 2 : token.decimals,
    }))
    expect((await priceOf(idOf(exchange.tokens.usdc), serverFor({ tokens: wrongStable }))).price).toBe(0)
  })

  test('an exchange that does not exist on the chain, or that has no stablecoin, yields no prices', async () => {
    const none: Hex = '0x00000000000000000000000000000000000000aa'
    for (const contracts of [{ factory: none }, { stablecoins: [] }]) {
      const server = serverFor({ exchange: { ...exchange.contracts, ...contracts } })
      expect((await priceOf(native, server)).price).toBe(0)
    }
    expect((await priceOf(native, serverFor({ exchange: undefined }))).price).toBe(0)
  })
})

interface RpcCall {
  readonly id: number
  readonly method: string
}

describe('prices and faulty nodes', () => {
  let node: FaultServer
  let reject: ((call: { method: string; params?: readonly unknown[] }) => object | undefined) | undefined
  beforeAll(async () => {
    node = await startFaultServer(async (request) => {
      const json = (await request.json()) as RpcCall | RpcCall[]
      const answer = async (call: RpcCall) => {
        const error = reject?.(call)
        if (error) return { jsonrpc: '2.0', id: call.id, error }
        return (
          await fetch(anvil.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(call),
          })
        ).json()
      }
      return Response.json(Array.isArray(json) ? await Promise.all(json.map(answer)) : await answer(json))
    })
  })
  afterAll(() => node.stop())
  afterEach(() => {
    node.mend()
    reject = undefined
  })
  const ask = (rpcUrls: readonly string[], options = {}) =>
    serverFor({ rpcUrls }, { timeoutMs: 500, ...options }).post('/v1/fungible/price', {
      currency: 'usd',
      addresses: [native],
    })

  test.each([
    { kind: 'down' },
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 5_000_000 },
    { kind: 'status', code: 500 },
  ] as const)(
    'if the node has the fault $kind, the response is 503 with a retry delay, and a second node is used if there is one',
    async (fault) => {
      node.break(fault)
      const failed = await ask([node.url])
      expect(failed).toMatchObject({
        status: 503,
        body: { status: 'FAILED', reasons: [{ description: expect.any(String) }] },
      })
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
      const { body } = await ask([node.url, anvil.url])
      // The HTTP status does not reveal a node that responds with a JSON-RPC error or with an invalid result.
      if (fault.kind !== 'wrong-types')
        expect(body.fungibles).toMatchObject([{ price: expect.any(Number), symbol: 'ETH' }])
    },
  )

  test.each([
    { code: -32005, message: 'limit exceeded' },
    { code: -32000, message: 'Too many requests' },
    { code: -32000, message: 'header not found' },
    { code: -32603, message: 'Internal error' },
  ])('if a node rejects calls with $message, the response is 503 instead of unknown prices', async (error) => {
    reject = () => error
    expect(await ask([node.url])).toMatchObject({ status: 503 })
  })

  test('if a node does not have the state of earlier blocks, only the prices that depend on it are unknown', async () => {
    const isEarlier = ({ params }: { params?: readonly unknown[] }) => /^0x/.test(String(params?.[1]))
    reject = (call) => (isEarlier(call) ? { code: -32000, message: 'missing trie node' } : undefined)
    const { status, body } = await ask([node.url])
    expect({ status, price: body.fungibles[0].price }).toEqual({ status: 200, price: 0 })
  })

  test('a node of a different chain is not used', async () => {
    const other = await startAnvil({ chainId: 1 })
    const lines: string[] = []
    const log = (level: string, line: string, fields?: object) =>
      void lines.push(`${level} ${line} ${JSON.stringify(fields)}`)
    const options = { verifiesChains: true, log: log as never }
    expect(await ask([other.url], options)).toMatchObject({ status: 503 })
    expect(lines.join()).toContain('wrong-chain')
    const { body } = await ask([other.url, anvil.url], options)
    expect(body.fungibles[0].price).toBeGreaterThan(2_900)
    await other.stop()
  })
})

describe('prices from the operator’s source', () => {
  let source: FaultServer
  let requested: { currency: string; tokens: string[] }[] = []
  let prices: unknown
  beforeAll(async () => {
    source = await startFaultServer(async (request) => {
      requested.push((await request.json()) as never)
      return Response.json({ prices })
    })
  })
  afterAll(() => source.stop())
  beforeEach(() => {
    requested = []
  })
  afterEach(() => source.mend())

  const withSource = (options = {}) => serverFor({}, { config: { pricesUrl: source.url }, ...options })
  const ask = (server: ReturnType<typeof withSource>, currency: string, addresses: readonly string[]) =>
    server.post('/v1/fungible/price', { currency, addresses })

  test('its prices take precedence, with its timestamps, even in other currencies and for unlisted tokens', async () => {
    const lookalike = idOf(exchange.tokens.lookalike)
    prices = { [native]: { price: 2500.5, pricedAt: '2026-11-28T01:00:00Z' }, [lookalike]: { price: 0.5 } }
    const server = withSource({ now: () => Date.UTC(2026, 10, 28) })
    const { body } = await ask(server, 'eur', [native, lookalike, idOf(exchange.tokens.usdc)])
    expect(body.fungibles).toMatchObject([
      { price: 2500.5, pricedAt: '2026-11-28T01:00:00Z', priceSource: 'external' },
      { price: 0.5, pricedAt: '2026-11-28T00:00:00.000Z', priceSource: 'external' },
      // A price in dollars is not used as a price in euros.
      { price: 0 },
    ])
    expect(requested).toEqual([{ currency: 'eur', tokens: expect.arrayContaining([native, lookalike]) }])
  })

  test('tokens without a price in the source are priced by pools in dollars, and have no price in other currencies', async () => {
    prices = {}
    const server = withSource()
    expect((await ask(server, 'usd', [native])).body.fungibles[0]).toMatchObject({ priceSource: 'uniswap-v3' })
    expect((await ask(server, 'jpy', [native])).body.fungibles[0]).toMatchObject({ price: 0 })
  })

  test.each([
    ['negative', -1],
    ['text', '12'],
    ['beyond all reason', 1e300],
    ['null', null],
    ['zero', 0],
  ])('a price that is %s counts as unknown', async (_, price) => {
    prices = { [native]: { price }, __proto__: { price: 5 }, constructor: { price: 5 } }
    expect((await ask(withSource(), 'eur', [native])).body.fungibles[0]).toMatchObject({ price: 0 })
  })

  test.each([
    { kind: 'down' },
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 3_000_000 },
    { kind: 'status', code: 500 },
  ] as const)(
    'with the fault $kind, prices in dollars come from pools, and requests for other currencies fail with 503',
    async (fault) => {
      source.break(fault)
      const hurried = () => withSource({ sourceTimeoutMs: 200 })
      expect((await ask(hurried(), 'usd', [native])).body.fungibles[0]).toMatchObject({ priceSource: 'uniswap-v3' })
      expect(await ask(hurried(), 'eur', [native])).toMatchObject({
        status: 503,
        body: { reasons: [{ field: 'server' }] },
      })
    },
  )

  test('without a source, requests for currencies other than dollars fail with 400', async () => {
    expect(await ask(serverFor(), 'eur', [native])).toMatchObject({
      status: 400,
      body: { reasons: [{ field: 'currency' }] },
    })
  })

  test('concurrent requests share one request to the source, whose response is cached for 30 seconds, for each currency', async () => {
    prices = { [native]: { price: 3 } }
    let now = 0
    const server = withSource({ clock: () => now })
    await Promise.all(Array.from({ length: 20 }, () => ask(server, 'eur', [native])))
    now = 29_999
    await ask(server, 'eur', [native])
    expect(requested).toHaveLength(1)
    await ask(server, 'gbp', [native])
    now = 30_001
    await ask(server, 'eur', [native])
    expect(requested.map(({ currency }) => currency)).toEqual(['eur', 'gbp', 'eur'])
  })

  test('responses do not depend on earlier requests: each contains the address as its client wrote it', async () => {
    const { address } = exchange.tokens.usdc
    prices = {}
    const server = withSource()
    const spellings = [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]
    for (const spelling of spellings) {
      const { body } = await ask(server, 'usd', [`${chainId}:${spelling}`])
      expect(body.fungibles).toMatchObject([{ address: `${chainId}:${spelling}`, price: 1, symbol: 'tUSDC' }])
    }
  })
})
