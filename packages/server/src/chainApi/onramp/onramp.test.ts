import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getHistory, getOnrampOptions, postOnrampQuote, postOnrampUrl } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import { jwtVerify } from 'jose'
import { afterEach, expect, test } from 'vitest'
import type { CoinbaseConfig } from '../../config/onrampConfig.ts'
import { inMemoryDependencies } from '../../inMemoryDependencies.ts'
import { createTestServer } from '../../testing/declaredErrors.ts'
import { createHistoryReader } from '../history/historyReader.ts'
import { onrampFromConfig } from './onrampFromConfig.ts'

// The providers' responses have the form that their published documentation describes
// (https://docs.cdp.coinbase.com/onramp/reference and https://docs.meld.io), as of 2026-11-28. They were not recorded from the
// providers, because that requires accounts.

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const meldKey = 'W9kZTT7332:3sYKoXQv6oHV'

const usd = (value: string) => ({ value, currency: 'USD' })
const coinbaseAnswers: Record<string, unknown> = {
  'GET /onramp/v1/buy/options': {
    payment_currencies: [
      {
        id: 'USD',
        icon_url: 'https://img.example/usd.png',
        limits: [
          { id: 'CARD', min: '2', max: '7500' },
          { id: 'ACH_BANK_ACCOUNT', min: '2', max: '25000' },
        ],
      },
    ],
    purchase_currencies: [
      {
        id: '2b92315d-eab7-5bef-84fa-089a131333f5',
        name: 'USD Coin',
        symbol: 'USDC',
        icon_url: 'https://img.example/usdc.png',
        networks: [
          {
            name: 'base',
            display_name: 'Base',
            chain_id: '8453',
            contract_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          },
          {
            name: 'solana',
            display_name: 'Solana',
            chain_id: '0',
            contract_address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
          },
        ],
      },
    ],
  },
  'POST /onramp/v1/buy/quote': {
    payment_total: usd('100.55'),
    payment_subtotal: usd('98.90'),
    purchase_amount: { value: '98.896604', currency: 'USDC' },
    coinbase_fee: usd('1.50'),
    network_fee: usd('0.15'),
    quote_id: 'b0bbeb00-0000-4000-8000-000000000000',
  },
  'POST /onramp/v1/token': { token: 'ZWJlNDgwYmItNjBkMi00ZmFiLWIxYTQtMTM3MGI2YjJiNjFh', channel_id: '' },
  [`GET /onramp/v1/buy/user/${address.toLowerCase()}/transactions`]: {
    transactions: [
      purchase(
        '1f087a54-ff1f-62e8-9f85-aa77ac0499a5',
        address,
        'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS',
        '2026-11-28T05:00:00Z',
      ),
      purchase(
        '0e087a54-ff1f-62e8-9f85-aa77ac0499a5',
        address,
        'ONRAMP_TRANSACTION_STATUS_SUCCESS',
        '2026-11-27T05:00:00Z',
      ),
      purchase(
        '2e087a54-ff1f-62e8-9f85-aa77ac0499a5',
        `0x${'9'.repeat(40)}`,
        'ONRAMP_TRANSACTION_STATUS_SUCCESS',
        '2026-11-27T05:00:00Z',
      ),
      { transaction_id: 'broken' },
    ],
    next_page_key: 'page-2',
    total_count: 60,
  },
}

function purchase(id: string, wallet: string, status: string, createdAt: string) {
  return {
    transaction_id: id,
    status,
    purchase_currency: 'USDC',
    purchase_network: 'base',
    purchase_amount: { value: '98.896604', currency: 'USDC' },
    payment_total: usd('100.55'),
    tx_hash: '0xabc0',
    created_at: createdAt,
    wallet_address: wallet,
    payment_method: 'CARD',
  }
}

