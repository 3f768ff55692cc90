import { formatUnits } from '@latchkey/protocol/amount'
import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PortfolioState, Token } from '../account/portfolioTypes.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { createStore } from '../lib/store.ts'
import { draftEntry } from '../storage/draftStorage.ts'
import { fakeConnector, fakeNetwork, fakeSession, type MemoryStorage, memoryStorage } from '../testing/index.ts'
import { createSwap } from './createSwap.ts'
import { createSwapApiClient } from './swapApiClient.ts'
import { swapDraftSchema } from './swapDraft.ts'
import type { SwapExchange } from './trustedExchanges.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = '0x1111111111111111111111111111111111111111'
const chain = 'eip155:31337'
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const fake = '0x00000000000000000000000000000000000fa4e0'
const router = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45'
const usdcId = `${chain}:${usdc}`
const nativeId = `${chain}:${nativeTokenAddress}`
const ether = 10n ** 18n

const abi = parseAbi([
  'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(Path params) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function approve(address spender, uint256 amount)',
])

/** A server that swaps one ether for 3,000 dollars, without any fee. */
function fakeServer(clock: { now(): number }) {
  const requests: { path: string; params: Record<string, string> }[] = []
  const server = {
    requests,
    price: 3_000n,
    allowance: 0n,
    /** Whether the token requires that its allowance is reset. */
    resets: false,
    /** The paths that do not respond, or respond with a status. */
    failing: new Map<string, number | 'down'>(),
    reason: '',
    waits: undefined as Promise<unknown> | undefined,
    change: (_path: string, answer: object): object => answer,
    of: (path: string) => requests.filter((request) => request.path === path).map(({ params }) => params),
  }
  const out = (from: string, amount: bigint) =>
    from === nativeId ? (amount * server.price) / 10n ** 12n : (amount * 10n ** 12n) / server.price
  const answers: Record<string, (params: Record<string, string>) => object> = {
    'supported-chains': () => ({ http: [chain, 'eip155:1', 'eip155:10'], ws: [], swaps: [chain] }),
    'convert/tokens': ({ chainId }) => ({
      tokens: [
        { name: 'Ether', symbol: 'ETH', address: `${chainId}:${nativeTokenAddress}`, decimals: 18 },
        { name: 'US Dollar', symbol: 'USDC', address: `${chainId}:${usdc}`, decimals: 6 },
        { name: 'Wrapped Ether', symbol: 'WETH', address: `${chainId}:${weth}`, decimals: 18 },
      ],
    }),
    'fungible/price': ({ addresses }) => ({
      fungibles: (addresses as unknown as string[]).map((id) => ({
        address: id,
        name: '',
        symbol: '',
        price: id === usdcId ? 1 : id === nativeId ? 3_000 : 0,
      })),
    }),
    'convert/gas-price': () => ({ standard: '10000000000' }),
    'convert/quotes': ({ amount = '0', from = '', to = '' }) => ({
      quotes: [
        { id: null, fromAmount: amount, toAmount: String(out(from, BigInt(amount))), fromAccount: from, toAccount: to },
      ],
    }),
    'convert/allowance': () => ({ allowance: String(server.allowance) }),
    'convert/build-approve': ({ from = '', to = '', amount = '0' }) => {
      const isReset = server.resets && server.allowance > 0n
      const args = [router, isReset ? 0n : BigInt(amount)] as const
      const data = encodeFunctionData({ abi, functionName: 'approve', args })
      return { tx: { from, to, data, value: '0', ...(isReset && { resetsAllowance: true }) } }
    },
    'convert/build-transaction': ({ amount = '0', from = '', userAddress = '' }) => {
      const received = out(from, BigInt(amount))
      const minimum = (received * 99n) / 100n
      const isFromNative = from === nativeId
      const path = concat([isFromNative ? weth : usdc, numberToHex(500, { size: 3 }), isFromNative ? usdc : weth])
      const recipient = isFromNative ? address : '0x0000000000000000000000000000000000000002'
      const params = { path, recipient, amountIn: BigInt(amount), amountOutMinimum: minimum } as const
      const calls: Hex[] = [encodeFunctionData({ abi, functionName: 'exactInput', args: [params] })]
      if (!isFromNative) calls.push(encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [minimum, address] }))
      const deadline = Math.floor(clock.now() / 1000) + 1_200
      return {
        tx: {
          from: userAddress,
          to: `${chain}:${router}`,
          data: encodeFunctionData({ abi, functionName: 'multicall', args: [BigInt(deadline), calls] }),
          amount: String(received),
          minimumAmount: String(minimum),
          deadline,
          eip155: { gas: '200000', gasPrice: '10000000000' },
        },
      }
    },
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const path = url.pathname.replace('/v1/', '')
    const params = { ...Object.fromEntries(url.searchParams), ...(init?.body ? JSON.parse(String(init.body)) : {}) }
    requests.push({ path, params })
    if (path.startsWith('convert/quotes')) await server.waits
    const failing = server.failing.get(path)
    if (failing === 'down') throw new TypeError('Failed to fetch')
    if (failing !== undefined) {
      const reasons = [{ field: 'amount', description: server.reason }]
      return Response.json({ status: 'FAILED', reasons }, { status: failing })
    }
    const answer = answers[path]
    return answer ? Response.json(server.change(path, answer(params))) : new Response(null, { status: 404 })
  }
  return { ...server, server, fetch }
}

interface Sent {
  readonly to: string
  readonly data?: string
  readonly value?: bigint
}

