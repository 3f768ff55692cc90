import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { memoryStorage } from '../testing/index.ts'
import { createOnramp } from './onramp.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const currency = (id: string, min = '10', max = '7500') => ({ id, payment_method_limits: [{ id: 'CARD', min, max }] })
const network = (name: string, chain_id: string) => ({ name, display_name: name, chain_id, contract_address: '' })
const asset = (symbol: string, ...networks: ReturnType<typeof network>[]) => ({
  id: `id-${symbol}`,
  name: symbol,
  symbol,
  networks,
})
const coinbase = {
  paymentCurrencies: [currency('USD'), currency('EUR', '20', '500')],
  purchaseCurrencies: [
    asset('ETH', network('ethereum', '1'), network('base', '8453')),
    asset('USDC', network('base', '8453'), network('ethereum', '1')),
    asset('SOL', network('solana', '0')),
  ],
  providers: [{ name: 'coinbase' }, { name: 'meld' }],
}
const meld = {
  ...coinbase,
  paymentCurrencies: [currency('GBP'), currency('USD', '5', '10000.5')],
  purchaseCurrencies: [asset('ETH', network('ETH', '1'))],
}
const usd = (amount: string, code = 'USD') => ({ amount, currency: code })
const quoteOf = (received: string, paid = '100', symbol = 'ETH') => ({
  paymentTotal: usd(paid),
  paymentSubtotal: usd('98'),
  purchaseAmount: { amount: received, currency: symbol },
  coinbaseFee: usd('1.5'),
  networkFee: usd('0.5'),
  quoteId: 'q',
})
const item = (id: string, status: string, minedAt = '2026-11-28T06:00:00Z'): HistoryTransaction => ({
  id,
  metadata: {
    operationType: 'buy',
    hash: '0xabc0',
    minedAt,
    sentFrom: 'Coinbase',
    sentTo: address,
    status: `ONRAMP_TRANSACTION_STATUS_${status}`,
  },
  transfers: [{ direction: 'in', quantity: { numeric: '0.03' } }],
})

interface SentRequest {
  readonly url: URL
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the body as a whole.
  readonly body: any
  readonly cache: RequestCache | undefined
}
type Answer = unknown | 'down' | ((request: SentRequest) => unknown)

function setup({
  chain = 'eip155:1',
  account = `eip155:1:${address}`,
  providers,
  session = memoryStorage(),
  blocked = false,
}: {
  chain?: string
  account?: string
  providers?: unknown
  session?: ReturnType<typeof memoryStorage>
  blocked?: boolean
} = {}) {
  const clock = fakeClock(Date.parse('2026-11-28T05:59:30Z'))
  const requests: SentRequest[] = []
  const answers: Record<string, Answer> = {
    '/v1/supported-chains': { http: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], ws: [] },
    '/v1/onramp/options': ({ url }: SentRequest) => (url.searchParams.get('provider') === 'meld' ? meld : coinbase),
    '/v1/onramp/quote': ({ url }: SentRequest) =>
      quoteOf(url.searchParams.get('provider') === 'meld' ? '0.031' : '0.03'),
    '/v1/generators/onrampurl': { url: 'https://pay.coinbase.com/buy/select-asset?sessionToken=t' },
    [`/v1/account/${address}/history`]: { data: [], next: null },
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body))
    const request = { url, body, cache: init?.cache }
    requests.push(request)
    const answer = answers[url.pathname]
    const found = typeof answer === 'function' ? await answer(request) : answer
    if (found === undefined || found === 'down') throw new TypeError('Failed to fetch')
    return found instanceof Response ? found : Response.json(found)
  }
  const events: AnalyticsEvent[] = []
  const windows: { url: string; features: string; opener: unknown; shown: string[]; closed: boolean }[] = []
  let arrivals = 0
  const subject = { account, network: { caipNetworkId: chain } }
  const onramp = createOnramp({
    api: createChainApiClient({ url: 'https://connect.shop.example', projectId: 'shop', fetch, clock }),
    now: () => subject as never,
    providers,
    isSmartAccount: () => false,
    arrived: () => {
      arrivals += 1
    },
    drafts: { storage: () => session, log: { info() {}, warn() {} } as never },
    open(url, _, features) {
      if (blocked) return null
      const opened = { url, features, opener: {} as unknown, shown: [] as string[], closed: false }
      windows.push(opened)
      return Object.assign(opened, {
        location: { replace: (next: string) => opened.shown.push(next) },
        close: () => {
          opened.closed = true
        },
      }) as unknown as Window
    },
    track: (event) => events.push(event),
    clock,
  })
  const requestsTo = (path: string) => requests.filter(({ url }) => url.pathname === path)
  const offers = () => onramp.state.get().offers
  const purchase = () => onramp.state.get().purchase
  return {
    onramp,
    clock,
    requests,
    requestsTo,
    answers,
    events,
    windows,
    subject,
    session,
    offers,
    purchase,
    arrivals: () => arrivals,
  }
}

