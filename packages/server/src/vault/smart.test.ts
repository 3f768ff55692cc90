import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeys, type TestBrowser, type TestKeys } from '../testing/keys.ts'
import type { SmartPorts } from './ports.ts'

const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: false }
const guest = { ...shop, id: 'guest', allowedOrigins: ['https://guest.example'] }

let keys: TestKeys
const asked: string[] = []

const relay = (name: string): SmartPorts['bundlers'] => ({
  supported: () => ['eip155:1'],
  send: async (chain, body) => {
    const { method, params } = JSON.parse(body)
    asked.push(`${name} ${method}`)
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
      sponsoredOrigins: ['https://shop.example'],
      sponsoredPerDay: 2,
      pagePaymasters: ['https://paymaster.example'],
    },
    fetch: async (request) => {
      asked.push(`page ${request.url}`)
      return Response.json({ jsonrpc: '2.0', id: 1, result: 'page' })
    },
  })
}, 60_000)
afterAll(() => keys?.close())

const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: [{}] })
const bundler = '/vault/bundler?chainId=eip155:1'
const paymaster = (query: string) => `/vault/paymaster?chainId=eip155:1&${query}`
const ofShop = paymaster('page=https://shop.example')

async function visitor(email: string): Promise<TestBrowser> {
  const browser = keys.browser()
  await keys.signIn(browser, email)
  return browser
}

test('the frame is told where accounts may be contracts, and whose fees are paid', async () => {
  expect((await keys.browser().send('GET', '/vault/config')).body).toMatchObject({
    bundlers: ['eip155:1'],
    sponsored: ['eip155:1'],
    paymasters: ['https://paymaster.example'],
  })
})

test('nobody uses the bundler or a paymaster who is not signed in', async () => {
  const stranger = keys.browser()
  const estimate = call('eth_estimateUserOperationGas')
  expect(await stranger.send('POST', bundler, estimate)).toMatchObject({ status: 401, body: { code: 'session/none' } })
  expect(await stranger.send('POST', ofShop, call('pm_getPaymasterData'))).toMatchObject({ status: 401 })
})

test('a bundler is asked what bundlers are for, and nothing else', async () => {
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

test('the operator pays for its own pages only, and so often a day for one account', async () => {
  const browser = await visitor('bea@bakery.example')
  for (const page of ['https://guest.example', 'https://nobody.example', 'http://localhost:3000', ''])
    expect(
      (await browser.send('POST', paymaster(`page=${page}`), call('pm_getPaymasterData'))).body.error.message,
    ).toBe('The fee is not paid for this page')
  // Estimates cost nothing.
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

test('a stub that is the last word already counts as a fee that is paid', async () => {
  const browser = await visitor('finn@bakery.example')
  const stub = { ...call('pm_getPaymasterStubData'), params: [{ nonce: 'final' }] }
  for (let at = 0; at < 2; at += 1)
    expect((await browser.send('POST', ofShop, stub)).body).toMatchObject({ result: { isFinal: true } })
  expect(await browser.send('POST', ofShop, stub)).toMatchObject({ status: 429, body: { code: 'limit/reached' } })
})

test('a page’s own paymaster is asked where the operator lets it, and no other address ever', async () => {
  const browser = await visitor('dora@bakery.example')
  const named = (url: string) => paymaster(`page=https://guest.example&url=${encodeURIComponent(url)}`)
  const stub = call('pm_getPaymasterStubData')
  expect((await browser.send('POST', named('https://paymaster.example/rpc?key=1'), stub)).body).toMatchObject({
    result: 'page',
  })
  asked.length = 0
  for (const url of [
    'http://169.254.169.254/latest',
    'https://paymaster.example.evil.example/',
    'http://paymaster.example/',
    'https://paymaster.example:8443/',
    'file:///etc/passwd',
    'nonsense',
  ])
    expect(await browser.send('POST', named(url), stub)).toMatchObject({ status: 400 })
  expect(asked).toEqual([])
})