function setup({
  stored = memoryStorage(),
  tokens = owned,
  exchanges = { [chain]: { router, wrappedNative: weth } },
  reserved = new Set(),
}: {
  stored?: MemoryStorage
  tokens?: readonly Token[]
  exchanges?: Readonly<Record<ChainId, SwapExchange>>
  /** The reservations of all tabs. */
  reserved?: Set<string>
} = {}) {
  const clock = fakeClock()
  const { server, fetch } = fakeServer(clock)
  const sent: Sent[] = []
  const activity: unknown[] = []
  const events: AnalyticsEvent[] = []
  const refreshed: unknown[] = []
  const statuses = new Map<string, 'pending' | 'done' | 'failed'>()
  const wallet = {
    answer: async (_: Sent): Promise<{ hash: string }> => ({ hash: `0x${String(sent.length).padStart(64, '0')}` }),
    account: `${chain}:${address}` as AccountId<'eip155'>,
    chain: chain as `eip155:${string}`,
    isConnected: true,
    type: 'eoa',
  }
  const changes = new Set<() => void>()
  const visible = new Set<() => void>()
  const page = { hidden: false }
  const portfolio = createStore<PortfolioState>({
    account: wallet.account,
    tokens: { status: 'ready', value: tokens },
  })
  const decimals = new Map<string, number | undefined>([
    [usdc, 6],
    [weth, 18],
  ])
  const symbols = new Map<string, string | undefined>([
    [usdc, 'USDC'],
    [weth, 'WETH'],
  ])
  const swap = createSwap({
    server: createSwapApiClient({
      api: createChainApiClient({ url: 'https://connect.shop.example', projectId: 'shop', fetch, clock }),
      clock,
    }),
    portfolio: {
      state: portfolio,
      refresh: async (params) => void refreshed.push(params?.force),
      poll: async () => undefined,
      add: async () => undefined,
      stop: () => undefined,
    },
    now: () =>
      wallet.isConnected
        ? {
            account: wallet.account,
            network: fakeNetwork(wallet.chain, { nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }),
            session: {
              ...fakeSession(fakeConnector(), {
                chain: wallet.chain,
                addresses: [address],
                can: {
                  sendTransaction: async (transaction) => {
                    sent.push(transaction)
                    return wallet.answer(transaction)
                  },
                },
              }),
              details: { type: wallet.type },
            },
          }
        : undefined,
    onChange(listener) {
      changes.add(listener)
      return () => changes.delete(listener)
    },
    page: {
      isHidden: () => page.hidden,
      onVisible(listener) {
        visible.add(listener)
        return () => visible.delete(listener)
      },
    },
    exchanges,
    draft: draftEntry({ storage: () => stored, log: { warn() {} } }, 'swap', swapDraftSchema),
    activity: { add: (transaction) => void activity.push(transaction) },
    transactionStatus: async (hash) => statuses.get(hash) ?? 'pending',
    tokenDecimals: async (token) => decimals.get(token.toLowerCase()),
    tokenSymbol: async (token) => symbols.get(token.toLowerCase()),
    async reserve(name) {
      if (reserved.has(name)) return undefined
      reserved.add(name)
      return () => reserved.delete(name)
    },
    refreshBalances: () => void refreshed.push('balances'),
    isSmartAccount: () => false,
    track: (event) => events.push(event),
    clock,
    log: { info() {} },
  })
  const change = (next: Partial<typeof wallet>) => {
    Object.assign(wallet, next)
    for (const listener of changes) listener()
  }
  const show = () => {
    page.hidden = false
    for (const listener of visible) listener()
  }
  const state = () => swap.state.get()
  return {
    clock,
    server,
    sent,
    activity,
    events,
    refreshed,
    statuses,
    wallet,
    page,
    portfolio,
    decimals,
    symbols,
    swap,
    change,
    show,
    state,
    stored,
  }
}

const owned: readonly Token[] = [
  {
    id: 'native',
    chain,
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    amount: 10n * ether,
    price: { amount: '3000', at: 0 },
  },
  { id: usdcId, chain, address: usdc, name: 'US Dollar', symbol: 'USDC', decimals: 6, amount: 5_000_000_000n },
]

let at: ReturnType<typeof setup>
beforeEach(() => {
  at = setup()
})

/** Opens the form with a quote for one ether in dollars, or for the dollars in ether. */
async function quoted(world = at, from: 'ETH' | 'USDC' = 'ETH', amount = from === 'ETH' ? '1' : '3000') {
  await world.swap.open({ from, to: from === 'ETH' ? 'USDC' : 'ETH', amount })
  await world.clock.pass(0)
  expect(world.state().quote.status).toBe('ready')
}

/** Opens the review. */
async function reviewed(world = at, from: 'ETH' | 'USDC' = 'ETH') {
  await quoted(world, from)
  expect(world.swap.review()).toBe(true)
  await world.clock.pass(0)
}

const confirm = async (world = at) => {
  void world.swap.confirm({ label: 'Swap' })
  await world.clock.pass(0)
}