const meldQuote = (serviceProvider: string, destinationAmount: number, totalFee: number) => ({
  transactionType: 'CRYPTO_PURCHASE',
  sourceAmount: 100,
  sourceAmountWithoutFees: 100 - totalFee,
  sourceCurrencyCode: 'USD',
  destinationAmount,
  destinationCurrencyCode: 'USDC_BASE',
  countryCode: 'US',
  totalFee,
  networkFee: 0.2,
  transactionFee: totalFee - 0.2,
  paymentMethodType: 'CREDIT_DEBIT_CARD',
  customerScore: 20,
  serviceProvider,
})
const meldAnswers: Record<string, unknown> = {
  'GET /service-providers/properties/crypto-currencies': [
    {
      currencyCode: 'USDC_BASE',
      name: 'USD Coin',
      chainCode: 'BASE',
      chainName: 'Base',
      chainId: '8453',
      contractAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      symbolImageUrl: 'https://img.example/usdc.png',
    },
    {
      currencyCode: 'BTC',
      name: 'Bitcoin',
      chainCode: 'BTC',
      chainName: 'Bitcoin',
      chainId: null,
      contractAddress: null,
    },
    { name: 'without a code' },
  ],
  'GET /service-providers/limits/fiat-currency-purchases': [
    { currencyCode: 'EUR', defaultAmount: 100, minimumAmount: 5, maximumAmount: 10000.5, meldDetails: null },
  ],
  'POST /payments/crypto/quote': {
    quotes: [meldQuote('TRANSAK', 96.1, 3.9), meldQuote('UNLIMIT', 97.5, 2.5), meldQuote('', 99, -1)],
    message: null,
    error: null,
  },
  'POST /crypto/session/widget': {
    id: 'WePzm7gRdUgis7VHQjMYYL',
    externalCustomerId: address.toLowerCase(),
    customerId: 'WeP9qpZzvBizvKhR8bGigL',
    widgetUrl: 'https://meldcrypto.com/?token=eyJ',
    token: 'eyJ',
  },
  'GET /payments/transactions': {
    transactions: [
      {
        id: 'W9k9Tg12BFk1i68WpQYQY8',
        key: 'k1',
        status: 'SETTLING',
        transactionType: 'CRYPTO_PURCHASE',
        createdAt: '2026-11-27T12:00:00Z',
        destinationAmount: 0.00000012,
        destinationCurrencyCode: 'USDC_BASE',
        cryptoDetails: { walletAddress: address, blockchainTransactionId: '0xdef0' },
      },
    ],
    count: 1,
    remaining: 0,
  },
}

type Handler = (
  request: { method: string; url: URL; headers: IncomingMessage['headers']; body: unknown },
  response: ServerResponse,
) => void

const listening: NodeServer[] = []
afterEach(() => {
  for (const server of listening.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Starts a provider. Resolves to its URL and the requests that it received. */
async function startProvider(answers: Record<string, unknown>, handle?: Handler) {
  const requests: Parameters<Handler>[0][] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
      const request = {
        method: incoming.method ?? '',
        url,
        headers: incoming.headers,
        body: text ? JSON.parse(text) : undefined,
      }
      requests.push(request)
      if (handle) return handle(request, response)
      const answer = answers[`${request.method} ${url.pathname}`]
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? { code: 5, message: 'Not Found' }))
    })
  })
  listening.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function serverWith({ coinbase, meld }: { coinbase?: string | undefined; meld?: string | undefined }) {
  const dependencies = inMemoryDependencies()
  const config: CoinbaseConfig | undefined =
    coinbase === undefined
      ? undefined
      : {
          keyId: 'organizations/1/apiKeys/2',
          keySecret: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
          apiUrl: `${coinbase}/onramp`,
          payUrl: 'https://pay.coinbase.com',
        }
  const { clock, log } = dependencies
  const onramp = onrampFromConfig({
    config: {
      country: 'US',
      subdivision: 'NY',
      coinbase: config,
      meld: meld === undefined ? undefined : { apiKey: meldKey, apiUrl: meld },
    },
    fetch,
    clock,
    now: Date.now,
  })
  const history = createHistoryReader({
    chains: new Map(),
    callNode: () => Promise.reject(),
    onramp,
    fetch,
    clock,
    log,
  })
  const server = createTestServer({ ...dependencies, chainApi: { onramp, history } })
  return async (path: string, body?: unknown, caller: { address?: string } = { address: '192.0.2.7' }) => {
    const url = `http://connect.test${path}${path.includes('?') ? '&' : '?'}projectId=shop&st=latchkey&sv=react-1.0.0`
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body) }
    const response = await server(new Request(url, { ...init, headers: { origin: 'https://shop.example' } }), caller)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, ...(retryAfter && { retryAfter }), body: (await response.json()) as never }
  }
}

