import { type BuildTransactionBody, nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import { type Anvil, deployExchange, deployTestToken, startAnvil, startFaultServer } from '@latchkey/testing/node'
import {
  createTestClient,
  encodeAbiParameters,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseEther,
  parseSignature,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMetrics } from '../../monitoring/metrics.ts'
import { createUpstreams } from '../../rpcProxy/upstreamNodes.ts'
import type { ConvertProvider } from '../chainApiTypes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { createNodeBatch } from '../nodeBatch.ts'
import { createNodeClient } from '../nodeClient.ts'
import { createConvertProvider } from './convertProvider.ts'

const chainId = 'eip155:31337'
const signal = new AbortController().signal
const alice = privateKeyToAccount(testAccounts[0].privateKey)
const operator = '0x00000000000000000000000000000000000fee00'
const caip = (address: string) => `${chainId}:${address}`
const native = caip(nativeTokenAddress)
const user = caip(alice.address)

let anvil: Anvil
/** The exchange and the addresses of the tokens. `far` only has a pool with `usdc`, and `lonely` has none. */
let world: Record<'usdc' | 'usdt' | 'far' | 'lonely', Hex> & { exchange: NonNullable<ChainConfig['exchange']> }
let convert: ConvertProvider
let snapshot: Hex

const node = () =>
  createTestClient({ account: alice, mode: 'anvil', chain: anvil.chain, transport: http() })
    .extend(publicActions)
    .extend(walletActions)

beforeAll(async () => {
  anvil = await startAnvil()
  const far = await deployTestToken({ chain: anvil.chain })
  const { contracts, tokens } = await deployExchange({ chain: anvil.chain, token: far })
  const { usdc, usdt, unpriced } = tokens
  world = {
    exchange: contracts,
    far: far.address,
    usdc: usdc.address,
    usdt: usdt.address,
    lonely: unpriced.address,
  }
  convert = providerOf()
})
afterAll(() => anvil.stop())
// A swap in one test must not change the prices in the others.
beforeEach(async () => {
  snapshot = await node().snapshot()
})
afterEach(() => node().revert({ id: snapshot }))

function providerOf({
  url = anvil.url,
  fee,
  exchange,
}: {
  url?: string
  fee?: { bps: number; recipient: Hex }
  exchange?: Partial<ChainConfig['exchange']>
} = {}) {
  const chain: ChainConfig = {
    chainId,
    name: 'Anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls: [url],
    tokens: [
      {
        address: world.usdc,
        name: 'USD Coin',
        symbol: 'USDC',
        decimals: 6,
        eip2612: true,
        logoUri: 'https://img.example/u.png',
      },
      { address: world.far, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 },
    ],
    exchange: { ...world.exchange, fee, ...exchange },
  }
  const bare = { ...chain, chainId: 'eip155:5', exchange: undefined }
  const send = createUpstreams({
    upstreams: new Map([
      [chainId, [url]],
      ['eip155:5', [url]],
    ]),
    limits: { timeoutMs: 5_000, responseBytes: 1_000_000 },
    fetch,
    metrics: createMetrics(),
    log: () => {},
    clock: () => performance.now(),
  })
  const chains = new Map([chain, bare].map((each) => [each.chainId, each]))
  const nodes = createNodeClient({ chains, send, clock: () => performance.now() })
  return createConvertProvider({ nodes, callNode: createNodeBatch(send), now: Date.now })
}

const balance = (token: Hex, owner: Hex = alice.address) =>
  node().readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

/** Sends a transaction that the API has built, as a client would. */
async function submit(tx: { to: string; data: string }, value: bigint, gas?: string, gasPrice?: string) {
  const hash = await node().sendTransaction({
    to: tx.to.slice(tx.to.lastIndexOf(':') + 1) as Hex,
    data: tx.data as Hex,
    value,
    gas: gas === undefined ? 1_000_000n : BigInt(gas),
    ...(gasPrice === undefined ? {} : { gasPrice: BigInt(gasPrice) }),
  })
  // viem's waitForTransactionReceipt() waits for a higher block number than it has seen, which a reverted snapshot can prevent.
  return vi.waitFor(() => node().getTransactionReceipt({ hash }), { timeout: 20_000, interval: 10 })
}

async function swap(
  from: string,
  to: string,
  amount: bigint,
  more: Partial<BuildTransactionBody> = {},
  provider = convert,
) {
  const body = {
    amount: String(amount),
    from,
    to,
    userAddress: user,
    eip155: { slippage: 1 },
    disableEstimate: true,
    ...more,
  }
  const tx = await provider.buildTransaction(body, signal)
  const receipt = await submit(tx, from === native ? amount : 0n, tx.eip155.gas, tx.eip155.gasPrice)
  return { tx, receipt }
}

/** Approves as the client of the specification does: the transaction goes to the plain address of `tx.from`. */
async function approve(from: string, to: string, amount?: bigint, withUser = true) {
  const query = {
    from,
    to,
    ...(amount === undefined ? {} : { amount: String(amount) }),
    ...(withUser ? { userAddress: user } : {}),
  }
  const tx = await convert.buildApprove(query, signal)
  const receipt = await submit({ to: tx.from, data: tx.data }, BigInt(tx.value), undefined, tx.eip155?.gasPrice)
  return { tx, receipt }
}

describe('swaps on a real exchange', () => {
  test('swapping ETH for USDC yields exactly the quoted amount', async () => {
    const amount = parseEther('1')
    const [best] = await convert.quotes({ amount: String(amount), from: native, to: caip(world.usdc) }, signal)
    const before = await balance(world.usdc)
    const { tx, receipt } = await swap(native, caip(world.usdc), amount)
    expect(receipt.status).toBe('success')
    expect((await balance(world.usdc)) - before).toBe(BigInt(best?.toAmount ?? 0))
    expect(tx.amount).toBe(best?.toAmount)
    expect(tx.to).toBe(caip(world.exchange.router))
    expect(tx.from).toBe(user)
    expect(best).toMatchObject({ fromAmount: String(amount), fromAccount: native, toAccount: caip(world.usdc) })
  })

  test('swapping USDC for ETH requires an approval, and pays out the native currency', async () => {
    const amount = parseUnits('1000', 6)
    const [from, to] = [caip(world.usdc), native]
    expect(await convert.allowance({ tokenAddress: from, userAddress: user }, signal)).toBe('0')
    expect((await swap(from, to, amount)).receipt.status).toBe('reverted')
    await approve(from, to, amount)
    // An allowance that is equal to the amount is sufficient.
    expect(await convert.allowance({ tokenAddress: from, userAddress: user }, signal)).toBe(String(amount))
    const [best] = await convert.quotes({ amount: String(amount), from, to }, signal)
    const before = await node().getBalance({ address: alice.address })
    const { receipt } = await swap(from, to, amount)
    const fee = receipt.gasUsed * receipt.effectiveGasPrice
    expect((await node().getBalance({ address: alice.address })) - before + fee).toBe(BigInt(best?.toAmount ?? 0))
    expect(await convert.allowance({ tokenAddress: from, userAddress: user }, signal)).toBe('0')
  })

  test('a swap through two pools yields exactly the quoted amount', async () => {
    const amount = parseEther('1')
    const [best] = await convert.quotes({ amount: String(amount), from: native, to: caip(world.far) }, signal)
    const before = await balance(world.far)
    expect((await swap(native, caip(world.far), amount)).receipt.status).toBe('success')
    expect((await balance(world.far)) - before).toBe(BigInt(best?.toAmount ?? 0))
  })

  test('quotes are sorted by the received amount, highest first', async () => {
    const quotes = await convert.quotes({ amount: String(parseEther('5')), from: native, to: caip(world.usdc) }, signal)
    const amounts = quotes.map(({ toAmount }) => BigInt(toAmount))
    expect(amounts.length).toBeGreaterThan(1)
    expect(amounts).toEqual([...amounts].sort((a, b) => Number(b - a)))
  })

  test('a swap that would yield less than the slippage allows reverts and only costs the network fee', async () => {
    const amount = parseEther('1')
    const tx = await convert.buildTransaction(
      {
        amount: String(amount),
        from: native,
        to: caip(world.usdc),
        userAddress: user,
        eip155: { slippage: 1 },
        disableEstimate: true,
      },
      signal,
    )
    // Others buy before the transaction is mined, in each pool that it can use.
    for (const size of ['30', '30']) await swap(native, caip(world.usdc), parseEther(size))
    const [before, tokens] = [await node().getBalance({ address: alice.address }), await balance(world.usdc)]
    const receipt = await submit(tx, amount, tx.eip155.gas)
    expect(receipt.status).toBe('reverted')
    expect(await balance(world.usdc)).toBe(tokens)
    const fee = receipt.gasUsed * receipt.effectiveGasPrice
    expect(await node().getBalance({ address: alice.address })).toBe(before - fee)
    expect(BigInt(tx.minimumAmount ?? 0)).toBe(BigInt(tx.amount) - BigInt(tx.amount) / 100n)
  })

  test('a transaction reverts after its deadline', async () => {
    const amount = parseEther('1')
    const body = {
      amount: String(amount),
      from: native,
      to: caip(world.usdc),
      userAddress: user,
      eip155: { slippage: 1 },
    }
    const tx = await convert.buildTransaction(body, signal)
    await node().setNextBlockTimestamp({ timestamp: BigInt(tx.deadline ?? 0) + 1n })
    expect((await submit(tx, amount)).status).toBe('reverted')
  })

  test('the native currency is wrapped and unwrapped one to one, without an approval', async () => {
    const [amount, wrapped] = [parseEther('2'), caip(world.exchange.wrappedNative)]
    expect(await convert.quotes({ amount: String(amount), from: native, to: wrapped }, signal)).toEqual([
      { id: null, fromAmount: String(amount), toAmount: String(amount), fromAccount: native, toAccount: wrapped },
    ])
    expect((await swap(native, wrapped, amount)).receipt.status).toBe('success')
    expect(await balance(world.exchange.wrappedNative)).toBe(amount)
    expect((await swap(wrapped, native, amount)).receipt.status).toBe('success')
    expect(await balance(world.exchange.wrappedNative)).toBe(0n)
  })
})

describe('approvals', () => {
  test('the approval is sent to the plain address in tx.from, which repeats the token, and approves the router for that token only', async () => {
    const { tx, receipt } = await approve(caip(world.usdc), native, 5n, false)
    expect(tx).toMatchObject({ from: caip(world.usdc), to: caip(world.usdc), value: '0' })
    expect(BigInt(tx.eip155?.gasPrice ?? 0)).toBeGreaterThan(0n)
    expect(receipt.status).toBe('success')
    expect(await convert.allowance({ tokenAddress: caip(world.usdc), userAddress: user }, signal)).toBe('5')
    expect(await convert.allowance({ tokenAddress: caip(world.far), userAddress: user }, signal)).toBe('0')
  })

  test('without an amount, the approval is unlimited', async () => {
    await approve(caip(world.usdc), native)
    expect(await convert.allowance({ tokenAddress: caip(world.usdc), userAddress: user }, signal)).toBe(
      String(maxUint256),
    )
  })

  test('the native currency needs no approval, and building one is rejected with 400', async () => {
    expect(await convert.allowance({ tokenAddress: native, userAddress: user }, signal)).toBe(String(maxUint256))
    await expect(convert.buildApprove({ from: native, to: caip(world.usdc) }, signal)).rejects.toMatchObject({
      status: 400,
    })
  })

  test('a token like USDT is approved in two steps if a client requests an approval twice', async () => {
    const [from, to, amount] = [caip(world.usdt), native, parseUnits('100', 6)]
    await approve(from, to, 1n)
    const first = await approve(from, to, amount)
    expect(first.tx.resetsAllowance).toBe(true)
    expect(first.receipt.status).toBe('success')
    expect(await convert.allowance({ tokenAddress: from, userAddress: user }, signal)).toBe('0')
    const second = await approve(from, to, amount)
    expect(second.tx.resetsAllowance).toBeUndefined()
    expect(await convert.allowance({ tokenAddress: from, userAddress: user }, signal)).toBe(String(amount))
    const before = await balance(world.usdt)
    expect((await swap(from, to, amount)).receipt.status).toBe('success')
    expect(before - (await balance(world.usdt))).toBe(amount)
  })

  test('a token whose allowance can be changed directly is approved in one step', async () => {
    await approve(caip(world.usdc), native, 1n)
    expect((await approve(caip(world.usdc), native, 2n)).tx.resetsAllowance).toBeUndefined()
  })

  describe('by a permit', () => {
    async function permitOf({ value = maxUint256, spender = world.exchange.router, deadline = 9_999_999_999n } = {}) {
      const signature = await alice.signTypedData({
        domain: { name: 'USD Coin (test)', version: '1', chainId: 31337, verifyingContract: world.usdc },
        types: {
          Permit: [
            { name: 'owner', type: 'address' },
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        message: { owner: alice.address, spender, value, nonce: 0n, deadline },
      })
      const { v, r, s } = parseSignature(signature)
      const types = ['address', 'address', 'uint256', 'uint256', 'uint8', 'bytes32', 'bytes32'].map((type) => ({
        type,
      }))
      return encodeAbiParameters(types, [alice.address, spender, value, deadline, Number(v), r, s])
    }

    test('a swap with a permit needs no approval', async () => {
      const eip155 = { slippage: 1, permit: await permitOf() }
      const { receipt } = await swap(caip(world.usdc), native, parseUnits('10', 6), { eip155 })
      expect(receipt.status).toBe('success')
    })

    test.each([
      ['for another spender', () => permitOf({ spender: operator })],
      ['for a smaller amount', () => permitOf({ value: 1n })],
      ['that has expired', () => permitOf({ deadline: 1n })],
      ['of another kind', async () => '0x1234'],
    ])('a permit %s is rejected with 400', async (_, permit) => {
      const swapping = swap(caip(world.usdc), native, parseUnits('10', 6), {
        eip155: { slippage: 1, permit: await permit() },
      })
      await expect(swapping).rejects.toMatchObject({ status: 400, field: 'eip155.permit' })
    })
  })
})

describe('gas', () => {
  const body = () => ({
    amount: String(parseEther('1')),
    from: native,
    to: caip(world.usdc),
    userAddress: user,
    eip155: { slippage: 1 },
  })

  test('with disableEstimate, the gas is fixed', async () => {
    const tx = await convert.buildTransaction({ ...body(), disableEstimate: true }, signal)
    expect(tx.eip155.gas).toBe('250000')
  })

  test('without disableEstimate, the gas is the estimate plus 10%', async () => {
    const tx = await convert.buildTransaction(body(), signal)
    const to = tx.to.slice(tx.to.lastIndexOf(':') + 1) as Hex
    const estimate = await node().estimateGas({ account: alice, to, data: tx.data as Hex, value: parseEther('1') })
    const difference = Number(tx.eip155.gas) - Number((estimate * 110n) / 100n)
    // The deadlines differ by a second at most, which can change the gas for a byte of calldata.
    expect(Math.abs(difference)).toBeLessThan(100)
  })

  test('if the estimate fails because of the allowance, the request is rejected with 400', async () => {
    const building = convert.buildTransaction(
      { ...body(), amount: '1000000', from: caip(world.usdc), to: native },
      signal,
    )
    await expect(building).rejects.toMatchObject({ status: 400, message: expect.stringContaining('allowance') })
  })

  test('the fast price is at least the standard price, and the instant price at least the fast price', async () => {
    const { standard, fast, instant } = await convert.gasPrice(chainId, signal)
    expect(BigInt(standard)).toBeGreaterThan(0n)
    expect(BigInt(fast ?? 0)).toBeGreaterThanOrEqual(BigInt(standard))
    expect(BigInt(instant ?? 0)).toBeGreaterThanOrEqual(BigInt(fast ?? 0))
  })
})

describe('the operator’s fee', () => {
  const fee = { bps: 50, recipient: operator } as const

  test.each([
    ['a token', () => [native, caip(world.usdc), parseEther('1')] as const],
    ['the native currency', () => [caip(world.usdc), native, parseUnits('1000', 6)] as const],
  ])('is part of the quote for %s, and paid as quoted', async (_, pair) => {
    const provider = providerOf({ fee })
    const [from, to, amount] = pair()
    if (from !== native) await approve(from, to, amount)
    const [best] = await provider.quotes({ amount: String(amount), from, to }, signal)
    const [plain] = await convert.quotes({ amount: String(amount), from, to }, signal)
    const taken = BigInt(plain?.toAmount ?? 0) - BigInt(best?.toAmount ?? 0)
    expect(best?.fee).toEqual({ bps: 50, amount: String(taken), recipient: operator })
    const paid = () => (to === native ? node().getBalance({ address: operator }) : balance(world.usdc, operator))
    const before = await paid()
    const { tx, receipt } = await swap(from, to, amount, {}, provider)
    expect(receipt.status).toBe('success')
    expect((await paid()) - before).toBe(taken)
    expect(tx).toMatchObject({ amount: best?.toAmount, fee: best?.fee })
  })

  test('is absent by default', async () => {
    const [best] = await convert.quotes({ amount: String(parseEther('1')), from: native, to: caip(world.usdc) }, signal)
    expect(best).not.toHaveProperty('fee')
  })
})

describe('tokens', () => {
  test('the native currency comes first, then the tokens on the lists', async () => {
    expect(await convert.tokens(chainId, signal)).toEqual([
      { name: 'Ether', symbol: 'ETH', address: native, decimals: 18, logoUri: null, eip2612: false },
      {
        name: 'USD Coin',
        symbol: 'USDC',
        address: caip(world.usdc),
        decimals: 6,
        logoUri: 'https://img.example/u.png',
        eip2612: true,
      },
      { name: 'Test Dollar', symbol: 'TUSD', address: caip(world.far), decimals: 6, logoUri: null, eip2612: null },
    ])
  })
})

describe('invalid requests', () => {
  const quote = (more: object) => () =>
    convert.quotes({ amount: '1000', from: native, to: caip(world.usdc), ...more }, signal)
  const build = (more: object) => () =>
    convert.buildTransaction(
      { amount: '1000', from: native, to: caip(world.usdc), userAddress: user, eip155: { slippage: 1 }, ...more },
      signal,
    )

  test.each([
    ['tokens of a chain without an exchange', () => convert.tokens('eip155:5', signal), 'chainId'],
    ['tokens of an unknown chain', () => convert.tokens('eip155:999', signal), 'chainId'],
    ['tokens of another chain family', () => convert.tokens('solana:1', signal), 'chainId'],
    ['a quote between chains', quote({ to: `eip155:5:${nativeTokenAddress}` }), 'to'],
    ['a quote for the same token', quote({ to: native }), 'to'],
    ['a quote for nothing', quote({ amount: '0' }), 'amount'],
    ['a quote for less than the smallest unit of the other token', quote({ amount: '1000' }), 'amount'],
    ['a quote for more than an exchange can count', quote({ amount: '9'.repeat(78) }), 'amount'],
    ['a quote with a malformed token', quote({ from: caip('0x12') }), 'from'],
    ['a quote for a malformed account', quote({ userAddress: caip('alice') }), 'userAddress'],
    [
      'an account with a wrong checksum',
      quote({ userAddress: caip(`0x${alice.address.slice(2).toUpperCase().replace('A', 'a')}`) }),
      'userAddress',
    ],
    ['a transaction without eip155', build({ eip155: undefined }), 'eip155'],
    ['a transaction between chains', build({ to: `eip155:5:${nativeTokenAddress}` }), 'to'],
    [
      'a transaction of an account on another chain',
      build({ userAddress: `eip155:1:${alice.address}` }),
      'userAddress',
    ],
    [
      'an approval between chains',
      () => convert.buildApprove({ from: caip(world.usdc), to: `eip155:5:${nativeTokenAddress}` }, signal),
      'to',
    ],
    [
      'an allowance of something that is not a token',
      () => convert.allowance({ tokenAddress: user, userAddress: user }, signal),
      'tokenAddress',
    ],
  ])('%s is rejected with 400', async (_, request, field) => {
    await expect((async () => request())()).rejects.toMatchObject({ status: 400, field })
  })

  test('tokens without a pool are rejected with the message that clients recognize', async () => {
    await expect(quote({ to: caip(world.lonely) })()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('insufficient liquidity'),
    })
  })
})

describe('faulty nodes and settings', () => {
  test('an exchange that does not exist on the chain is reported before a token is approved', async () => {
    const provider = providerOf({ exchange: { router: '0x000000000000000000000000000000000000dEaD' } })
    const approving = provider.buildApprove({ from: caip(world.usdc), to: native }, signal)
    await expect(approving).rejects.toMatchObject({ status: 503 })
  })

  test.each([
    { kind: 'down' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 20_000_000 },
    { kind: 'status', code: 500 },
  ] as const)('with the fault $kind, quotes and gas prices are unavailable, not wrong', async (fault) => {
    const server = await startFaultServer(() => new Response())
    server.break(fault)
    const provider = providerOf({ url: server.url })
    const quoting = provider.quotes({ amount: '1000', from: native, to: caip(world.usdc) }, signal)
    await expect(quoting).rejects.toMatchObject({ status: 503 })
    await expect(provider.gasPrice(chainId, signal)).rejects.toMatchObject({ status: 503 })
    await server.stop()
  })

  /** A node that returns a different result for one method. */
  const nodeWith = (method: string, answer: object) =>
    startFaultServer(async (request) => {
      const body = (await request.json()) as never
      const calls = (Array.isArray(body) ? body : [body]) as { id: number; method: string }[]
      const answers = await Promise.all(
        calls.map(async (call) => {
          if (call.method === method) return { jsonrpc: '2.0', id: call.id, ...answer }
          const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
          return (await fetch(anvil.url, init)).json()
        }),
      )
      return Response.json(Array.isArray(body) ? answers : answers[0])
    })

  test('a node that rejects calls is not reported as insufficient liquidity', async () => {
    const server = await nodeWith('eth_call', { error: { code: -32005, message: 'rate limit exceeded' } })
    const quoting = providerOf({ url: server.url }).quotes(
      { amount: '1000', from: native, to: caip(world.usdc) },
      signal,
    )
    await expect(quoting).rejects.toMatchObject({ status: 503 })
    await server.stop()
  })

  test('without a fee history, gas prices are multiples of the gas price', async () => {
    const server = await nodeWith('eth_feeHistory', { error: { code: -32601, message: 'not found' } })
    const price = await node().getGasPrice()
    expect(await providerOf({ url: server.url }).gasPrice(chainId, signal)).toEqual({
      standard: String(price),
      fast: String((price * 115n) / 100n),
      instant: String((price * 130n) / 100n),
    })
    await server.stop()
  })

  test.each([
    ['eth_feeHistory', { result: { baseFeePerGas: [`0x${'f'.repeat(64)}`], reward: [] } }],
    ['eth_feeHistory', { result: { baseFeePerGas: ['0x1', '0x2'], reward: [['0x1']] } }],
  ])('implausible values in the response to %s are ignored', async (method, answer) => {
    const server = await nodeWith(method, answer)
    expect(await providerOf({ url: server.url }).gasPrice(chainId, signal)).toMatchObject({
      standard: String(await node().getGasPrice()),
    })
    await server.stop()
  })
})