describe('the form', () => {
  test('starts with the network’s currency selected, and lists the server’s tokens with their balances', async () => {
    await at.swap.open()
    const { from, to, amount, tokens, supported, problem } = at.state()
    expect({ from: from?.id, to, amount, supported, problem }).toEqual({
      from: 'native',
      to: undefined,
      amount: '',
      supported: true,
      problem: 'no-token',
    })
    expect(tokens.value?.all.map(({ symbol, balance }) => [symbol, balance])).toEqual([
      ['ETH', 10n * ether],
      ['USDC', 5_000_000_000n],
      ['WETH', 0n],
    ])
    expect(tokens.value?.suggested.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC', 'WETH'])
    expect(tokens.value?.own.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
    const { value = [] } = at.portfolio.get().tokens
    const spent = value.map((token) => (token.symbol === 'USDC' ? { ...token, amount: 0n } : token))
    at.portfolio.set({ account: `${chain}:${address}`, tokens: { status: 'ready', value: spent } })
    expect(at.state().tokens.value?.own.map(({ symbol }) => symbol)).toEqual(['ETH'])
    expect(at.events[0]).toEqual({ event: 'OPEN_SWAP', properties: { isSmartAccount: false, network: chain } })
  })

  test('the list of tokens is requested once per network', async () => {
    await at.swap.open()
    at.change({ account: `eip155:10:${address}`, chain: 'eip155:10' })
    await at.clock.pass(0)
    at.change({ account: `${chain}:${address}`, chain })
    await at.clock.pass(0)
    expect(at.server.of('convert/tokens').map(({ chainId }) => chainId)).toEqual([chain, 'eip155:10'])
  })

  test('one quote is requested 200 ms after the last change, with the amount in base units', async () => {
    await at.swap.open({ to: 'USDC' })
    for (const amount of ['1', '1.', '1.5']) {
      at.swap.setAmount(amount)
      await at.clock.pass(199)
    }
    expect(at.server.of('convert/quotes')).toEqual([])
    await at.clock.pass(1)
    expect(at.server.of('convert/quotes')).toMatchObject([
      {
        amount: '1500000000000000000',
        from: nativeId,
        to: usdcId,
        userAddress: `${chain}:${address}`,
        gasPrice: '10000000000',
      },
    ])
    at.swap.setAmount('0.000499999999999999')
    await at.clock.pass(200)
    expect(at.server.of('convert/quotes').at(-1)?.amount).toBe('499999999999999')
  })

  test('clearing the amount clears the quote, and requests nothing', async () => {
    await quoted()
    const before = at.server.of('convert/quotes').length
    for (const amount of ['', '0']) {
      at.swap.setAmount(amount)
      expect(at.state()).toMatchObject({ amount, quote: { status: 'idle' } })
      await at.clock.pass(1_000)
    }
    expect(at.server.of('convert/quotes')).toHaveLength(before)
  })

  test('tokens are sorted by symbol, regardless of the order of the server’s list', async () => {
    at.server.change = (path, answer) =>
      path === 'convert/tokens' ? { tokens: (answer as { tokens: object[] }).tokens.toReversed() } : answer
    await at.swap.open()
    expect(at.state().tokens.value?.all.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC', 'WETH'])
  })

  test('no quote is requested for an amount of 0 or for text that is not an amount', async () => {
    await at.swap.open({ to: 'USDC' })
    for (const [amount, problem] of [
      ['0', 'no-amount'],
      ['0.00', 'no-amount'],
      ['', 'no-amount'],
      ['1.0000000000000000001', 'invalid-amount'],
    ] as const) {
      at.swap.setAmount(amount)
      await at.clock.pass(1_000)
      expect(at.state()).toMatchObject({ amount, problem, quote: { status: 'idle' } })
    }
    for (const text of ['1,5', '-1', '1e3', '0x1', '1'.repeat(101)]) at.swap.setAmount(text)
    expect(at.state().amount).toBe('1.0000000000000000001')
    expect(at.server.of('convert/quotes')).toEqual([])
  })

  test('a quote has the rate, the price impact, the minimum after 1% slippage and the network fee [R9.2]', async () => {
    at.server.price = 2_970n
    await quoted()
    expect(at.state().quote.value).toMatchObject({
      received: 2_970_000_000n,
      minimum: 2_940_300_000n,
      rate: '2970',
      impactBps: 100,
      networkFee: 150_000n * 10_000_000_000n,
      networkFeeFiat: '4.5',
    })
    expect(at.state().problem).toBeUndefined()
  })

  test('if a price is unknown, the price impact is unknown and the swap can be reviewed', async () => {
    at = setup({ tokens: owned.map(({ price: _, ...token }) => token) })
    at.server.failing.set('fungible/price', 503)
    await quoted()
    expect(at.state().quote.value).toMatchObject({ impactBps: undefined })
    expect(at.state().quote.value).not.toHaveProperty('networkFeeFiat')
    expect(at.state().problem).toBeUndefined()
  })

  test('a price of 0 is treated as unknown', async () => {
    at = setup({ tokens: owned.map(({ price: _, ...token }) => token) })
    at.server.change = (path, answer) =>
      path === 'fungible/price'
        ? { fungibles: (answer as { fungibles: object[] }).fungibles.map((item) => ({ ...item, price: 0 })) }
        : answer
    await quoted()
    expect(at.state().from?.price).toBeUndefined()
    expect(at.state().quote.value).toMatchObject({ impactBps: undefined })
    expect(at.state().quote.value).not.toHaveProperty('networkFeeFiat')
  })

  test('a stale quote is ignored, regardless of the order in which the quotes arrive', async () => {
    await quoted()
    let answer: (value?: unknown) => void = () => {}
    at.server.waits = new Promise((resolve) => (answer = resolve))
    at.swap.setAmount('2')
    await at.clock.pass(200)
    at.server.waits = undefined
    at.swap.setAmount('3')
    expect(at.state().quote).toEqual({ status: 'loading' })
    await at.clock.pass(200)
    expect(at.state().quote.value?.received).toBe(9_000_000_000n)
    answer()
    await at.clock.pass(0)
    expect(at.state().quote.value?.received).toBe(9_000_000_000n)
  })

  test('flipping requests exactly one quote, for the reversed sides and the previously received amount', async () => {
    at.server.price = 3_000n
    await quoted()
    const before = at.server.of('convert/quotes').length
    at.swap.flip()
    await at.clock.pass(500)
    expect(at.server.of('convert/quotes').slice(before)).toMatchObject([
      { from: usdcId, to: nativeId, amount: '3000000000' },
    ])
    expect(at.state().amount).toBe('3000')
    at.swap.setAmount('')
    at.swap.flip()
    expect(at.state().amount).toBe('1')
  })

  test('flipping enters the amount that would have been received, with at most six decimal places', async () => {
    await quoted(at, 'USDC', '1000')
    expect(at.state().quote.value?.received).toBe(333_333_333_333_333_333n)
    at.swap.flip()
    expect(at.state()).toMatchObject({ amount: '0.333333', from: { symbol: 'ETH' } })
  })

  test('flipping does nothing while the tokens are loading', () => {
    void at.swap.open()
    at.swap.flip()
    expect(at.state()).toMatchObject({ from: undefined, to: undefined, amount: '' })
  })

  test('choosing the other side’s token swaps the sides', async () => {
    await quoted()
    at.swap.setToken('to', 'native')
    expect([at.state().from?.symbol, at.state().to?.symbol]).toEqual(['USDC', 'ETH'])
  })

  test('the maximum reserves the network fee if the network’s currency is swapped', async () => {
    await at.swap.open({ from: 'ETH', to: 'USDC' })
    at.swap.setMax()
    await at.clock.pass(0)
    expect(at.state().amount).toBe(formatUnits(10n * ether - 400_000n * 10_000_000_000n, 18))
    at.swap.setToken('from', usdcId)
    at.swap.setMax()
    await at.clock.pass(0)
    expect(at.state().amount).toBe('5000')
  })

  test.each([
    ['a balance that is too small', '10.1', 'insufficient-balance'],
    ['a balance that does not suffice for the network fee as well', '10', 'insufficient-gas'],
  ])('%s is a problem', async (_, amount, problem) => {
    await quoted(at, 'ETH', amount)
    expect(at.state().problem).toBe(problem)
    expect(at.swap.review()).toBe(false)
  })

  test('an account without the network’s currency cannot pay the fee, even if the fee is unknown', async () => {
    at = setup({ tokens: owned.map((token) => (token.id === 'native' ? { ...token, amount: 0n } : token)) })
    at.server.failing.set('convert/gas-price', 503)
    await quoted(at, 'USDC')
    expect(at.state().quote.value).not.toHaveProperty('networkFee')
    expect(at.state().problem).toBe('insufficient-gas')
  })

  test('a smart account, whose fees a paymaster can pay, can swap without the network’s currency', async () => {
    at = setup({ tokens: owned.map((token) => (token.id === 'native' ? { ...token, amount: 0n } : token)) })
    await quoted(at, 'USDC')
    expect(at.state().problem).toBe('insufficient-gas')
    at.wallet.type = 'smartAccount'
    await quoted(at, 'USDC')
    expect(at.state().problem).toBeUndefined()
  })

  test('a lack of liquidity and an unresponsive server are reported as different problems', async () => {
    at.server.failing.set('convert/quotes', 400)
    at.server.reason = 'There is insufficient liquidity'
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state()).toMatchObject({ problem: 'no-liquidity', quote: { status: 'failed' } })
    at.server.failing.set('convert/quotes', 'down')
    at.swap.retry()
    await at.clock.pass(0)
    expect(at.state()).toMatchObject({ problem: 'no-quote', amount: '1' })
    at.server.failing.clear()
    at.swap.retry()
    await at.clock.pass(0)
    expect(at.state().problem).toBeUndefined()
  })

  test.each([
    ['no quote', []],
    ['a quote of nothing', [{ fromAmount: String(ether), toAmount: '0', fromAccount: nativeId, toAccount: usdcId }]],
    ['a quote without an amount', [{ fromAmount: String(ether), fromAccount: nativeId, toAccount: usdcId }]],
  ])('%s is reported as a lack of liquidity, and the swap cannot be reviewed', async (_, quotes) => {
    at.server.change = (path, answer) => (path === 'convert/quotes' ? { quotes } : answer)
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state()).toMatchObject({ problem: 'no-liquidity', quote: { status: 'failed' } })
    expect(at.swap.review()).toBe(false)
  })

  test('a quote for other tokens or another amount is rejected', async () => {
    at.server.change = (path, answer) =>
      path === 'convert/quotes'
        ? { quotes: (answer as { quotes: object[] }).quotes.map((quote) => ({ ...quote, fromAmount: '1' })) }
        : answer
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state().quote).toMatchObject({ status: 'failed', error: { code: 'swap/mismatch' } })
  })

  test('on an unsupported network, no quote is requested', async () => {
    at.change({ account: `eip155:999:${address}`, chain: 'eip155:999' })
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state()).toMatchObject({ supported: false, tokens: { status: 'idle' } })
    expect(await at.swap.supported()).toBe(false)
    expect(at.server.requests.map(({ path }) => path)).toEqual(['supported-chains'])
  })

  test('swaps work on the specification’s networks and on those for which the operator has an exchange', async () => {
    for (const [id, isSupported] of [
      [1, true],
      [10, true],
      [31337, true],
      [42161, false],
      [11155111, false],
    ] as const) {
      at.change({ account: `eip155:${id}:${address}`, chain: `eip155:${id}` })
      expect(await at.swap.supported()).toBe(isSupported)
    }
    // The list of chains includes all of them.
    expect(at.server.requests.map(({ path }) => path)).toEqual(['supported-chains'])
  })

  test('the tokens can be requested again after a failure, and no input is lost', async () => {
    at.server.failing.set('convert/tokens', 503)
    await at.swap.open({ amount: '2' })
    expect(at.state()).toMatchObject({ tokens: { status: 'failed', error: { code: 'swap/not-loaded' } }, amount: '2' })
    at.server.failing.clear()
    at.swap.retry()
    await at.clock.pass(0)
    expect(at.state()).toMatchObject({ tokens: { status: 'ready' }, from: { symbol: 'ETH' }, amount: '2' })
  })

  test('the input is kept after a reload, and after switching to another network and back', async () => {
    await quoted()
    const again = setup({ stored: at.stored })
    expect(again.state().amount).toBe('1')
    await again.swap.open()
    expect(again.state()).toMatchObject({ from: { symbol: 'ETH' }, to: { symbol: 'USDC' }, amount: '1' })
    again.change({ account: `eip155:10:${address}`, chain: 'eip155:10' })
    await again.clock.pass(0)
    expect(again.state()).toMatchObject({ from: { symbol: 'ETH' }, to: undefined, amount: '1', chain: 'eip155:10' })
    again.change({ account: `${chain}:${address}`, chain })
    await again.clock.pass(0)
    expect(again.state()).toMatchObject({ to: { symbol: 'USDC', chain }, amount: '1' })
  })

  test('presets have no effect if the tokens load more than five seconds later', async () => {
    let respond: () => void = () => {}
    const waits = new Promise<void>((resolve) => (respond = resolve))
    const supports = at.server.change
    at.server.change = supports
    const slow = setup()
    slow.server.failing.set('convert/tokens', 503)
    void slow.swap.open({ to: 'WETH' })
    await slow.clock.pass(5_000)
    slow.server.failing.clear()
    slow.swap.retry()
    await slow.clock.pass(0)
    respond()
    await waits
    expect(slow.state()).toMatchObject({ tokens: { status: 'ready' }, to: undefined })
  })

  test('a fake token with a known symbol is neither preset nor suggested, and spam is not listed', async () => {
    const imitation: Token = {
      id: `${chain}:${fake}`,
      chain,
      address: fake,
      name: 'USDC',
      symbol: 'USDC',
      decimals: 6,
      amount: 1n,
    }
    at = setup({ tokens: [...owned, { ...imitation, hidden: 'unlisted' }] })
    await at.swap.open({ to: 'usdc' })
    expect(at.state().to?.id).toBe(usdcId)
    const { all = [], suggested = [] } = at.state().tokens.value ?? {}
    expect(all.filter(({ unlisted }) => unlisted).map(({ id }) => id)).toEqual([`${chain}:${fake}`])
    expect(suggested.some(({ unlisted }) => unlisted)).toBe(false)
    at = setup({ tokens: [...owned, { ...imitation, hidden: 'spam' }] })
    await at.swap.open()
    expect(at.state().tokens.value?.all.some(({ id }) => id === `${chain}:${fake}`)).toBe(false)
  })

  test('a token whose contract reports different decimal places than the server cannot be swapped', async () => {
    at.decimals.set(usdc, 18)
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state().problem).toBe('token-mismatch')
    expect(at.swap.review()).toBe(false)
    at = setup({ tokens: owned.map((token) => (token.id === usdcId ? { ...token, decimals: 8 } : token)) })
    await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
    expect(at.state().problem).toBe('token-mismatch')
  })
})