const options = { path: '/v1/onramp/options' }
const quoteBody = {
  purchaseCurrency: {
    id: '2b92315d-eab7-5bef-84fa-089a131333f5',
    name: 'USD Coin',
    symbol: 'USDC',
    networks: [{ name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '0x8335' }],
  },
  paymentCurrency: { id: 'USD', payment_method_limits: [{ id: 'card', min: '2', max: '7500' }] },
  amount: '100.55',
  network: 'USDC',
}
const urlBody = {
  destinationWallets: [{ address, blockchains: ['base'], assets: ['USDC'] }],
  partnerUserId: address,
  defaultNetwork: 'base',
  defaultExperience: 'buy',
  presetFiatAmount: 100,
}

test('Coinbase: the options have the format defined by the specification and list the server’s providers', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const ask = serverWith({ coinbase: provider.url })
  const { status, body } = await ask(options.path)
  expect(status).toBe(200)
  expect(body).toEqual({
    paymentCurrencies: [
      {
        id: 'USD',
        payment_method_limits: [
          { id: 'CARD', min: '2', max: '7500' },
          { id: 'ACH_BANK_ACCOUNT', min: '2', max: '25000' },
        ],
      },
    ],
    purchaseCurrencies: [
      {
        id: '2b92315d-eab7-5bef-84fa-089a131333f5',
        name: 'USD Coin',
        symbol: 'USDC',
        networks: [
          {
            name: 'base',
            display_name: 'Base',
            chain_id: '8453',
            contract_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          },
          {
            name: 'solana',
            display_name: 'Solana',
            chain_id: '0',
            contract_address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
          },
        ],
      },
    ],
    providers: [{ name: 'coinbase' }],
  })
  expect(read(getOnrampOptions.answer, body)).toEqual(body)
  const [{ url }] = provider.requests as [(typeof provider.requests)[number]]
  expect(Object.fromEntries(url.searchParams)).toEqual({ country: 'US', subdivision: 'NY' })
  await ask(options.path)
  expect(provider.requests).toHaveLength(1)
})

test('Coinbase: requests contain a token for their method, host and path that is signed with the operator’s key', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const ask = serverWith({ coinbase: provider.url })
  await ask('/v1/onramp/quote', quoteBody)
  const [{ headers }] = provider.requests as [(typeof provider.requests)[number]]
  const token = headers.authorization?.replace('Bearer ', '') ?? ''
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { issuer: 'cdp', audience: 'cdp_service' })
  expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'organizations/1/apiKeys/2', typ: 'JWT' })
  expect(payload).toMatchObject({
    sub: 'organizations/1/apiKeys/2',
    uris: [`POST ${new URL(provider.url).host}/onramp/v1/buy/quote`],
  })
  expect((payload.exp ?? 0) - (payload.nbf ?? 0)).toBe(120)
})

test('Coinbase: an Ed25519 key signs with EdDSA', async () => {
  const pair = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = pair.privateKey.export({ format: 'jwk' })
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
  const { createCoinbaseTokens } = await import('./coinbaseToken.ts')
  const sign = createCoinbaseTokens({ keyId: 'key', keySecret: secret, now: Date.now })
  const token = await sign({ method: 'GET', url: new URL('https://api.example/onramp/v1/buy/options?country=US') })
  const { payload, protectedHeader } = await jwtVerify(token, pair.publicKey)
  expect(protectedHeader.alg).toBe('EdDSA')
  expect(payload.uris).toEqual(['GET api.example/onramp/v1/buy/options'])
})

test('Coinbase: a quote uses the network of the purchase currency, not the request’s `network` field', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const { status, body } = await serverWith({ coinbase: provider.url })('/v1/onramp/quote', quoteBody)
  expect(status).toBe(200)
  expect(body).toEqual({
    paymentTotal: { amount: '100.55', currency: 'USD' },
    paymentSubtotal: { amount: '98.90', currency: 'USD' },
    purchaseAmount: { amount: '98.896604', currency: 'USDC' },
    coinbaseFee: { amount: '1.50', currency: 'USD' },
    networkFee: { amount: '0.15', currency: 'USD' },
    quoteId: 'b0bbeb00-0000-4000-8000-000000000000',
  })
  expect(read(postOnrampQuote.answer, body)).toEqual(body)
  expect(provider.requests[0]?.body).toEqual({
    purchase_currency: '2b92315d-eab7-5bef-84fa-089a131333f5',
    purchase_network: 'base',
    payment_currency: 'USD',
    payment_amount: '100.55',
    payment_method: 'CARD',
    country: 'US',
    subdivision: 'NY',
  })
})