/** Loads the offers, enters an amount and waits for the quotes. */
async function ready(params: Parameters<typeof setup>[0] = {}) {
  const set = setup(params)
  await set.onramp.load()
  set.onramp.setAmount('100')
  await set.clock.pass(500)
  await expect.poll(() => set.offers().every(({ quote }) => quote.status !== 'loading')).toBe(true)
  return set
}

test('each provider makes an offer, and the currencies and tokens that any of them supports are listed', async () => {
  const { onramp, offers } = setup()
  await onramp.load()
  expect(onramp.state.get()).toMatchObject({
    status: 'ready',
    currencies: ['USD', 'EUR', 'GBP'],
    tokens: [
      { symbol: 'ETH', chain: 'eip155:1' },
      { symbol: 'USDC', chain: 'eip155:1' },
    ],
    currency: 'USD',
    token: { symbol: 'ETH' },
  })
  expect(offers().map(({ provider, label, feePercent, limits }) => [provider, label, feePercent, limits])).toEqual([
    ['coinbase', 'Coinbase', { min: 1, max: 2 }, [{ id: 'CARD', min: '10', max: '7500' }]],
    ['meld', 'Meld.io', { min: 1, max: 2 }, [{ id: 'CARD', min: '5', max: '10000.5' }]],
  ])
})

test('the host can list the providers to offer; unknown names are omitted, and invalid values disable buying', async () => {
  for (const [providers, names] of [
    [
      ['meld', 'nobody', 'coinbase', 'meld'],
      ['meld', 'coinbase'],
    ],
    ['meld', []],
    [{ meld: true }, []],
    [false, []],
    [true, ['coinbase', 'meld']],
  ] as const) {
    const { onramp, offers } = setup({ providers })
    await onramp.load()
    expect(offers().map(({ provider }) => provider)).toEqual(names)
    expect(onramp.state.get().status).toBe(names.length === 0 ? 'none' : 'ready')
  }
})

test('supported() queries the server once, and is false if there is no provider or the network is unsupported', async () => {
  const { onramp, requestsTo } = setup()
  expect([await onramp.supported(), await onramp.supported()]).toEqual([true, true])
  expect(requestsTo('/v1/onramp/options')).toHaveLength(1)
  expect(await setup({ providers: [] }).onramp.supported()).toBe(false)
  expect(await setup({ chain: 'eip155:5' }).onramp.supported()).toBe(false)
  const { onramp: without, answers } = setup()
  answers['/v1/onramp/options'] = { paymentCurrencies: [], purchaseCurrencies: [], providers: [] }
  expect(await without.supported()).toBe(false)
  const { onramp: dead, answers: none } = setup()
  none['/v1/onramp/options'] = 'down'
  expect(await dead.supported()).toBe(true)
})

