import type { TokenBalance } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Adapter, Network, Session } from '../adapter.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { createCaches } from '../storage/storedCaches.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { addedTokensEntry, createAddedTokens } from './addedTokens.ts'
import { createPortfolio } from './portfolio.ts'

const network = {
  id: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  chainNamespace: 'eip155',
  caipNetworkId: 'eip155:1',
} as Network<'eip155'>
const account = 'eip155:1:0x1111111111111111111111111111111111111111'

function balance(symbol: string, numeric: string, over: Partial<TokenBalance> = {}): TokenBalance {
  const letter = symbol.charCodeAt(0).toString(16).padStart(2, '0')
  return {
    name: symbol,
    symbol,
    chainId: 'eip155:1',
    address: `eip155:1:0x${letter.repeat(20)}`,
    price: 0,
    quantity: { decimals: '6', numeric },
    iconUrl: '',
    ...over,
  }
}

interface World {
  balances?: () => readonly unknown[] | { status: number }
  chains?: readonly string[]
  server?: boolean
  session?: Partial<Session['can']> & { request?: (call: { method: string; params?: unknown }) => Promise<unknown> }
  adapter?: Partial<Adapter>
}

function world({ balances = () => [], chains = ['eip155:1'], server = true, session, adapter = {} }: World = {}) {
  const clock = fakeClock()
  const requests: URL[] = []
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input))
    if (url.pathname === '/v1/supported-chains') return json({ http: chains, ws: [] })
    requests.push(url)
    const answer = balances()
    return 'status' in answer ? json({}, answer.status) : json({ balances: answer })
  }
  const storage = memoryStorage()
  const now = { account: account as `eip155:1:${string}` | undefined, network }
  const portfolio = createPortfolio({
    api: server ? createChainApiClient({ url: 'https://server.example', projectId: 'shop', fetch, clock }) : undefined,
    adapters: [{ namespace: 'eip155', networks: [network], discover: () => {}, ...adapter } as Adapter],
    cache: createCaches({ storage: () => storage, clock, log: { info: () => {}, warn: () => {} } as never }).portfolio,
    added: createAddedTokens({
      entry: addedTokensEntry({ storage: () => storage, log: { warn: () => {} } }),
      adapters: [{ namespace: 'eip155', networks: [network], discover: () => {}, ...adapter } as Adapter],
    }),
    clock,
    log: { info: () => {} },
    now: () =>
      now.account && {
        account: now.account,
        network: now.network as Network,
        session: session && ({ can: session, provider: { request: session.request } } as unknown as Session),
      },
  })
  const tokens = () => portfolio.state.get().tokens
  return { portfolio, tokens, requests, clock, now }
}

const symbols = (tokens: ReturnType<ReturnType<typeof world>['tokens']>) =>
  (tokens.value ?? []).map(({ symbol }) => symbol)

test('the tokens of the active account have exact amounts, prices and values, the most valuable first [R3.5]', async () => {
  const { portfolio, tokens, requests } = world({
    balances: () => [
      balance('AAA', '12.5', {
        price: 2,
        iconUrl: 'https://img.example/a.png',
        pricedAt: '1970-01-01T00:10:00Z',
        priceSource: 'uniswap-v3',
      }),
      {
        ...balance('ETH', '1.000000000000000001', {
          price: 3000,
          quantity: { decimals: '18', numeric: '1.000000000000000001' },
        }),
        address: undefined,
      },
      balance('ZZZ', '7'),
      balance('BBB', '3'),
      balance('OFF', '3', { chainId: 'eip155:10', address: 'eip155:10:0xaa' }),
    ],
  })
  await portfolio.refresh()
  expect(symbols(tokens())).toEqual(['ETH', 'AAA', 'BBB', 'ZZZ'])
  const [ether, first, second] = tokens().value ?? []
  expect(ether).toMatchObject({ id: 'native', amount: 1_000_000_000_000_000_001n, fiat: '3000.000000000000003' })
  expect(ether?.address).toBeUndefined()
  expect(first).toMatchObject({
    amount: 12_500_000n,
    decimals: 6,
    price: { amount: '2', source: 'uniswap-v3', at: 600_000 },
    fiat: '25',
    iconUrl: 'https://img.example/a.png',
  })
  expect(second?.price).toBeUndefined()
  expect(second?.fiat).toBeUndefined()
  expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toMatchObject({ chainId: 'eip155:1', currency: 'usd' })
})