test('Coinbase: the URL contains a session token in place of the key and the destination wallets', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const { status, body } = await serverWith({ coinbase: provider.url })('/v1/generators/onrampurl', {
    ...urlBody,
    fiatCurrency: 'USD',
    paymentMethod: 'card',
  })
  expect(status).toBe(200)
  const answer = read(postOnrampUrl.answer, body)
  const url = new URL(answer?.url ?? '')
  expect(url.origin + url.pathname).toBe('https://pay.coinbase.com/buy/select-asset')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    sessionToken: 'ZWJlNDgwYmItNjBkMi00ZmFiLWIxYTQtMTM3MGI2YjJiNjFh',
    partnerUserRef: address.toLowerCase(),
    defaultExperience: 'buy',
    defaultNetwork: 'base',
    defaultAsset: 'USDC',
    defaultPaymentMethod: 'CARD',
    fiatCurrency: 'USD',
    presetFiatAmount: '100',
  })
  expect(provider.requests[0]?.body).toEqual({
    addresses: [{ address, blockchains: ['base'] }],
    assets: ['USDC'],
    clientIp: '192.0.2.7',
  })
  expect(provider.requests[0]?.url.search).toBe('')
})

test('an invalid request for the URL is rejected with 400', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const ask = serverWith({ coinbase: provider.url })
  for (const [change, field] of [
    [{ destinationWallets: [] }, 'destinationWallets'],
    [{ partnerUserId: '0'.repeat(31) }, 'partnerUserId'],
    [{ partnerUserId: '0'.repeat(51) }, 'partnerUserId'],
    [{ defaultExperience: 'steal' }, 'defaultExperience'],
  ] as const) {
    const { status, body } = await ask('/v1/generators/onrampurl', { ...urlBody, ...change })
    expect([status, body]).toEqual([400, { status: 'FAILED', reasons: [{ field, description: expect.any(String) }] }])
  }
  expect((await ask('/v1/onramp/options?provider=nobody')).status).toBe(400)
  expect(provider.requests).toEqual([])
})