test.each([
  ['decimal places', (world: typeof at) => world.decimals.delete(usdc), 'decimals'],
  ['symbol', (world: typeof at) => world.symbols.delete(usdc), 'symbol'],
  ['exact symbol', (world: typeof at) => world.symbols.set(usdc, 'USDC.e'), 'symbol'],
] as const)(
  'a token whose contract does not report its %s is only swapped after a confirmation',
  async (_, change, part) => {
    for (const from of ['ETH', 'USDC'] as const) {
      const world = setup()
      world.server.allowance = 3_000_000_000n
      change(world)
      await reviewed(world, from)
      expect(world.state().review).toMatchObject({ status: 'ready', unverified: [part] })
      await confirm(world)
      expect(world.sent).toEqual([])
      world.swap.confirmUnverified(true)
      await confirm(world)
      expect(world.sent).toHaveLength(1)
    }
  },
)

test.each(['from', 'to'] as const)(
  'a token whose contract reports another symbol cannot be swapped as `%s`',
  async (side) => {
    at.symbols.set(usdc, 'WBTC')
    await at.swap.open({ [side]: 'USDC', [side === 'from' ? 'to' : 'from']: 'ETH', amount: '1' })
    await at.clock.pass(0)
    expect(at.state().problem).toBe('token-mismatch')
    expect(at.swap.review()).toBe(false)
  },
)