test('a token without decimal places is omitted [R5.10]', async () => {
  const { portfolio, tokens } = world({
    balances: () => [balance('AAA', '1', { quantity: { decimals: '0', numeric: '1' } }), balance('BBB', '1')],
  })
  await portfolio.refresh()
  expect(symbols(tokens())).toEqual(['BBB'])
})

test('unlisted tokens, tokens with links and imitations of listed tokens are hidden, come last and have no value', async () => {
  const { portfolio, tokens } = world({
    balances: () => [
      balance('UNL', '1', { isUnlisted: true, price: 1_000_000 }),
      balance('Claim at gift.example', '1', { price: 5 }),
      balance('USDC', '1', { price: 1, address: `eip155:1:0x${'a0'.repeat(20)}` }),
      balance('USDС', '1', { price: 1, isUnlisted: true, address: `eip155:1:0x${'b0'.repeat(20)}` }), // Cyrillic С
    ],
  })
  await portfolio.refresh()
  expect((tokens().value ?? []).map(({ hidden, fiat }) => [hidden, fiat])).toEqual([
    [undefined, '1'],
    ['spam', undefined],
    ['unlisted', undefined],
    ['spam', undefined],
  ])
})

test('after a failure, nothing is requested for 30 seconds, and the last tokens are kept [R4.17]', async () => {
  let fails = false
  const { portfolio, tokens, requests, clock } = world({
    balances: () => (fails ? { status: 500 } : [balance('AAA', '1')]),
  })
  await portfolio.refresh()
  fails = true
  await portfolio.refresh({ force: [] })
  expect(tokens()).toMatchObject({
    status: 'failed',
    error: { code: 'balance/unavailable' },
    value: [{ symbol: 'AAA' }],
  })
  fails = false
  await clock.pass(29_999)
  await portfolio.refresh({ force: [] })
  expect(requests).toHaveLength(2)
  await clock.pass(1)
  await portfolio.refresh({ force: [] })
  expect(requests).toHaveLength(3)
  expect(tokens().status).toBe('ready')
})

test('tokens are cached for 30 seconds, and `force` reads the given tokens again', async () => {
  const { portfolio, requests, clock } = world()
  await portfolio.refresh()
  await clock.pass(30_000)
  await portfolio.refresh()
  expect(requests).toHaveLength(1)
  await portfolio.refresh({ force: ['eip155:1:0xa', 'eip155:1:0xb'] })
  expect(requests[1]?.searchParams.get('forceUpdate')).toBe('eip155:1:0xa,eip155:1:0xb')
  await clock.pass(30_001)
  await portfolio.refresh()
  expect(requests).toHaveLength(3)
})

test('a token of another network than the active one is not read again, because the server would reject the request', async () => {
  const { portfolio, requests } = world()
  await portfolio.refresh({ force: ['eip155:10:0xa', 'eip155:1:0xb'] })
  await portfolio.refresh({ force: ['eip155:10:0xa'] })
  expect(requests.map(({ searchParams }) => searchParams.get('forceUpdate'))).toEqual(['eip155:1:0xb', null])
})

test('cached tokens of another network are not shown', async () => {
  const { portfolio, tokens, requests, now } = world({ chains: ['eip155:1', 'eip155:10'], balances: () => [] })
  await portfolio.refresh()
  // The wallet's network can differ from the one in the account ID.
  now.network = { ...network, id: 10, caipNetworkId: 'eip155:10' }
  await portfolio.refresh()
  expect(tokens().status).toBe('ready')
  expect(requests.map(({ searchParams }) => searchParams.get('chainId'))).toEqual(['eip155:1', 'eip155:10'])
})

test('polling reads every ten seconds, and stops after a 503 response until the next refresh', async () => {
  let isDown = false
  const { portfolio, requests, clock } = world({ balances: () => (isDown ? { status: 503 } : []) })
  await portfolio.refresh()
  await clock.pass(9_999)
  await portfolio.poll(10_000)
  expect(requests).toHaveLength(1)
  await clock.pass(1)
  isDown = true
  await portfolio.poll(10_000)
  expect(requests).toHaveLength(2)
  isDown = false
  await clock.pass(60_000)
  await portfolio.poll(10_000)
  expect(requests).toHaveLength(2)
  await portfolio.refresh({ force: [] })
  await clock.pass(10_000)
  await portfolio.poll(10_000)
  expect(requests).toHaveLength(4)
})