test('the history includes purchases that arrive at the address, with their status', async () => {
  const provider = await startProvider(coinbaseAnswers)
  const ask = serverWith({ coinbase: provider.url })
  const { status, body } = await ask(`/v1/account/${address}/history?onramp=coinbase&chainId=eip155:8453`)
  expect(status).toBe(200)
  const answer = read(getHistory.answer, body)
  expect(answer?.data.map(({ id, metadata }) => [id.slice(0, 8), metadata.status, metadata.chain])).toEqual([
    ['1f087a54', 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS', 'eip155:8453'],
    ['0e087a54', 'ONRAMP_TRANSACTION_STATUS_SUCCESS', 'eip155:8453'],
  ])
  expect(answer?.data[0]).toMatchObject({
    metadata: { operationType: 'buy', sentFrom: 'Coinbase', nonce: 1, hash: '0xabc0' },
    transfers: [{ direction: 'in', quantity: { numeric: '98.896604' }, fungible_info: { symbol: 'USDC' } }],
  })
  // The amount paid is private.
  expect(JSON.stringify(body)).not.toContain('100.55')
  await ask(`/v1/account/${address}/history?onramp=coinbase&chainId=eip155:8453&cursor=${answer?.next}`)
  expect(provider.requests.at(-1)?.url.searchParams.get('page_key')).toBe('page-2')
  expect((await ask(`/v1/account/${address}/history?onramp=coinbase&cursor=nonsense`)).status).toBe(400)
})

test('Meld: the best quote is chosen, its fees are calculated exactly, and the widget opens for the same currency', async () => {
  const provider = await startProvider(meldAnswers)
  const ask = serverWith({ meld: provider.url })
  const found = read(getOnrampOptions.answer, (await ask(options.path)).body)
  expect(found?.providers).toEqual([{ name: 'meld' }])
  expect(found?.paymentCurrencies).toEqual([
    { id: 'EUR', payment_method_limits: [{ id: 'ALL', min: '5', max: '10000.5' }] },
  ])
  expect(found?.purchaseCurrencies.map(({ id, symbol }) => [id, symbol])).toEqual([
    ['USDC_BASE', 'USDC'],
    ['BTC', 'BTC'],
  ])
  const [purchaseCurrency] = found?.purchaseCurrencies ?? []
  const { body } = await ask('/v1/onramp/quote', { ...quoteBody, purchaseCurrency, amount: '100' })
  expect(body).toEqual({
    paymentTotal: { amount: '100', currency: 'USD' },
    paymentSubtotal: { amount: '97.5', currency: 'USD' },
    purchaseAmount: { amount: '97.5', currency: 'USDC' },
    coinbaseFee: { amount: '2.3', currency: 'USD' },
    networkFee: { amount: '0.2', currency: 'USD' },
    quoteId: 'UNLIMIT',
  })
  const destinationWallets = [{ address, blockchains: ['BASE'], assets: ['USDC_BASE'] }]
  const opened = await ask('/v1/generators/onrampurl', { ...urlBody, destinationWallets, fiatCurrency: 'USD' })
  expect(opened).toEqual({ status: 200, body: { url: 'https://meldcrypto.com/?token=eyJ' } })
  expect(provider.requests.at(-1)?.body).toEqual({
    sessionType: 'BUY',
    externalCustomerId: address.toLowerCase(),
    sessionData: {
      countryCode: 'US',
      serviceProvider: 'UNLIMIT',
      sourceCurrencyCode: 'USD',
      sourceAmount: '100',
      destinationCurrencyCode: 'USDC_BASE',
      walletAddress: address,
    },
  })
  expect(provider.requests.every(({ headers }) => headers.authorization === `BASIC ${meldKey}`)).toBe(true)
  expect(provider.requests.every(({ headers }) => headers['meld-version'] === '2023-12-19')).toBe(true)
  expect(provider.requests.some(({ url }) => url.href.includes(meldKey))).toBe(false)
})

test('with both providers, each can be selected, and purchases are listed together', async () => {
  const coinbase = await startProvider(coinbaseAnswers)
  const meld = await startProvider(meldAnswers)
  const ask = serverWith({ coinbase: coinbase.url, meld: meld.url })
  const first = read(getOnrampOptions.answer, (await ask(options.path)).body)
  expect(first?.providers).toEqual([{ name: 'coinbase' }, { name: 'meld' }])
  expect(first?.paymentCurrencies[0]?.id).toBe('USD')
  const second = read(getOnrampOptions.answer, (await ask(`${options.path}?provider=meld`)).body)
  expect(second?.paymentCurrencies[0]?.id).toBe('EUR')
  const history = read(
    getHistory.answer,
    (await ask(`/v1/account/${address}/history?onramp=coinbase&chainId=eip155:8453`)).body,
  )
  expect(history?.data.map(({ metadata }) => metadata.sentFrom)).toEqual(['Coinbase', 'Meld', 'Coinbase'])
  expect(history?.data[1]?.transfers[0]?.quantity.numeric).toBe('0.00000012')
  expect(history?.isPartial).toBeUndefined()
})

test('if one of two providers is down, the other’s purchases are listed and the history is marked as partial', async () => {
  const coinbase = await startProvider({}, (_, response) => response.destroy())
  const meld = await startProvider(meldAnswers)
  const ask = serverWith({ coinbase: coinbase.url, meld: meld.url })
  const { status, body } = await ask(`/v1/account/${address}/history?onramp=coinbase&chainId=eip155:8453`)
  expect(status).toBe(200)
  expect(read(getHistory.answer, body)).toMatchObject({ isPartial: true, data: [{ metadata: { sentFrom: 'Meld' } }] })
})

const faults: readonly (readonly [name: string, handle: Handler, status: 400 | 503])[] = [
  ['closes the connection', (_, response) => response.destroy(), 503],
  ['responds with 500', (_, response) => response.writeHead(500).end('oops'), 503],
  ['rejects the key', (_, response) => response.writeHead(401).end('{"message":"invalid key"}'), 503],
  ['responds with a page', (_, response) => response.end('<html></html>'), 503],
  ['responds with half of the JSON', (_, response) => response.end('{"payment_total":{"val'), 503],
  ['leaves out the amount', (_, response) => response.end('{"payment_total":{"value":"1","currency":"USD"}}'), 503],
  [
    'has an invalid amount',
    (_, response) =>
      response.end(
        JSON.stringify({ ...(coinbaseAnswers['POST /onramp/v1/buy/quote'] as object), purchase_amount: usd('1e9') }),
      ),
    503,
  ],
  ['responds with 8 MB', (_, response) => response.end('x'.repeat(8_388_608)), 503],
  ['rejects the amount', (_, response) => response.writeHead(400).end('{"message":"amount is too low"}'), 400],
]
const meldFaults: typeof faults = [
  ...faults.slice(0, 5),
  ['has quotes that are no list', (_, response) => response.end('{"quotes":"many"}'), 503],
  ['responds with 8 MB', (_, response) => response.end('x'.repeat(8_388_608)), 503],
  ['has no quotes', (_, response) => response.end('{"quotes":null}'), 400],
  ['rejects the amount', (_, response) => response.writeHead(422).end('{"message":"amount is too low"}'), 400],
]
for (const [name, handle, expected] of meldFaults)
  test(`Meld: if the provider ${name}, the quote fails with ${expected} instead of returning invented values`, async () => {
    const provider = await startProvider({}, handle)
    const { status, body } = await serverWith({ meld: provider.url })('/v1/onramp/quote', quoteBody)
    expect([status, body]).toEqual([
      expected,
      { status: 'FAILED', reasons: [{ field: expect.any(String), description: expect.any(String) }] },
    ])
    expect(JSON.stringify(body)).not.toContain(meldKey)
  })

test.each(['coinbase', 'meld'])(
  '%s: if the provider is busy, the response is 503 with the provider’s retry delay',
  async (name) => {
    const provider = await startProvider({}, (_, response) => response.writeHead(429, { 'retry-after': '7' }).end())
    const answer = await serverWith({ [name]: provider.url })('/v1/onramp/quote', quoteBody)
    expect(answer).toMatchObject({ status: 503, retryAfter: '7' })
    expect(provider.requests).toHaveLength(1)
  },
)

for (const [name, handle, expected] of faults)
  test(`Coinbase: if the provider ${name}, the quote fails with ${expected} instead of returning invented values`, async () => {
    const provider = await startProvider({}, handle)
    const { status, body } = await serverWith({ coinbase: provider.url })('/v1/onramp/quote', quoteBody)
    expect([status, body]).toEqual([
      expected,
      { status: 'FAILED', reasons: [{ field: expect.any(String), description: expect.any(String) }] },
    ])
    expect(JSON.stringify(body)).not.toMatch(/mocked|PRIVATE KEY|Bearer/)
  })

test('redirects are not followed, so that the key is only sent to the provider', async () => {
  const other = await startProvider({ 'POST /onramp/v1/buy/quote': coinbaseAnswers['POST /onramp/v1/buy/quote'] })
  const provider = await startProvider({}, ({ url }, response) =>
    response.writeHead(307, { location: `${other.url}${url.pathname}` }).end(),
  )
  const { status } = await serverWith({ coinbase: provider.url })('/v1/onramp/quote', quoteBody)
  expect(status).toBe(503)
  expect(provider.requests).toHaveLength(1)
  expect(other.requests).toEqual([])
})

test('a request to a slow provider ends when the client disconnects', async () => {
  const provider = await startProvider({}, () => {})
  const onramp = onrampFromConfig({
    config: {
      country: 'US',
      subdivision: undefined,
      coinbase: undefined,
      meld: { apiKey: meldKey, apiUrl: provider.url },
    },
    fetch,
    clock: () => performance.now(),
    now: Date.now,
  })
  const client = new AbortController()
  const pending = onramp.options({ signal: client.signal })
  await expect.poll(() => provider.requests.length).toBe(2)
  client.abort()
  await expect(pending).rejects.toMatchObject({ status: 503 })
})

test('without a provider, the options and the list of purchases are empty', async () => {
  const dependencies = inMemoryDependencies()
  const { clock, log } = dependencies
  const history = createHistoryReader({ chains: new Map(), callNode: () => Promise.reject(), fetch, clock, log })
  const server = createTestServer({ ...dependencies, chainApi: { history } })
  const get = (path: string) => server(new Request(`http://connect.test${path}`))
  const options = await get('/v1/onramp/options?projectId=shop')
  expect(options.status).toBe(200)
  expect(await options.json()).toMatchObject({ providers: [], paymentCurrencies: [], purchaseCurrencies: [] })
  const purchases = await get(`/v1/account/${address}/history?projectId=shop&onramp=coinbase`)
  expect(await purchases.json()).toEqual({ data: [], next: null })
})