test('Coinbase and Meld have fees of 1-2%, and common limits if their options cannot be loaded [R9.6]', async () => {
  const { onramp, answers, requestsTo, offers, clock } = setup()
  await onramp.load()
  const fee = { min: 1, max: 2 }
  expect(offers().map(({ label, feePercent }) => [label, feePercent])).toEqual([
    ['Coinbase', fee],
    ['Meld.io', fee],
  ])
  answers['/v1/onramp/options'] = 'down'
  await onramp.retry()
  expect(onramp.state.get()).toMatchObject({
    status: 'failed',
    error: { code: 'http/unreachable' },
    currencies: ['USD', 'EUR'],
  })
  const limits = [
    { id: 'card', min: '10.00', max: '7500.00' },
    { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
  ]
  expect(offers()).toMatchObject([
    { provider: 'coinbase', feePercent: fee, limits },
    { provider: 'meld', feePercent: fee, limits },
  ])
  onramp.setCurrency('EUR')
  expect(offers()[0]?.limits).toEqual(limits)
  onramp.setAmount('100')
  await clock.pass(500)
  expect(requestsTo('/v1/onramp/quote')).toEqual([])
  expect(offers()[0]?.quote).toEqual({ status: 'idle' })
  answers['/v1/onramp/options'] = coinbase
  await onramp.retry()
  expect(onramp.state.get()).toMatchObject({ status: 'ready', amount: '100', currency: 'EUR', error: undefined })
})

test.each(['eip155:1', 'eip155:137', 'eip155:8453'])(
  'if the options cannot be loaded, USDC and ETH are listed on Ethereum and Polygon: %s',
  async (chain) => {
    const { onramp, answers } = setup({ chain, account: `${chain}:${address}` })
    answers['/v1/supported-chains'] = { http: [chain], ws: [] }
    answers['/v1/onramp/options'] = 'down'
    await onramp.load()
    const symbols = chain === 'eip155:8453' ? [] : ['USDC', 'ETH']
    expect(onramp.state.get().tokens.map((token) => token.symbol)).toEqual(symbols)
  },
)

test('an unsupported network is distinguished from a server that does not respond', async () => {
  const unsupported = setup({ chain: 'eip155:5', account: `eip155:5:${address}` })
  await unsupported.onramp.load()
  expect(unsupported.onramp.state.get().status).toBe('unsupported')
  expect(unsupported.requestsTo('/v1/onramp/options')).toEqual([])

  const dead = setup()
  dead.answers['/v1/supported-chains'] = 'down'
  await dead.onramp.load()
  expect(dead.onramp.state.get()).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })

  const bitcoin = setup({ chain: 'bip122:000000000019d6689c085ae165831e93', account: 'bip122:0:bc1' })
  await bitcoin.onramp.load()
  expect(bitcoin.onramp.state.get().status).toBe('unsupported')
  expect(bitcoin.requests).toEqual([])
})

test('on Solana, the offered tokens are delivered to the Solana account', async () => {
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const wallet = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
  const { onramp, requestsTo, answers } = setup({ chain: solana, account: `${solana}:${wallet}` })
  answers['/v1/onramp/options'] = { ...coinbase, providers: undefined }
  answers['/v1/onramp/quote'] = quoteOf('1', '100', 'SOL')
  await onramp.load()
  expect(onramp.state.get().tokens.map(({ symbol }) => symbol)).toEqual(['SOL'])
  onramp.setAmount('100')
  onramp.buy('coinbase')
  await expect.poll(() => requestsTo('/v1/generators/onrampurl')).toHaveLength(1)
  expect(requestsTo('/v1/generators/onrampurl')[0]?.body).toMatchObject({
    destinationWallets: [{ address: wallet, blockchains: ['solana'], assets: ['SOL'] }],
  })
})

test('after a pause in typing, each provider is asked for one quote for the chosen network and payment method', async () => {
  const { onramp, clock, requestsTo, offers } = setup()
  await onramp.load()
  for (const text of ['1', '10', '100']) onramp.setAmount(text)
  await clock.pass(499)
  expect(requestsTo('/v1/onramp/quote')).toEqual([])
  expect(offers().map(({ quote }) => quote.status)).toEqual(['loading', 'loading'])
  await clock.pass(1)
  await expect.poll(() => offers().map(({ quote }) => quote.value?.purchaseAmount.amount)).toEqual(['0.03', '0.031'])
  expect(requestsTo('/v1/onramp/quote').map(({ url, body }) => [url.searchParams.get('provider'), body])).toEqual([
    [
      'coinbase',
      {
        purchaseCurrency: asset('ETH', network('ethereum', '1')),
        paymentCurrency: currency('USD'),
        amount: '100',
        network: 'ETH',
      },
    ],
    [
      'meld',
      {
        purchaseCurrency: asset('ETH', network('ETH', '1')),
        paymentCurrency: currency('USD', '5', '10000.5'),
        amount: '100',
        network: 'ETH',
      },
    ],
  ])
})