test('a token that is listed with the symbol of a well-known one cannot be swapped', async () => {
  at.change({ account: `eip155:1:${address}`, chain: 'eip155:1' })
  at.server.change = (path, answer) =>
    path === 'convert/tokens'
      ? { tokens: [{ name: 'US Dollar', symbol: 'USDC', address: `eip155:1:${fake}`, decimals: 6 }] }
      : answer
  at.symbols.set(fake, 'USDC')
  at.decimals.set(fake, 6)
  await at.swap.open({ from: 'ETH', to: 'USDC', amount: '1' })
  await at.clock.pass(0)
  expect(at.state()).toMatchObject({ to: { address: expect.stringMatching(/fa4e0$/i) }, problem: 'token-mismatch' })
})

test('the price impact is unknown if the prices imply a large gain, because one of them must be wrong', async () => {
  at.server.change = (path, answer) => {
    if (path !== 'fungible/price') return answer
    const { fungibles } = answer as { fungibles: { price: number }[] }
    return { fungibles: fungibles.map((item) => ({ ...item, price: item.price * (item.price === 1 ? 1_000 : 1) })) }
  }
  await quoted()
  expect(at.state().quote.value?.impactBps).toBeUndefined()
})

describe('two tabs', () => {
  const reserved = new Set<string>()
  const tabs = async () => {
    reserved.clear()
    const both = [setup({ reserved }), setup({ reserved })] as const
    for (const tab of both) await reviewed(tab)
    return both
  }

  test('do not both send the same swap to the wallet, unless the user dismisses the warning in the second tab', async () => {
    const [first, second] = await tabs()
    first.wallet.answer = () => new Promise(() => undefined)
    await confirm(first)
    await confirm(second)
    expect(second.sent).toEqual([])
    expect(second.state()).toMatchObject({ unconfirmed: true, review: { status: 'ready' } })
    await confirm(second)
    expect(second.sent).toEqual([])
    second.swap.dismissUnconfirmed()
    await second.clock.pass(0)
    await confirm(second)
    expect(second.sent).toHaveLength(1)
  })

  test('do not repeat a swap that was sent less than ten minutes ago, but can repeat a declined one immediately', async () => {
    const [first, second] = await tabs()
    await confirm(first)
    await confirm(second)
    expect(second.sent).toEqual([])
    await first.clock.pass(600_000)
    expect(reserved.size).toBe(0)

    const [third, fourth] = await tabs()
    third.wallet.answer = () => Promise.reject(new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' }))
    await confirm(third)
    expect(third.sent).toHaveLength(1)
    await confirm(fourth)
    expect(fourth.sent).toHaveLength(1)
  })
})

describe('polling', () => {
  test('a quote is requested every ten seconds while it is displayed, and not while the page is hidden', async () => {
    await quoted()
    const quotes = () => at.server.of('convert/quotes').length
    const first = quotes()
    const stop = at.swap.watch()
    await at.clock.pass(10_000)
    expect(quotes()).toBe(first + 1)
    at.server.price = 3_100n
    await at.clock.pass(10_000)
    expect(at.state().quote.value?.received).toBe(3_100_000_000n)
    at.page.hidden = true
    await at.clock.pass(30_000)
    expect(quotes()).toBe(first + 2)
    at.show()
    await at.clock.pass(0)
    expect(quotes()).toBe(first + 3)
    at.page.hidden = true
    await at.clock.pass(5_000)
    at.show()
    await at.clock.pass(0)
    expect(quotes()).toBe(first + 3)
    stop()
    await at.clock.pass(60_000)
    expect(quotes()).toBe(first + 3)
  })

  test('a quote that is older than 30 seconds is not reviewed', async () => {
    await quoted()
    await at.clock.pass(30_001)
    expect(at.swap.review()).toBe(false)
    await at.clock.pass(0)
    expect(at.swap.review()).toBe(true)
  })
})

describe('the review', () => {
  test('the network’s currency is swapped without an approval, once, with the figures of the built transaction [R9.2]', async () => {
    await reviewed()
    expect(at.state().review).toMatchObject({
      status: 'ready',
      step: 'swap',
      hasApproval: false,
      unverified: [],
      hasWorsened: false,
      contract: router,
      quote: { received: 3_000_000_000n, minimum: 2_970_000_000n, networkFee: 200_000n * 10_000_000_000n },
    })
    expect(at.server.of('convert/build-transaction')).toMatchObject([
      { amount: String(ether), eip155: { slippage: 1 }, disableEstimate: true },
    ])
    expect(at.server.of('convert/allowance')).toEqual([])
    void at.swap.confirm({ label: 'Swap 1 ETH' })
    void at.swap.confirm({ label: 'Swap 1 ETH' })
    await at.clock.pass(0)
    void at.swap.confirm({ label: 'Swap 1 ETH' })
    await at.clock.pass(0)
    expect(at.sent).toMatchObject([{ to: router, value: ether, account: `${chain}:${address}` }])
    const hash = `0x${'1'.padStart(64, '0')}`
    expect(at.activity).toEqual([{ hash, label: 'Swap 1 ETH', chain }])
    expect(at.state()).toMatchObject({ review: { status: 'pending', hash }, amount: '', unconfirmed: false })
    at.statuses.set(hash, 'done')
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'done', hash })
    expect(at.refreshed.slice(-2)).toEqual([[nativeId, usdcId], 'balances'])
    expect(at.events.map(({ event }) => event)).toEqual(['OPEN_SWAP', 'INITIATE_SWAP', 'SWAP_SUCCESS'])
    expect(at.events.at(-1)).toMatchObject({
      properties: {
        swapFromToken: 'ETH',
        swapToToken: 'USDC',
        swapFromAmount: '1',
        swapToAmount: '3000',
        network: chain,
      },
    })
  })

  test('the exact amount of a token is approved, and then the swap is built again and confirmed separately', async () => {
    await reviewed(at, 'USDC')
    expect(at.state().review).toMatchObject({ status: 'ready', step: 'approve', hasApproval: true })
    await confirm()
    expect(at.sent).toMatchObject([
      {
        to: usdc,
        value: 0n,
        data: encodeFunctionData({ abi, functionName: 'approve', args: [router, 3_000_000_000n] }),
      },
    ])
    at.server.allowance = 3_000_000_000n
    at.statuses.set(at.state().review?.hash ?? '', 'done')
    const built = at.server.of('convert/build-transaction').length
    await at.clock.pass(2_000)
    expect(at.server.of('convert/build-transaction')).toHaveLength(built + 1)
    expect(at.sent).toHaveLength(1)
    expect(at.state().review).toMatchObject({ status: 'ready', step: 'swap', hasApproval: true })
    await confirm()
    expect(at.sent[1]).toMatchObject({ to: router, value: 0n })
    expect(at.activity).toHaveLength(2)
  })

  test('after declining a swap, the user can revoke its approval', async () => {
    await reviewed(at, 'USDC')
    await confirm()
    at.statuses.set(`0x${'1'.padStart(64, '0')}`, 'done')
    at.server.allowance = 3_000_000_000n
    await at.clock.pass(2_000)
    at.wallet.answer = () => Promise.reject(new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' }))
    await confirm()
    expect(at.state().review).toMatchObject({ step: 'swap', hasApproval: true, error: { code: 'user/rejected' } })
    at.wallet.answer = async () => ({ hash: `0x${'9'.padStart(64, '0')}` })
    void at.swap.revoke({ label: 'Remove approval' })
    await at.clock.pass(0)
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [router, 0n] })
    expect(at.sent.at(-1)).toMatchObject({ to: usdc, data, value: 0n })
    expect(at.state().review).toMatchObject({ status: 'pending', step: 'reset' })
    at.statuses.set(`0x${'9'.padStart(64, '0')}`, 'done')
    at.server.allowance = 0n
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'ready', step: 'approve' })
  })

  test('an allowance equal to the amount suffices, and one unit less does not', async () => {
    at.server.allowance = 3_000_000_000n
    await reviewed(at, 'USDC')
    expect(at.state().review?.step).toBe('swap')
    at.swap.cancelReview()
    at.server.allowance = 2_999_999_999n
    at.swap.review()
    await at.clock.pass(0)
    expect(at.state().review?.step).toBe('approve')
  })

  test('a token like USDT, whose allowance must be reset first, is swapped in three transactions', async () => {
    at.server.resets = true
    at.server.allowance = 1n
    await reviewed(at, 'USDC')
    const steps: unknown[] = []
    for (const allowance of [0n, 3_000_000_000n, 3_000_000_000n]) {
      steps.push(at.state().review?.step)
      await confirm()
      at.server.allowance = allowance
      at.statuses.set(at.state().review?.hash ?? '', 'done')
      await at.clock.pass(2_000)
    }
    expect(steps).toEqual(['reset', 'approve', 'swap'])
    expect(at.sent.map(({ to }) => to)).toEqual([usdc, usdc, router])
    expect(at.state().review?.status).toBe('done')
  })

  test('the transaction is built again every ten seconds, but not while an approval is pending', async () => {
    await reviewed(at, 'USDC')
    const stop = at.swap.watch()
    const built = () => at.server.of('convert/build-transaction').length
    await at.clock.pass(10_000)
    expect(built()).toBe(2)
    await confirm()
    await at.clock.pass(30_000)
    expect(built()).toBe(2)
    stop()
  })

  test('a transaction that is older than 30 seconds is built again instead of sent', async () => {
    await reviewed()
    await at.clock.pass(30_001)
    await confirm()
    expect(at.sent).toEqual([])
    expect(at.state().review).toMatchObject({ status: 'ready', error: { code: 'swap/outdated' } })
    await confirm()
    expect(at.sent).toHaveLength(1)
  })

  test('an unverified swap is not sent until the user has confirmed it, and neither is its approval', async () => {
    at = setup({ exchanges: {} })
    await reviewed(at, 'USDC')
    expect(at.state().review).toMatchObject({ status: 'ready', step: 'approve', unverified: ['contract'] })
    await confirm()
    expect(at.sent).toEqual([])
    at.swap.confirmUnverified(true)
    const stop = at.swap.watch()
    await at.clock.pass(10_000)
    expect(at.state().review).toMatchObject({ unverified: ['contract'], unverifiedConfirmed: true })
    // The user has not confirmed this calldata, which cannot be decoded.
    at.server.change = (path, answer) =>
      path === 'convert/build-transaction'
        ? { tx: { ...(answer as { tx: object }).tx, data: `0x12345678${'0'.repeat(64)}` } }
        : answer
    await at.clock.pass(10_000)
    stop()
    expect(at.state().review).toMatchObject({ unverified: ['call'], unverifiedConfirmed: false })
    await confirm()
    expect(at.sent).toEqual([])
    at.swap.confirmUnverified(true)
    await confirm()
    expect(at.sent).toMatchObject([{ to: usdc }])
  })

  test('a worse price must be accepted before the swap is sent', async () => {
    await quoted()
    at.server.price = 2_990n
    at.swap.review()
    await at.clock.pass(0)
    expect(at.state().review).toMatchObject({ status: 'ready', hasWorsened: true, quote: { received: 2_990_000_000n } })
    await confirm()
    expect(at.sent).toEqual([])
    at.swap.accept()
    await confirm()
    expect(at.sent).toHaveLength(1)
  })

  test('a gradually falling price is compared with the price that the user accepted', async () => {
    await reviewed()
    const stop = at.swap.watch()
    for (const price of [2_998n, 2_997n, 2_996n]) {
      at.server.price = price
      await at.clock.pass(10_000)
    }
    expect(at.state().review?.hasWorsened).toBe(true)
    stop()
  })

  test.each([
    ['for another account', { from: `${chain}:${other}` }],
    ['to a token', { to: usdcId }],
    ['with a lower minimum', { minimumAmount: '1' }],
    ['with other calldata', { data: '0xa9059cbb' }],
  ])('a transaction %s ends the review, and nothing is sent', async (_, change) => {
    at.server.change = (path, answer) =>
      path === 'convert/build-transaction' ? { tx: { ...(answer as { tx: object }).tx, ...change } } : answer
    await reviewed(at, 'USDC')
    expect(at.state().review).toMatchObject({ status: 'stopped', error: { code: 'swap/mismatch' } })
    await confirm()
    expect(at.sent).toEqual([])
    expect(at.state().amount).toBe('3000')
  })

  test('an approval of more than the amount, or for another contract, ends the review', async () => {
    for (const args of [[router, 2n ** 256n - 1n] as const, [other, 3_000_000_000n] as const]) {
      at = setup()
      const data = encodeFunctionData({ abi, functionName: 'approve', args })
      at.server.change = (path, answer) =>
        path === 'convert/build-approve' ? { tx: { ...(answer as { tx: object }).tx, data } } : answer
      await reviewed(at, 'USDC')
      expect(at.state().review).toMatchObject({ status: 'stopped', error: { code: 'swap/mismatch' } })
    }
  })

  test('the review ends if the swap calls a contract other than the approved one', async () => {
    await reviewed(at, 'USDC')
    await confirm()
    at.server.allowance = 3_000_000_000n
    at.server.change = (path, answer) =>
      path === 'convert/build-transaction'
        ? { tx: { ...(answer as { tx: object }).tx, to: `${chain}:${other}` } }
        : answer
    at.statuses.set(at.state().review?.hash ?? '', 'done')
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'stopped', error: { code: 'swap/mismatch' } })
  })

  test.each([
    ['the account', { account: `${chain}:${other}` as const }],
    ['the network', { account: `eip155:10:${address}` as const, chain: 'eip155:10' as const }],
    ['the connection', { isConnected: false }],
  ])('if %s changes, the review ends, and nothing is sent', async (_, change) => {
    await reviewed()
    at.change(change)
    expect(at.state().review).toMatchObject({ status: 'stopped', error: { code: 'swap/changed' } })
    await confirm()
    expect(at.sent).toEqual([])
  })

  test('if the account changes while an approval is pending, the swap is not built for it', async () => {
    await reviewed(at, 'USDC')
    await confirm()
    at.change({ account: `${chain}:${other}` })
    at.statuses.set(at.state().review?.hash ?? '', 'done')
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'stopped', error: { code: 'swap/changed' } })
    expect(at.sent).toHaveLength(1)
  })

  test.each([
    ['convert/allowance', 'swap/allowance-failed', 'Failed to check allowance'],
    ['convert/build-approve', 'swap/approval-failed', 'Failed to create approval transaction'],
    ['convert/build-transaction', 'swap/build-failed', 'Failed to create transaction'],
  ])('if %s fails, the review reports the error and can be retried', async (path, code, message) => {
    at.server.failing.set(path, 'down')
    await reviewed(at, 'USDC')
    expect(at.state().review).toMatchObject({ status: 'ready', error: { code, message } })
    await confirm()
    expect(at.sent).toEqual([])
    at.server.failing.clear()
    at.swap.retry()
    await at.clock.pass(0)
    expect(at.state().review).toMatchObject({ status: 'ready', step: 'approve', error: undefined })
  })

  test('after the user rejects the request, the review stays open and the request can be repeated', async () => {
    await reviewed()
    at.wallet.answer = async () => {
      throw new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' })
    }
    await confirm()
    expect(at.state()).toMatchObject({
      review: { status: 'ready', error: { code: 'user/rejected' } },
      unconfirmed: false,
      amount: '1',
    })
    expect(at.events.at(-1)).toMatchObject({ event: 'SWAP_ERROR' })
    at.wallet.answer = async () => ({ hash: `0x${'2'.repeat(64)}` })
    await confirm()
    expect(at.state().review?.status).toBe('pending')
    expect(at.sent).toHaveLength(2)
  })

  test.each([
    ['did not respond', new LatchkeyError('wallet/unresponsive', { connectorId: 'wallet' })],
    ['returned no valid hash', accountFailure('send/unconfirmed')],
    ['reported an unknown failure', new LatchkeyError('wallet/failed', { message: 'Internal JSON-RPC error.' })],
  ])('if the wallet %s, the swap may have been sent, and is not repeated without a warning', async (_, failure) => {
    await reviewed()
    at.wallet.answer = async () => {
      throw failure
    }
    await confirm()
    expect(at.state()).toMatchObject({ unconfirmed: true, review: { error: { code: 'swap/unconfirmed' } } })
    await confirm()
    expect(at.sent).toHaveLength(1)
    at.swap.dismissUnconfirmed()
    await at.clock.pass(0)
    await confirm()
    expect(at.sent).toHaveLength(2)
  })

  test('after a reload while the wallet prompts the user, a warning appears before the swap can be repeated', async () => {
    await reviewed()
    at.wallet.answer = () => new Promise(() => undefined)
    await confirm()
    const again = setup({ stored: at.stored })
    expect(again.state()).toMatchObject({ unconfirmed: true, amount: '1' })
    await reviewed(again)
    await confirm(again)
    expect(again.sent).toEqual([])
    again.swap.dismissUnconfirmed()
    await again.clock.pass(0)
    await confirm(again)
    expect(again.sent).toHaveLength(1)
    expect(setup({ stored: again.stored }).state().unconfirmed).toBe(false)
  })

  test('after the transaction was sent, the form is empty and shows no warning when the page is reloaded', async () => {
    await reviewed()
    await confirm()
    const again = setup({ stored: at.stored })
    await again.swap.open()
    expect(again.state()).toMatchObject({ amount: '', unconfirmed: false, review: undefined })
  })

  test('a transaction that is sent after the user has left the review is still shown in the activity', async () => {
    await reviewed()
    let answer: (sent: { hash: string }) => void = () => {}
    at.wallet.answer = () => new Promise((resolve) => (answer = resolve))
    await confirm()
    at.swap.cancelReview()
    expect(at.state()).toMatchObject({ review: undefined, unconfirmed: true })
    answer({ hash: `0x${'3'.repeat(64)}` })
    await at.clock.pass(0)
    expect(at.activity).toHaveLength(1)
    expect(at.state()).toMatchObject({ unconfirmed: false, amount: '' })
  })

  test('a reverted swap and a reverted approval are reported', async () => {
    await reviewed()
    await confirm()
    at.statuses.set(at.state().review?.hash ?? '', 'failed')
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'failed', error: { code: 'swap/reverted' } })
    at = setup()
    await reviewed(at, 'USDC')
    await confirm()
    at.statuses.set(at.state().review?.hash ?? '', 'failed')
    await at.clock.pass(2_000)
    expect(at.state().review).toMatchObject({ status: 'ready', error: { code: 'swap/reverted' } })
    expect(at.events.at(-1)).toMatchObject({ event: 'SWAP_APPROVAL_ERROR' })
  })

  test('the review reports an error if the wallet cannot send transactions', async () => {
    await reviewed()
    at.change({ isConnected: true })
    const swap = at.swap
    at.wallet.answer = async () => {
      throw new LatchkeyError('wallet/unsupported', { method: 'eth_sendTransaction' })
    }
    await swap.confirm({ label: 'Swap' })
    expect(at.state().review).toMatchObject({ status: 'ready', error: { code: 'wallet/unsupported' } })
  })

  test('the form cannot be changed while one of its transactions is in progress', async () => {
    await reviewed(at, 'USDC')
    await confirm()
    at.swap.setAmount('1')
    at.swap.flip()
    at.swap.setToken('to', `${chain}:${weth}`)
    at.swap.cancelReview()
    expect(at.state()).toMatchObject({ amount: '3000', from: { symbol: 'USDC' }, review: { status: 'pending' } })
  })

  test('the swap is not sent if the balance is no longer sufficient', async () => {
    await reviewed(at, 'USDC')
    at.portfolio.set({
      account: at.wallet.account,
      tokens: {
        status: 'ready',
        value: owned.map((token) => (token.id === usdcId ? { ...token, amount: 1n } : token)),
      },
    })
    at.swap.retry()
    await at.clock.pass(0)
    expect(at.state().review?.error?.code).toBe('swap/insufficient-balance')
    await confirm()
    expect(at.sent).toEqual([])
  })
})
