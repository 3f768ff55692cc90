import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'
import type { SmartAccountUpstreams } from '../keysDependencies.ts'

const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: false }
const guest = { ...shop, id: 'guest', allowedOrigins: ['https://guest.example'] }

let keys: TestKeys
const requests: string[] = []

const relay = (name: string): SmartAccountUpstreams['bundlers'] => ({
  supported: () => ['eip155:1'],
  send: async (chain, body) => {
    const { method, params } = JSON.parse(body)
    requests.push(`${name} ${method}`)
    if (chain !== 'eip155:1') return { kind: 'unsupported' }
    const result = params[0].nonce === 'final' ? { paymaster: name, isFinal: true } : name
    return { kind: 'answered', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) }
  },
})

beforeAll(async () => {
  keys = await startKeys({
    projects: [shop, guest],
    smart: {
      bundlers: relay('bundler'),
      sponsors: relay('operator'),
      sponsorOrigins: ['https://shop.example'],
      sponsorDailyPerAccount: 2,
      sponsorDailyPerAddress: 5,
      sponsorDailyTotal: 8,
      sponsorMaxCostWei: 1_000_000n,
      pagePaymasters: ['https://paymaster.example'],
    },
    fetch: async (request) => {
      requests.push(`page ${request.url}`)
      return Response.json({ jsonrpc: '2.0', id: 1, result: 'page' })
    },
  })
}, 60_000)
afterAll(() => keys?.close())

const cheap = {
  callGasLimit: '0x64',
  verificationGasLimit: '0x64',
  preVerificationGas: '0x64',
  paymasterPostOpGasLimit: '0x64',
  maxFeePerGas: '0x9c4',
}
const call = (method: string, operation: object = cheap) => ({ jsonrpc: '2.0', id: 1, method, params: [operation] })
const bundler = '/vault/bundler?chainId=eip155:1'
const paymaster = (query: string) => `/vault/paymaster?chainId=eip155:1&${query}`
const ofShop = paymaster('page=https://shop.example')

async function visitor(email: string, address?: string): Promise<TestBrowser> {
  const browser = keys.browser(address)
  await keys.signIn(browser, email)
  return browser
}

test('the configuration lists the chains that support smart accounts and those with sponsored fees', async () => {
  expect((await keys.browser().send('GET', '/vault/config')).body).toMatchObject({
    bundlers: ['eip155:1'],
    sponsored: ['eip155:1'],
    paymasters: ['https://paymaster.example'],
  })
})