test('a quote that arrives after the user has changed the choice is ignored', async () => {
  const { onramp, clock, answers, offers } = setup({ providers: ['coinbase'] })
  await onramp.load()
  let respond: (answer: unknown) => void = () => {}
  answers['/v1/onramp/quote'] = () => new Promise((resolve) => (respond = resolve))
  onramp.setAmount('100')
  await clock.pass(500)
  const late = respond
  answers['/v1/onramp/quote'] = quoteOf('0.06', '200')
  onramp.setAmount('200')
  await clock.pass(500)
  await expect.poll(() => offers()[0]?.quote.value?.purchaseAmount.amount).toBe('0.06')
  late(quoteOf('9999'))
  await clock.pass(0)
  expect(offers()[0]?.quote.value?.purchaseAmount.amount).toBe('0.06')
})

test('a failed quote is reported, and a quote in another currency or for another token is not shown', async () => {
  for (const answer of [
    'down',
    Response.json({ status: 'FAILED', reasons: [{ field: 'onramp', description: 'no' }] }, { status: 400 }),
    { ...quoteOf('0.03'), paymentTotal: usd('100', 'JPY') },
    quoteOf('0.03', '100', 'SCAM'),
    { ...quoteOf('0.03'), purchaseAmount: { amount: '-1', currency: 'ETH' } },
  ]) {
    const { onramp, clock, answers, offers } = setup({ providers: ['coinbase'] })
    await onramp.load()
    answers['/v1/onramp/quote'] = answer
    onramp.setAmount('100')
    await clock.pass(500)
    await expect.poll(() => offers()[0]?.quote.status).toBe('failed')
    expect(offers()[0]?.quote.value).toBeUndefined()
    expect(onramp.state.get().amount).toBe('100')
  }
})

test('an offer reports why its provider cannot fulfill the choice, and no quote is requested', async () => {
  const { onramp, offers, requestsTo, clock } = setup()
  await onramp.load()
  const problems = () => offers().map(({ problem }) => problem)
  const [, usdc] = onramp.state.get().tokens
  for (const [act, expected] of [
    [() => onramp.setAmount('9.99'), ['too-little', undefined]],
    [() => onramp.setAmount('10'), [undefined, undefined]],
    [() => onramp.setAmount('7500.01'), ['too-much', undefined]],
    [() => onramp.setAmount('10000.51'), ['too-much', 'too-much']],
    [() => onramp.setCurrency('GBP'), ['currency', 'too-much']],
    [() => onramp.setCurrency('EUR'), ['too-much', 'currency']],
    [() => usdc && onramp.setToken(usdc), ['too-much', 'currency']],
    [() => onramp.setCurrency('USD'), ['too-much', 'token']],
    [() => onramp.setAmount('1e3'), [undefined, 'token']],
    [() => onramp.setAmount('0'), [undefined, 'token']],
  ] as const) {
    act()
    expect(problems()).toEqual(expected)
  }
  await clock.pass(500)
  expect(requestsTo('/v1/onramp/quote')).toEqual([])
  onramp.setAmount(' 12,5 ')
  expect(onramp.state.get().amount).toBe('12.5')
})

test('buying opens a window synchronously, and the provider’s page in it cannot access this page', async () => {
  const { onramp, windows, requestsTo, purchase, events } = await ready()
  onramp.opened()
  onramp.buy('coinbase')
  expect(windows).toMatchObject([{ url: 'about:blank', features: 'popup,width=600,height=800', shown: [] }])
  expect(purchase()).toMatchObject({
    provider: 'coinbase',
    status: 'opening',
    amount: '100',
    currency: 'USD',
    symbol: 'ETH',
  })
  await expect.poll(() => purchase()?.status).toBe('waiting')
  expect(windows).toMatchObject([
    { opener: null, shown: ['https://pay.coinbase.com/buy/select-asset?sessionToken=t'], closed: false },
  ])
  expect(
    requestsTo('/v1/generators/onrampurl').map(({ url, body }) => [url.searchParams.get('provider'), body]),
  ).toEqual([
    [
      'coinbase',
      {
        destinationWallets: [{ address, blockchains: ['ethereum'], assets: ['ETH'] }],
        partnerUserId: address,
        defaultNetwork: 'ethereum',
        defaultExperience: 'buy',
        presetFiatAmount: 100,
        fiatCurrency: 'USD',
        paymentMethod: 'CARD',
      },
    ],
  ])
  expect(events).toEqual([
    { event: 'SELECT_BUY_CRYPTO', properties: { isSmartAccount: false } },
    { event: 'SELECT_BUY_PROVIDER', properties: { provider: 'coinbase', isSmartAccount: false } },
  ])
})

