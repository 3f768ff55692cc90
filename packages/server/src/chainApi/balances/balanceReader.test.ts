import { getBalances } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  deployExchange,
  deployTestToken,
  type FaultServer,
  startAnvil,
  startFaultServer,
  type TestExchange,
  type TestToken,
} from '@latchkey/testing/node'
import * as v from 'valibot'
import { createTestClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chainApiServer } from '../../testing/chainApiServer.ts'
import type { ChainConfig } from '../chainConfig.ts'

const chainId = 'eip155:31337'
const alice = testAccounts[0].address
const nobody = '0x00000000000000000000000000000000000000a1'
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

let anvil: Anvil
let exchange: TestExchange
let extra: TestToken
beforeAll(async () => {
  anvil = await startAnvil()
  extra = await deployTestToken({ chain: anvil.chain, name: 'Test Euro', symbol: 'TEUR', decimals: 6 })
  exchange = await deployExchange({ chain: anvil.chain, token: extra })
}, 120_000)
afterAll(async () => anvil.stop())

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

const balancesOf = (address: string, query = '') => `/v1/account/${address}/balance?currency=usd${query}`
const bySymbol = (balances: { symbol: string }[]) => new Map(balances.map((item) => [item.symbol, item]))

describe('balances on an EVM chain', () => {
  test('lists the native currency and the listed tokens that the account holds, with prices and their sources', async () => {
    const { get } = chainApiServer({ chains: [localChain()], now: () => Date.UTC(2026, 10, 24) })
    const { status, body } = await get(balancesOf(alice, `&chainId=${chainId}`))
    expect(status).toBe(200)
    expect(v.safeParse(getBalances.answer, body).success).toBe(true)
    const found = bySymbol(body.balances)
    expect([...found.keys()].sort()).toEqual(['ETH', 'TEUR', 'tPTS', 'tUSDC', 'tUSDT'])
    expect(found.get('ETH')).toMatchObject({ name: 'Ether', chainId, priceSource: 'uniswap-v3', iconUrl: '' })
    expect(found.get('ETH')).not.toHaveProperty('address')
    expect(found.get('tUSDC')).toEqual({
      name: 'USD Coin (test)',
      symbol: 'tUSDC',
      chainId,
      address: `${chainId}:${exchange.tokens.usdc.address}`,
      value: 10_000,
      price: 1,
      quantity: { decimals: '6', numeric: '10000' },
      iconUrl: '',
      pricedAt: '2026-11-24T00:00:00.000Z',
      priceSource: 'stablecoin',
    })
    // An unknown price is 0, and there is no value.
    expect(found.get('tPTS')).toMatchObject({ price: 0, quantity: { numeric: '500' } })
    for (const field of ['value', 'pricedAt', 'priceSource']) expect(found.get('tPTS')).not.toHaveProperty(field)
  })

  test('an empty account has an empty list, even without Origin, sv and a project ID', async () => {
    const { get } = chainApiServer({ chains: [localChain()] })
    expect(await get(`/v1/account/${nobody}/balance`)).toMatchObject({ status: 200, body: { balances: [] } })
  })

  test('tokens in forceUpdate, including the native marker, are read again and listed even with a balance of zero', async () => {
    const { get } = chainApiServer({ chains: [localChain()] })
    const tokens = [native, exchange.tokens.usdc.address, exchange.tokens.usdt.address.toLowerCase()]
    const forced = tokens.map((token) => `${chainId}:${token}`).join(',')
    const { body } = await get(balancesOf(nobody, `&chainId=${chainId}&forceUpdate=${forced}`))
    expect(body.balances.map((item: { symbol: string }) => item.symbol)).toEqual(['ETH', 'tUSDC', 'tUSDT'])
    for (const { quantity, price } of body.balances) {
      expect(quantity.numeric).toBe('0')
      expect(price).toBeGreaterThan(0)
    }
  })

  test('a balance is cached for ten seconds, and forceUpdate reads it from the chain', async () => {
    let clock = 0
    const { get } = chainApiServer({ chains: [localChain()], clock: () => clock })
    const account = privateKeyToAccount(testAccounts[1].privateKey)
    const wallet = createWalletClient({ account, chain: anvil.chain, transport: http(anvil.url) })
    const hand = createTestClient({ mode: 'anvil', chain: anvil.chain, transport: http(anvil.url) })
    const receiver = '0x00000000000000000000000000000000000000b2'
    const pay = async () => {
      await wallet.sendTransaction({ to: receiver, value: parseEther('1.5') })
      await hand.mine({ blocks: 1 })
    }
    const read = async (query = '') => (await get(balancesOf(receiver, `&chainId=${chainId}${query}`))).body.balances
    expect(await read()).toEqual([])
    await pay()
    expect(await read()).toEqual([])
    expect(await read(`&forceUpdate=${chainId}:${native}`)).toMatchObject([{ quantity: { numeric: '1.5' } }])
    expect(await read()).toMatchObject([{ quantity: { numeric: '1.5' } }])
    await pay()
    clock = 9_999
    expect(await read()).toMatchObject([{ quantity: { numeric: '1.5' } }])
    clock = 10_001
    expect(await read()).toMatchObject([{ quantity: { numeric: '3' } }])
  })

  test('an unlisted token is marked and has no price, and its name is sanitized', async () => {
    const { get } = chainApiServer({ chains: [localChain()] })
    const { lookalike, deceptive } = exchange.tokens
    const forced = [lookalike, deceptive].map(({ address }) => `${chainId}:${address}`).join(',')
    const { body } = await get(balancesOf(alice, `&chainId=${chainId}&forceUpdate=${forced}`))
    expect(v.safeParse(getBalances.answer, body).success).toBe(true)
    const unlisted = body.balances.filter((item: { isUnlisted?: boolean }) => item.isUnlisted)
    expect(unlisted).toHaveLength(2)
    for (const item of unlisted) expect(item).toMatchObject({ price: 0, isUnlisted: true })
    expect(unlisted[0]).toMatchObject({ symbol: 'USDC', quantity: { numeric: '1000000' } })
    expect(JSON.stringify(unlisted[1])).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069]|bonus\.example/)
  })

  test('contracts that are not tokens, revert, use up all gas or return garbage do not affect the others', async () => {
    const hand = createTestClient({ mode: 'anvil', chain: anvil.chain, transport: http(anvil.url) })
    const hostile = {
      '0x00000000000000000000000000000000000000c1': '0x', // no code
      '0x00000000000000000000000000000000000000c2': '0x5f5ffd', // reverts
      '0x00000000000000000000000000000000000000c3': '0x5b5f56', // never ends
      '0x00000000000000000000000000000000000000c4': '0x60015ff3', // returns one byte
      '0x00000000000000000000000000000000000000c5': '0x6207a1205ff3', // returns 500 kB
    } as const
    for (const [address, bytecode] of Object.entries(hostile))
      await hand.setCode({ address: address as `0x${string}`, bytecode })
    const forced = [...Object.keys(hostile), exchange.tokens.lookalike.address]
    const { get } = chainApiServer({ chains: [localChain()] })
    const list = forced.map((token) => `${chainId}:${token}`).join(',')
    const { status, body } = await get(balancesOf(alice, `&chainId=${chainId}&forceUpdate=${list}`))
    expect(status).toBe(200)
    expect(bySymbol(body.balances).get('USDC')).toMatchObject({ quantity: { numeric: '1000000' } })
    expect(bySymbol(body.balances).get('tUSDC')).toMatchObject({ quantity: { numeric: '10000' } })
  })

  test('a chain without Multicall3, or with a different contract at its address, is read in batches', async () => {
    for (const multicall3 of [undefined, exchange.tokens.usdc.address, nobody] as const) {
      const { get } = chainApiServer({ chains: [localChain({ multicall3 })] })
      const { body } = await get(balancesOf(alice, `&chainId=${chainId}`))
      expect(bySymbol(body.balances).get('tUSDT')).toMatchObject({ quantity: { numeric: '10000' }, price: 1 })
    }
  })

  test.each([
    ['/v1/account/0x12/balance', 'address'],
    ['/v1/account/alice.eth/balance', 'address'],
    [`/v1/account/${alice}/balance?chainId=eip155:999`, 'chainId'],
    [`/v1/account/${alice}/balance?currency=doge`, 'currency'],
    [`/v1/account/${alice}/balance?currency=eur`, 'currency'],
    [`/v1/account/${alice}/balance?forceUpdate=${chainId}:0x12`, 'forceUpdate'],
    [`/v1/account/${alice}/balance?forceUpdate=eip155:999:${native}`, 'chainId'],
    [`/v1/account/${alice}/balance?forceUpdate=nonsense`, 'forceUpdate'],
    [
      `/v1/account/${alice}/balance?forceUpdate=${Array.from({ length: 51 }, (_, at) => `${chainId}:0x${String(at).padStart(40, '0')}`)}`,
      'forceUpdate',
    ],
  ])('an invalid request is rejected with 400 and the reason: %s', async (path, field) => {
    const { status, body, headers } = await chainApiServer({ chains: [localChain()] }).get(path)
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 'FAILED', reasons: [{ field, description: expect.any(String) }] },
    })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('balances from nodes that reject some calls', () => {
  interface RpcCall {
    readonly id: number
    readonly method: string
    readonly params?: readonly [{ readonly to?: string; readonly data?: string }?]
  }
  let node: FaultServer
  let sent: RpcCall[] = []
  let reject: ((call: RpcCall) => object | undefined) | undefined
  beforeAll(async () => {
    node = await startFaultServer(async (request) => {
      const json = (await request.json()) as RpcCall | RpcCall[]
      const answer = async (call: RpcCall) => {
        sent.push(call)
        const error = reject?.(call)
        if (error) return { jsonrpc: '2.0', id: call.id, error }
        const headers = { 'content-type': 'application/json' }
        return (await fetch(anvil.url, { method: 'POST', headers, body: JSON.stringify(call) })).json()
      }
      return Response.json(Array.isArray(json) ? await Promise.all(json.map(answer)) : await answer(json))
    })
  })
  afterAll(async () => node.stop())
  afterEach(() => {
    reject = undefined
    sent = []
  })
  const server = (overrides: Partial<ChainConfig> = {}) =>
    chainApiServer({ chains: [localChain({ rpcUrls: [node.url], ...overrides })] })
  const isBalanceOf = ({ params }: RpcCall) => params?.[0]?.data?.startsWith('0x70a08231') === true

  test.each([
    { code: -32005, message: 'limit exceeded' },
    { code: -32000, message: 'header not found' },
    { code: -32603, message: 'Internal error' },
  ])(
    'if a node without Multicall3 rejects the calls with $message, the response is 503, never an account without tokens',
    async (error) => {
      reject = (call) => (isBalanceOf(call) ? error : undefined)
      const answer = await server({ multicall3: undefined }).get(balancesOf(alice, `&chainId=${chainId}`))
      expect(answer).toMatchObject({ status: 503, body: { status: 'FAILED' } })
    },
  )

  test('if a node rejects a forced read of the native currency, the response is 503', async () => {
    reject = ({ method }) => (method === 'eth_getBalance' ? { code: -32000, message: 'header not found' } : undefined)
    const answer = await server().get(balancesOf(alice, `&chainId=${chainId}&forceUpdate=${chainId}:${native}`))
    expect(answer).toMatchObject({ status: 503, body: { status: 'FAILED' } })
  })

  test('if the node could not read a token’s decimals, they are not assumed to be 0, now or later', async () => {
    const lookalike = `${chainId}:${exchange.tokens.lookalike.address}`
    const path = balancesOf(alice, `&chainId=${chainId}&forceUpdate=${lookalike}`)
    const { get } = server()
    reject = ({ params }) =>
      params?.[0]?.data === '0x313ce567' ? { code: -32005, message: 'limit exceeded' } : undefined
    expect(await get(path)).toMatchObject({ status: 503 })
    reject = undefined
    const { body } = await get(path)
    expect(bySymbol(body.balances).get('USDC')).toMatchObject({ quantity: { decimals: '6', numeric: '1000000' } })
  })

  test('listed contracts that use up all the gas do not hide the tokens after them', async () => {
    const hand = createTestClient({ mode: 'anvil', chain: anvil.chain, transport: http(anvil.url) })
    // Each of them leaves a 64th of the gas.
    const burners = ['d1', 'd2', 'd3', 'd4'].map((end) => {
      const address: `0x${string}` = `0x${'0'.repeat(38)}${end}`
      return { address, name: 'Burner', symbol: 'BURN', decimals: 18 }
    })
    for (const { address } of burners) await hand.setCode({ address, bytecode: '0x5b5f56' })
    const { status, body } = await server({ tokens: [...burners, ...exchange.tokenList.tokens] }).get(
      balancesOf(alice, `&chainId=${chainId}`),
    )
    expect(status).toBe(200)
    expect([...bySymbol(body.balances).keys()].sort()).toEqual(['ETH', 'TEUR', 'tPTS', 'tUSDC', 'tUSDT'])
  })

  test('a server that has just started responds to requests for many accounts at once', async () => {
    const { get } = chainApiServer({ chains: [localChain({ rpcUrls: [node.url] })], timeoutMs: 15_000 })
    const addresses = Array.from({ length: 150 }, (_, at) => `0x${String(at + 5000).padStart(40, '0')}`)
    const answers = await Promise.all(addresses.map((address) => get(balancesOf(address, `&chainId=${chainId}`))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // Each account needs one call for its currency and one for all of its tokens. Data that all accounts share is read once.
    expect(sent.filter(({ method }) => method === 'eth_getCode').length).toBeLessThanOrEqual(2)
  }, 20_000)

  test('if more accounts are requested than can be read at the same time, the rest are rejected with 503 and a delay', async () => {
    const slow = await startFaultServer(() => new Promise<never>(() => {}))
    const { get } = chainApiServer({ chains: [localChain({ rpcUrls: [slow.url] })], timeoutMs: 1_000 })
    const addresses = Array.from({ length: 300 }, (_, at) => `0x${String(at + 9000).padStart(40, '0')}`)
    const started = performance.now()
    const answers = await Promise.all(addresses.map((address) => get(balancesOf(address, `&chainId=${chainId}`))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(8_000)
    await slow.stop()
  }, 20_000)
})

describe('balances on several chains', () => {
  let faulty: FaultServer
  beforeAll(async () => {
    faulty = await startFaultServer(() => Response.json({}))
  })
  afterAll(async () => faulty.stop())
  afterEach(() => faulty.mend())

  const other = (): ChainConfig => ({ ...localChain(), chainId: 'eip155:5', name: 'Other', rpcUrls: [faulty.url] })

  test('if one chain fails, the balances of the others are listed, and if all fail, the response is 503', async () => {
    faulty.break({ kind: 'down' })
    const { get } = chainApiServer({ chains: [localChain(), other()] })
    const { body } = await get(balancesOf(alice))
    expect(new Set(body.balances.map((item: { chainId: string }) => item.chainId))).toEqual(new Set([chainId]))
    const failing = await chainApiServer({ chains: [other()] }).get(balancesOf(alice))
    expect(failing).toMatchObject({ status: 503, body: { status: 'FAILED' } })
    expect(Number(failing.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each([
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 5_000_000 },
    { kind: 'status', code: 500 },
  ] as const)('if the node has the fault $kind, the response is 503, never an empty account', async (fault) => {
    faulty.break(fault)
    const { get } = chainApiServer({ chains: [other()], timeoutMs: 300 })
    expect(await get(balancesOf(alice, '&chainId=eip155:5'))).toMatchObject({ status: 503 })
  })

  test.each([
    ['a number', 1],
    ['text', 'many'],
    ['nothing', null],
    ['a list', []],
    ['an object', {}],
    ['half a byte', '0x123'],
  ])('if a node returns %s for every call, the response is 503, never an empty account', async (_, result) => {
    const node = await startFaultServer(async (request) => {
      const json: unknown = await request.json()
      const answer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result })
      return Response.json(Array.isArray(json) ? json.map(answer) : answer(json as { id: number }))
    })
    const chain = { ...localChain(), rpcUrls: [node.url] }
    expect(await chainApiServer({ chains: [chain] }).get(balancesOf(alice))).toMatchObject({ status: 503 })
    await node.stop()
  })
})

describe('balances on Solana', () => {
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const owner = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const other = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
  const account = (mint: string, amount: string, decimals = 6) => ({
    pubkey: owner,
    account: { data: { program: 'spl-token', parsed: { info: { mint, tokenAmount: { amount, decimals } } } } },
  })
  const programs: Record<string, unknown[]> = {
    TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: [
      account(usdc, '1500000'),
      account(usdc, '500000'),
      account(other, '0'),
    ],
    TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: [account(other, '7', 0), { account: 'garbage' }],
  }
  let node: FaultServer
  beforeAll(async () => {
    node = await startFaultServer(async (request) => {
      const { method, params } = (await request.json()) as { method: string; params: [string, Record<string, string>] }
      const [, { programId, mint }] = params
      const all = Object.values(programs).flat() as { account: { data?: { parsed: { info: { mint: string } } } } }[]
      const value =
        method === 'getBalance'
          ? 2_500_000_000
          : programId
            ? programs[programId]
            : all.filter((item) => item.account.data?.parsed.info.mint === mint)
      return Response.json({ jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value } })
    })
  })
  afterAll(async () => node.stop())

  const chain = (): ChainConfig => ({
    chainId: solana,
    name: 'Solana',
    nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    testnet: false,
    rpcUrls: [node.url],
    tokens: [{ address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6 }],
  })

  test('lists SOL and the tokens of both token programs, adds up the accounts of a mint, and marks unlisted mints', async () => {
    const { body } = await chainApiServer({ chains: [chain()] }).get(balancesOf(owner, `&chainId=${solana}`))
    expect(v.safeParse(getBalances.answer, body).success).toBe(true)
    expect(body.balances).toEqual([
      {
        name: 'Solana',
        symbol: 'SOL',
        chainId: solana,
        price: 0,
        quantity: { decimals: '9', numeric: '2.5' },
        iconUrl: '',
      },
      {
        name: 'USD Coin',
        symbol: 'USDC',
        chainId: solana,
        address: `${solana}:${usdc}`,
        price: 0,
        quantity: { decimals: '6', numeric: '2' },
        iconUrl: '',
      },
      expect.objectContaining({ address: `${solana}:${other}`, isUnlisted: true }),
    ])
  })

  test('forceUpdate accepts mints and SOL, and an EVM account is rejected on Solana', async () => {
    const { get } = chainApiServer({ chains: [chain()] })
    const forced = `${solana}:${usdc},${solana}:So11111111111111111111111111111111111111112`
    const { body } = await get(balancesOf(owner, `&chainId=${solana}&forceUpdate=${forced}`))
    expect(bySymbol(body.balances).get('USDC')).toMatchObject({ quantity: { numeric: '2' } })
    expect(await get(balancesOf(alice, `&chainId=${solana}`))).toMatchObject({ status: 400 })
  })

  test.each(['bad-json', 'wrong-types', 'down'] as const)(
    'if the node has the fault %s, the response is 503, never an empty account',
    async (kind) => {
      node.break({ kind })
      const answer = await chainApiServer({ chains: [chain()] }).get(balancesOf(owner, `&chainId=${solana}`))
      expect(answer).toMatchObject({ status: 503 })
      node.mend()
    },
  )
})