test('on a network that the server does not support, and without a server, the native balance comes from the node', async () => {
  const adapter = { balance: async () => ({ value: 5n * 10n ** 17n, decimals: 18, symbol: 'ETH' }) }
  const unsupported = world({ chains: ['eip155:10'], adapter })
  await unsupported.portfolio.refresh()
  expect(unsupported.requests).toEqual([])
  expect(unsupported.tokens()).toMatchObject({
    status: 'failed',
    error: { code: 'balance/unavailable' },
    value: [{ id: 'native', amount: 5n * 10n ** 17n }],
  })
  const alone = world({ server: false, adapter })
  await alone.portfolio.refresh()
  expect(alone.tokens()).toMatchObject({ status: 'ready', value: [{ id: 'native', symbol: 'ETH' }] })
})

test('tokens of another account are not shown', async () => {
  let respond = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    respond = resolve
  })
  const { portfolio, tokens, now } = world({
    server: false,
    adapter: {
      balance: async () => {
        await waiting
        return { value: 1n, decimals: 18, symbol: 'ETH' }
      },
    },
  })
  const first = portfolio.refresh()
  now.account = 'eip155:1:0x2222222222222222222222222222222222222222'
  const second = portfolio.refresh()
  expect(portfolio.state.get()).toMatchObject({ account: now.account, tokens: { status: 'loading' } })
  now.account = undefined
  await portfolio.refresh()
  respond()
  await Promise.all([first, second])
  expect(portfolio.state.get()).toEqual({ account: undefined, tokens: { status: 'idle' } })
  expect(tokens().status).toBe('idle')
})

const walletAsset = {
  address: `0x${'ab'.repeat(20)}`,
  balance: '0x989680',
  type: 'ERC20',
  metadata: { name: 'Wallet token', symbol: 'WTK', decimals: 6, price: 2, iconUrl: 'https://img.example/w.png' },
}
const discovers = { '0x1': { assetDiscovery: { supported: true } } }

test.each(['0x0', '0x'])(
  'if the wallet supports asset discovery, it lists the assets instead of the server, with %s for nothing [R3.6] [R7.8]',
  async (balance) => {
    const calls: unknown[] = []
    const { portfolio, tokens, requests } = world({
      session: {
        capabilities: async () => discovers,
        request: async (call) => {
          calls.push(call)
          return { '0x1': [walletAsset, { ...walletAsset, address: 'native', type: 'NATIVE', balance }] }
        },
      },
    })
    await portfolio.refresh()
    expect(calls).toEqual([
      {
        method: 'wallet_getAssets',
        params: [{ account: '0x1111111111111111111111111111111111111111', chainFilter: ['0x1'] }],
      },
    ])
    expect(tokens().value).toMatchObject([
      { address: walletAsset.address, amount: 10_000_000n, fiat: '20', price: { amount: '2', source: 'wallet' } },
      { id: 'native', amount: 0n },
    ])
    expect(requests).toEqual([])
  },
)

test.each([
  ['null', null],
  ['a list', [walletAsset]],
  ['a list that is not a list', { '0x1': walletAsset }],
  ['an unknown type', { '0x1': [{ ...walletAsset, type: 'ERC721' }] }],
  ['no metadata', { '0x1': [{ ...walletAsset, metadata: undefined }] }],
  ['a price that is not a number', { '0x1': [{ ...walletAsset, metadata: { ...walletAsset.metadata, price: '2' } }] }],
  ['a balance that is not hexadecimal', { '0x1': [{ ...walletAsset, balance: '10' }] }],
  ['an invalid asset on another chain', { '0x1': [walletAsset], '0xa': [null] }],
])('if the wallet’s response is invalid (%s), the server’s balances are used [R5.11]', async (_, response) => {
  const { portfolio, tokens } = world({
    balances: () => [balance('AAA', '1')],
    session: { capabilities: async () => discovers, request: async () => response },
  })
  await portfolio.refresh()
  expect(symbols(tokens())).toEqual(['AAA'])
})

test('an empty object of wallet assets is valid, and the server is used if the wallet fails or lacks the capability', async () => {
  const empty = world({
    balances: () => [balance('AAA', '1')],
    session: { capabilities: async () => discovers, request: async () => ({}) },
  })
  await empty.portfolio.refresh()
  expect(empty.tokens()).toEqual({ status: 'ready', value: [] })
  const failing = world({
    balances: () => [balance('AAA', '1')],
    session: { capabilities: async () => discovers, request: () => Promise.reject(new Error('unsupported')) },
  })
  await failing.portfolio.refresh()
  expect(symbols(failing.tokens())).toEqual(['AAA'])
  for (const capabilities of [
    {},
    { '0xa': discovers['0x1'] },
    { '0x1': { assetDiscovery: { supported: false } } },
    { '0x1': { assetDiscovery: { supported: 'yes' } } },
  ]) {
    const calls: unknown[] = []
    const request = async (call: unknown) => {
      calls.push(call)
      return { '0x1': [walletAsset] }
    }
    const without = world({
      balances: () => [balance('AAA', '1')],
      session: { capabilities: async () => capabilities, request },
    })
    await without.portfolio.refresh()
    expect(symbols(without.tokens())).toEqual(['AAA'])
    expect(calls).toEqual([])
  }
})