test('purchases are read every four seconds until the new one is reported, then every three until it has arrived', async () => {
  const { onramp, clock, answers, requestsTo, purchase, arrivals } = await ready()
  const path = `/v1/account/${address}/history`
  const earlier = item('old', 'IN_PROGRESS')
  answers[path] = { data: [earlier], next: null }
  onramp.buy('coinbase')
  await expect.poll(() => requestsTo(path)).toHaveLength(2)
  expect(requestsTo(path)[0]?.url.searchParams.get('onramp')).toBe('coinbase')
  expect(requestsTo(path).map(({ cache }) => cache)).toEqual(['no-cache', 'no-cache'])
  // An earlier purchase is not the new one.
  expect(purchase()?.status).toBe('waiting')
  await clock.pass(4_000)
  await expect.poll(() => requestsTo(path)).toHaveLength(3)
  answers[path] = { data: [item('new', 'IN_PROGRESS'), earlier], next: null }
  await clock.pass(4_000)
  await expect.poll(() => purchase()?.status).toBe('paid')
  answers[path] = { data: [item('new', 'SUCCESS'), earlier], next: null }
  expect(arrivals()).toBe(0)
  const read = requestsTo(path).length
  await clock.pass(2_999)
  expect(requestsTo(path)).toHaveLength(read)
  await clock.pass(1)
  await expect.poll(() => purchase()).toMatchObject({ status: 'arrived', transaction: { id: 'new' } })
  expect(arrivals()).toBe(1)
  const count = requestsTo(path).length
  await clock.pass(60_000)
  expect(requestsTo(path)).toHaveLength(count)
})

test('if the earlier purchases could not be read, the new purchase is recognized by its time', async () => {
  const { onramp, clock, answers, requestsTo, purchase } = await ready()
  const path = `/v1/account/${address}/history`
  answers[path] = 'down'
  onramp.buy('coinbase')
  await expect.poll(() => purchase()?.status).toBe('waiting')
  const earlier = item('old', 'SUCCESS', '2026-11-28T05:58:00Z')
  answers[path] = { data: [earlier], next: null }
  const count = requestsTo(path).length
  await clock.pass(4_000)
  await expect.poll(() => requestsTo(path)).toHaveLength(count + 1)
  await expect.poll(() => purchase()?.isUnreachable).toBe(false)
  expect(purchase()).toMatchObject({ status: 'waiting', transaction: undefined })
  answers[path] = { data: [item('new', 'SUCCESS'), earlier], next: null }
  await clock.pass(4_000)
  await expect.poll(() => purchase()).toMatchObject({ status: 'arrived', transaction: { id: 'new' } })
})

test('a purchase is refused if the provider reports that it failed', async () => {
  const { onramp, clock, answers, purchase, arrivals } = await ready()
  onramp.buy('meld')
  await expect.poll(() => purchase()?.status).toBe('waiting')
  answers[`/v1/account/${address}/history`] = { data: [item('new', 'FAILED')], next: null }
  await clock.pass(4_000)
  await expect.poll(() => purchase()?.status).toBe('refused')
  expect(arrivals()).toBe(0)
})

test('if the server stops responding, requests are repeated for three minutes, and resume() continues', async () => {
  const { onramp, clock, answers, purchase } = await ready()
  const path = `/v1/account/${address}/history`
  onramp.buy('coinbase')
  await expect.poll(() => purchase()?.status).toBe('waiting')
  answers[path] = 'down'
  await clock.pass(4_000)
  await expect.poll(() => purchase()?.isUnreachable).toBe(true)
  expect(purchase()?.status).toBe('waiting')
  for (let seconds = 4; seconds < 176; seconds += 4) await clock.pass(4_000)
  expect(purchase()?.status).toBe('waiting')
  await clock.pass(4_000)
  await expect.poll(() => purchase()?.status).toBe('slow')
  answers[path] = { data: [item('new', 'SUCCESS')], next: null }
  onramp.resume()
  await expect.poll(() => purchase()?.status).toBe('arrived')
})