test('requests to bundlers and paymasters require a sign-in', async () => {
  const stranger = keys.browser()
  const estimate = call('eth_estimateUserOperationGas')
  expect(await stranger.send('POST', bundler, estimate)).toMatchObject({ status: 401, body: { code: 'session/none' } })
  expect(await stranger.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({ status: 401 })
})

test('only bundler methods are forwarded to the bundler', async () => {
  const browser = await visitor('ada@bakery.example')
  expect(await browser.send('POST', bundler, call('eth_sendUserOperation'))).toMatchObject({
    status: 200,
    body: { result: 'bundler' },
  })
  for (const method of ['eth_sendRawTransaction', 'debug_bundler_clearState', 'pm_getPaymasterData', 'pimlico_x'])
    expect(await browser.send('POST', bundler, call(method))).toMatchObject({ status: 400 })
  expect(await browser.send('POST', bundler, [call('eth_sendUserOperation')])).toMatchObject({ status: 400 })
  expect(await browser.send('POST', '/vault/bundler?chainId=eip155:5', call('eth_supportedEntryPoints'))).toMatchObject(
    {
      status: 400,
    },
  )
})

test('the operator sponsors fees only for its own pages, up to a daily limit per account', async () => {
  const browser = await visitor('bea@bakery.example')
  for (const page of ['https://guest.example', 'https://nobody.example', 'http://localhost:3000', ''])
    expect(
      (await browser.send('POST', paymaster(`page=${page}`), call('pm_getPaymasterData'))).body.error.message,
    ).toBe('Fees are not sponsored for this page')
  // Stub data, which is used for estimates, does not count toward the limit.
  for (let at = 0; at < 4; at += 1)
    expect((await browser.send('POST', ofShop, call('pm_getPaymasterStubData'))).body).toMatchObject({
      result: 'operator',
    })
  for (let at = 0; at < 2; at += 1)
    expect((await browser.send('POST', ofShop, call('pm_getPaymasterData'))).body).toMatchObject({ result: 'operator' })
  expect(await browser.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({
    status: 429,
    body: { code: 'limit/reached' },
  })
  const other = await visitor('cleo@bakery.example')
  expect(await other.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({ status: 200 })
  keys.pass(25 * 60 * 60_000)
  expect(await browser.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({ status: 200 })
})

test('an operation is not sponsored if it exceeds the maximum cost or lacks gas fields', async () => {
  const browser = await visitor('gil@bakery.example', '198.51.100.1')
  keys.pass(25 * 60 * 60_000)
  await keys.signIn(browser, 'gil@bakery.example')
  const { maxFeePerGas: _, ...silent } = cheap
  for (const operation of [
    { ...cheap, callGasLimit: '0x65' },
    { ...cheap, maxFeePerGas: '0x9c5' },
    { ...cheap, paymasterVerificationGasLimit: '0x1' },
    { ...cheap, maxFeePerGas: `0x${'f'.repeat(33)}` },
    silent,
  ])
    expect((await browser.send('POST', ofShop, call('pm_getPaymasterData', operation))).body.error.message).toBe(
      'The cost is above the sponsoring limit',
    )
  expect(await browser.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({
    body: { result: 'operator' },
  })
})

test('sponsoring is limited per IP address and in total, because creating accounts is free', async () => {
  keys.pass(25 * 60 * 60_000)
  const paid = async (name: string, address: string): Promise<number> => {
    const browser = await visitor(`${name}@bakery.example`, address)
    return (await browser.send('POST', ofShop, call('pm_getPaymasterData'))).status
  }
  const statuses = []
  for (const name of ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']) statuses.push(await paid(name, '198.51.100.2'))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const elsewhere = []
  for (const name of ['i1', 'i2', 'i3', 'i4']) elsewhere.push(await paid(name, '198.51.100.3'))
  expect(elsewhere).toEqual([200, 200, 200, 429])
  keys.pass(25 * 60 * 60_000)
})

test('stub data marked as final counts as a sponsored operation', async () => {
  const browser = await visitor('finn@bakery.example')
  const stub = { ...call('pm_getPaymasterStubData'), params: [{ nonce: 'final' }] }
  for (let at = 0; at < 2; at += 1)
    expect((await browser.send('POST', ofShop, stub)).body).toMatchObject({ result: { isFinal: true } })
  expect(await browser.send('POST', ofShop, stub)).toMatchObject({ status: 429, body: { code: 'limit/reached' } })
})

test('a page’s own paymaster is called only if the operator allows its origin', async () => {
  const browser = await visitor('dora@bakery.example')
  const named = (url: string) => paymaster(`page=https://guest.example&url=${encodeURIComponent(url)}`)
  const stub = call('pm_getPaymasterStubData')
  expect((await browser.send('POST', named('https://paymaster.example/rpc?key=1'), stub)).body).toMatchObject({
    result: 'page',
  })
  requests.length = 0
  for (const url of [
    'http://169.254.169.254/latest',
    'https://paymaster.example.evil.example/',
    'http://paymaster.example/',
    'https://paymaster.example:8443/',
    'https://name:word@paymaster.example/',
    'file:///etc/passwd',
    'nonsense',
  ])
    expect(await browser.send('POST', named(url), stub)).toMatchObject({ status: 400 })
  expect(requests).toEqual([])
})