test('if a wallet reports no prices, its amounts are kept, and the server adds the prices and the missing tokens', async () => {
  const unpriced = { ...walletAsset, metadata: { ...walletAsset.metadata, price: 0 } }
  const token = (letters: string, decimals: string) =>
    balance('WTK', '3', { address: `eip155:1:0x${letters.repeat(20)}`, price: 4, quantity: { decimals, numeric: '3' } })
  let answer: readonly unknown[] = [token('AB', '6'), token('CD', '6')]
  const { portfolio, tokens, requests } = world({
    balances: () => answer as never,
    session: { capabilities: async () => discovers, request: async () => ({ '0x1': [unpriced] }) },
  })
  await portfolio.refresh()
  expect(tokens().value).toMatchObject([
    { amount: 10_000_000n, fiat: '40' },
    { amount: 3_000_000n, fiat: '12' },
  ])
  answer = [token('ab', '18')]
  await portfolio.refresh({ force: [] })
  expect(tokens().value).toMatchObject([{ amount: 10_000_000n, decimals: 6 }])
  expect(tokens().value?.[0]).not.toHaveProperty('fiat')
  expect(requests).toHaveLength(2)
})

test('if a wallet reports no prices and the server fails, the wallet’s amounts are shown without prices', async () => {
  const unpriced = { ...walletAsset, metadata: { ...walletAsset.metadata, price: 0 } }
  const session = { capabilities: async () => discovers, request: async () => ({ '0x1': [unpriced] }) }
  for (const more of [{ balances: () => ({ status: 500 }) }, { chains: ['eip155:10'] }] as const) {
    const { portfolio, tokens } = world({ session, ...more } as never)
    await portfolio.refresh()
    expect(tokens()).toMatchObject({ status: 'ready', value: [{ amount: 10_000_000n }] })
  }
})

test('a token that was added by its address is unlisted, and later reads keep it, even if the network is down', async () => {
  const token = `0x${'ab'.repeat(20)}`
  let answers = true
  const tokenHolding: Adapter['tokenHolding'] = async ({ token: asked }) => {
    if (!answers) throw new Error('down')
    return asked === token ? { name: 'New coin', symbol: 'NEW', decimals: 6, amount: 5_000_000n } : undefined
  }
  const { portfolio, tokens, clock } = world({ balances: () => [balance('AAA', '1')], adapter: { tokenHolding } })
  await portfolio.refresh()
  expect(await portfolio.add(`0x${'cd'.repeat(20)}`)).toBeUndefined()
  expect(await portfolio.add('AAA')).toBeUndefined()
  const added = { id: `eip155:1:${token}`, symbol: 'NEW', amount: 5_000_000n, decimals: 6, hidden: 'unlisted' }
  expect(await portfolio.add(token)).toMatchObject(added)
  expect(tokens()).toMatchObject({ status: 'ready', value: [{ symbol: 'AAA' }, added] })
  expect(tokens().value?.[1]).not.toHaveProperty('fiat')
  answers = false
  await clock.pass(60_000)
  await portfolio.refresh()
  expect(symbols(tokens())).toEqual(['AAA', 'NEW'])
  await expect(portfolio.add(token)).rejects.toThrow('down')
})

test('an added token uses the server’s data if the server lists it, and tokens can be added without a server', async () => {
  const token = `0x${'41'.repeat(20)}`
  const tokenHolding: Adapter['tokenHolding'] = async () => ({ name: '', symbol: 'A', decimals: 6, amount: 1n })
  const listed = world({ balances: () => [balance('A', '2')], adapter: { tokenHolding } })
  expect(await listed.portfolio.add(token)).toMatchObject({ amount: 2_000_000n })
  expect(listed.tokens().value).toHaveLength(1)
  const alone = world({ server: false, adapter: { tokenHolding } })
  expect(await alone.portfolio.add(token)).toMatchObject({ amount: 1n, hidden: 'unlisted' })
})