test('if the browser blocks the window, the provider’s page is offered as a link that can be used once', async () => {
  const { onramp, purchase, clock } = await ready({ blocked: true })
  onramp.buy('coinbase')
  await expect
    .poll(() => purchase())
    .toMatchObject({ status: 'blocked', url: 'https://pay.coinbase.com/buy/select-asset?sessionToken=t' })
  onramp.resume()
  expect(purchase()?.status).toBe('blocked')
  await clock.pass(0)
  expect(purchase()).toMatchObject({ status: 'waiting', url: undefined })
})

test('if the provider’s page cannot be requested, the window closes, the error is shown and the amount is kept', async () => {
  const forOther = { url: `https://pay.coinbase.com/buy?address=0x${'66'.repeat(20)}` }
  for (const answer of ['down', { url: 'javascript:alert(1)' }, { url: 'http://evil.example/' }, forOther]) {
    const { onramp, answers, windows, purchase } = await ready()
    answers['/v1/generators/onrampurl'] = answer
    onramp.buy('coinbase')
    await expect.poll(() => purchase()?.status).toBe('failed')
    expect(purchase()?.error?.code).toMatch(/^http\//)
    expect(windows).toMatchObject([{ shown: [], closed: true }])
    expect(onramp.state.get().amount).toBe('100')
  }
})

test('buy() does nothing if the account has changed, or if the amount is missing or above the limit', async () => {
  const changed = await ready()
  changed.subject.account = `eip155:1:0x${'9'.repeat(40)}`
  changed.onramp.buy('coinbase')
  expect(changed.windows).toEqual([])
  expect(changed.purchase()).toBeUndefined()
  await expect.poll(() => changed.onramp.state.get().account).toBe(changed.subject.account)

  const limit = await ready()
  limit.onramp.setAmount('7501')
  limit.onramp.buy('coinbase')
  limit.onramp.setAmount('')
  limit.onramp.buy('meld')
  expect(limit.windows).toEqual([])
})

test('the input and a purchase in progress are kept after a reload, and a dismissed purchase is not', async () => {
  const session = memoryStorage()
  const first = await ready({ session })
  first.onramp.setCurrency('USD')
  first.onramp.setToken(first.onramp.state.get().tokens[1] as never)
  first.answers[`/v1/account/${address}/history`] = { data: [item('old', 'SUCCESS')], next: null }
  first.onramp.buy('coinbase')
  await expect.poll(() => first.purchase()?.status).toBe('waiting')
  first.onramp.stop()

  const second = setup({ session })
  expect(second.onramp.state.get().amount).toBe('100')
  expect(second.purchase()).toMatchObject({ provider: 'coinbase', status: 'waiting', symbol: 'USDC' })
  await second.onramp.load()
  expect(second.onramp.state.get()).toMatchObject({ amount: '100', currency: 'USD', token: { symbol: 'USDC' } })
  second.answers[`/v1/account/${address}/history`] = {
    data: [item('new', 'SUCCESS'), item('old', 'SUCCESS')],
    next: null,
  }
  await second.clock.pass(4_000)
  await expect.poll(() => second.purchase()).toMatchObject({ status: 'arrived', transaction: { id: 'new' } })
  second.onramp.dismiss()

  const third = setup({ session })
  expect(third.onramp.state.get()).toMatchObject({ amount: '100', purchase: undefined })
})

test('a dismissed purchase is no longer tracked, and its window closes', async () => {
  const { onramp, clock, requestsTo, windows, purchase } = await ready()
  onramp.buy('coinbase')
  await expect.poll(() => purchase()?.status).toBe('waiting')
  onramp.dismiss()
  expect(windows[0]?.closed).toBe(true)
  const count = requestsTo(`/v1/account/${address}/history`).length
  await clock.pass(60_000)
  expect(requestsTo(`/v1/account/${address}/history`)).toHaveLength(count)
  expect(onramp.state.get()).toMatchObject({ purchase: undefined, amount: '100' })
})
