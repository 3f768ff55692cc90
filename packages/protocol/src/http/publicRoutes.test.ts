import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { read } from '../parseWithSchema.ts'
import { isSafeLink, isWebLink } from '../safeLinks.ts'
import {
  failed,
  failureAnswer,
  getAnalyticsConfig,
  getOrigins,
  getWallets,
  pathOf,
  postEvent,
  postRpc,
  routes,
  rpcAnswer,
  urlOf,
  wallet,
  walletsAnswer,
} from './publicRoutes.ts'

const identity = { projectId: 'p 1', st: 'latchkey', sv: 'react-1.0.0' }

describe('a URL', () => {
  test('has projectId, st and sv in every request [R7.2]', () => {
    for (const route of Object.values(routes)) {
      const url = new URL(pathOf(route, { params: { id: 'x' }, identity }), 'https://connect.example')
      expect(Object.fromEntries(url.searchParams)).toEqual(identity)
    }
  })

  test('joins lists with commas and omits empty values [R7.3]', () => {
    const query = {
      page: 2,
      entries: 40,
      search: 'a&b',
      include: ['x', 'y'],
      exclude: [],
      chains: undefined,
      badge_type: null,
    }
    const url = new URL(pathOf(getWallets, { query, identity }), 'https://connect.example')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      page: '2',
      entries: '40',
      search: 'a&b',
      include: 'x,y',
      ...identity,
    })
  })

  test('percent-encodes parameters, so that they cannot change the path [R7.4]', () => {
    expect(pathOf(routes.getWalletImage, { params: { id: '../../e?x=1#' } })).toBe(
      '/getWalletImage/..%2F..%2Fe%3Fx%3D1%23',
    )
    expect(pathOf(routes.getTokenImage, { params: { id: 'ETH' } })).toBe('/public/getTokenImage/ETH')
  })

  test('has a single slash between the server and the path', () => {
    expect(urlOf('https://connect.example/', getOrigins)).toBe('https://connect.example/projects/v1/origins')
    expect(urlOf('https://example.com/connect', getOrigins)).toBe('https://example.com/connect/projects/v1/origins')
  })

  test('has an identity that query parameters cannot override [R7.2]', () => {
    expect(pathOf(getOrigins, { query: { st: 'other' }, identity: { st: 'latchkey' } })).toBe(
      '/projects/v1/origins?st=latchkey',
    )
  })
})

test('the paths match the specification [R7.3, R7.4, R7.5]', () => {
  expect(Object.values(routes).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /getWallets',
    'GET /getWalletImage/:id',
    'GET /public/getAssetImage/:id',
    'GET /public/getCurrencyImage/:id',
    'GET /public/getTokenImage/:id',
    'GET /projects/v1/origins',
    'GET /getAnalyticsConfig',
    'POST /e',
    'POST /v1/',
  ])
})

describe('the getWallets query', () => {
  test('has default values [R7.3]', () => {
    expect(read(getWallets.query, {})).toEqual({
      page: 1,
      entries: 40,
      search: '',
      badge_type: '',
      include: [],
      exclude: [],
      chains: [],
    })
  })

  test('is parsed into the values from which the client built it [R7.3]', () => {
    const query = {
      page: 3,
      entries: 100,
      search: 'meta',
      badge_type: 'certified',
      include: ['a', 'b'],
      exclude: ['c'],
      chains: ['eip155:1'],
    }
    const url = new URL(pathOf(getWallets, { query, identity }), 'https://connect.example')
    expect(read(getWallets.query, Object.fromEntries(url.searchParams))).toEqual({ ...query, ...identity })
  })

  test('ignores empty lists, trims the search text and limits the number of entries [R7.3] [R5.9]', () => {
    expect(read(getWallets.query, { exclude: '', include: 'a,,b, ', search: '  x ', entries: '99999' })).toMatchObject({
      exclude: [],
      include: ['a', 'b'],
      search: 'x',
      entries: 500,
    })
    expect(read(getWallets.query, { search: '\t meta  mask \n' })).toMatchObject({ search: 'meta  mask' })
    expect(read(getWallets.query, { search: '   ' })).toMatchObject({ search: '' })
  })

  test.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'x' },
    { entries: '0' },
    { search: 'x'.repeat(201) },
  ])('is rejected if it is %o [R7.3]', (query) => {
    expect(read(getWallets.query, query)).toBeUndefined()
  })
})

const plain = { id: '1', name: 'Sample' }

describe('a directory response', () => {
  test('is parsed, and unknown fields are dropped [R3.2] [R7.3]', () => {
    const full = {
      ...plain,
      homepage: 'https://wallet.example',
      image_id: 'i',
      order: 10,
      badge_type: 'certified',
      chains: ['eip155:1'],
      mobile_link: 'sample://',
      link_mode: 'https://wallet.example/wc',
      desktop_link: null,
      rdns: 'example.wallet',
      injected: [{ namespace: 'eip155', injected_id: 'isSample' }],
    }
    expect(read(walletsAnswer(2), { data: [{ ...full, description: 'x' }], count: 9 })).toEqual({
      data: [full],
      count: 9,
    })
  })

  test('can have null for unknown values, which are dropped [R3.2]', () => {
    const { image_id, order, chains } = read(wallet, { ...plain, image_id: null, order: null, chains: null }) ?? {
      order: 0,
    }
    expect([image_id, order, chains]).toEqual([undefined, undefined, undefined])
  })

  test('is rejected, without parsing the wallets, if it has more wallets than requested [R7.3]', () => {
    expect(read(walletsAnswer(1), { data: [plain], count: 1 })).toBeDefined()
    expect(read(walletsAnswer(1), { data: [plain, plain], count: 2 })).toBeUndefined()
    let looked = 0
    const spy = {
      get id() {
        looked++
        return '1'
      },
      name: 'Sample',
    }
    expect(read(walletsAnswer(40), { data: Array(1_000_000).fill(spy), count: 1_000_000 })).toBeUndefined()
    expect(looked).toBe(0)
  })

  test.each<[unknown]>([
    [null],
    ['<html>'],
    [[]],
    [{}],
    [{ data: {} }],
    [{ data: 'x' }],
    [{ data: [null] }],
    [{ data: [{ name: 'no id' }] }],
    [{ data: [{ id: 1, name: 'x' }] }],
    [{ data: [{ id: '', name: 'x' }] }],
    [{ data: [{ ...plain, name: 'x'.repeat(201) }] }],
    [{ data: [{ ...plain, order: '1' }] }],
    [{ data: [{ ...plain, order: Number.POSITIVE_INFINITY }] }],
    [{ data: [{ ...plain, chains: 'eip155:1' }] }],
    [{ data: [{ ...plain, chains: [1] }] }],
    [{ data: [{ ...plain, mobile_link: 7 }] }],
    [{ data: [{ ...plain, mobile_link: `https://a.example/${'x'.repeat(2048)}` }] }],
    [{ data: [{ ...plain, injected: [{}] }] }],
    [{ data: [], count: -1 }],
    [{ data: [], count: '1' }],
  ])('is rejected if it is %o [R7.3]', (answer) => {
    expect(read(walletsAnswer(40), answer)).toBeUndefined()
  })
})

test.each<[link: string, offered: boolean, web: boolean]>([
  ['https://wallet.example/a?b=c#d', true, true],
  ['http://wallet.example', false, false],
  ['http://wallet.demo.localhost:4100/#/wc', true, true],
  ['https://apps.example/클립', true, true],
  ['sample://', true, false],
  ['sample-wallet+1.x:wc?uri=', true, false],
  ['javascript:alert(1)', false, false],
  ['JavaScript:alert(1)', false, false],
  ['java\nscript:alert(1)', false, false],
  [' javascript:alert(1)', false, false],
  ['\u0001javascript:alert(1)', false, false],
  ['data:text/html,x', false, false],
  ['vbscript:x', false, false],
  ['blob:https://a.example/1', false, false],
  ['file:///etc/passwd', false, false],
  ['view-source:https://a.example', false, false],
  ['intent://x#Intent;end', false, false],
  ['ms-msdt:/id PCWDiagnostic'.replace(' ', ''), false, false],
  ['search-ms:query=x', false, false],
  ['shell:startup', false, false],
  ['itms-services://?action=download-manifest', false, false],
  ['tel:+15551234', false, false],
  ['sms:+15551234', false, false],
  ['mailto:a@b.example', false, false],
  ['smb://evil.example/share', false, false],
  ['chrome-extension://abc/x.html', false, false],
  ['ms-wallet-like.app:x', false, false],
  ['telos:wc?uri=', true, false],
  ['smswallet://x', true, false],
  ['shellwallet:x', true, false],
  ['https://a.example/ b', false, false],
  ['https://a.example/"onclick="', false, false],
  ['https:///a.example', false, false],
  ['feed:javascript:alert(1)', false, false],
  ['feed://x', false, false],
  ['jar:https://a.example/a.jar!/x.html', false, false],
  ['pcast:javascript:alert(1)', false, false],
  ['livescript:x', false, false],
  ['x-apple.systempreferences:x', false, false],
  ['moz-icon://x', false, false],
  ['web+wallet://x', false, false],
  ['market://details?id=x', false, false],
  ['android-app://com.x', false, false],
  ['sample://wc?fallback=javascript:alert(1)', false, false],
  ['sample://wc?fallback=javascript%3Aalert(1)', false, false],
  ['sample://wc?fallback=java%0Ascript%3Aalert(1)', false, false],
  ['sample://wc?x=javascript%25253Aalert(1)', false, false],
  ['sample://x#Intent;S.browser_fallback_url=https://evil.example;end', false, false],
  ['sample:// other://', false, false],
  ['sample-\u202egpj.evil://', false, false],
  ['walletapp://open/route?targetUrl=wa://web3/', true, false],
  ['myApp://https://wallet.example', true, false],
  ['edge://', true, false],
  ['INTENT://x#Intent;end', false, false],
  ['IntEnt:x', false, false],
  ['https://wallet.example/?redirect=javascript:alert(1)', false, false],
  ['https://wallet.example/?redirect=JaVaScRiPt%3Aalert(1)', false, false],
  ['https://wallet.example/?next=data%3Atext/html,x', false, false],
  ['https://wallet.example/?S.browser_fallback_url=intent%3A%2F%2Fx', false, false],
  ['https://wallet.example@evil.example/', false, false],
  ['https://user:word@wallet.example/', false, false],
  ['https://wallet.example\\@evil.example/', false, false],
  ['https://wallet\u202emoc.example/', false, false],
  ['https://wal\u200blet.example/', false, false],
  ['https://wallet.example/\u2066x', false, false],
  ['https://wallet.example/\u0000', false, false],
  ['https://[::1', false, false],
  ['//a.example', false, false],
  ['a.example', false, false],
  ['-', false, false],
  ['', false, false],
])('isSafeLink("%s") is %s and isWebLink() is %s [R3.2]', (link, offered, web) => {
  expect([isSafeLink(link), isWebLink(link)]).toEqual([offered, web])
  const links = { mobile_link: link, desktop_link: link, webapp_link: link, app_store: link }
  expect(read(wallet, { ...plain, ...links })).toEqual({
    ...plain,
    mobile_link: offered ? link : null,
    desktop_link: offered ? link : null,
    webapp_link: web ? link : null,
    app_store: web ? link : null,
  })
})

test('a link is trimmed', () => {
  expect(read(wallet, { ...plain, homepage: ' https://a.example ' })?.homepage).toBe('https://a.example')
})

test('responses from the origins and analytics endpoints are rejected unless they match the schema [R7.5, R7.6]', () => {
  const origins = (answer: unknown) => read(getOrigins.answer as v.GenericSchema, answer)
  const config = (answer: unknown) => read(getAnalyticsConfig.answer as v.GenericSchema, answer)
  expect(origins({ allowedOrigins: ['https://*.a.example'] })).toEqual({ allowedOrigins: ['https://*.a.example'] })
  expect(origins({ allowedOrigins: [], socials: ['x'] })).toEqual({ allowedOrigins: [], socials: ['x'] })
  expect(origins({ allowedOrigins: [], socials: { x: true } })).toEqual({ allowedOrigins: [], socials: undefined })
  expect(origins({ allowedOrigins: 'https://a.example' })).toBeUndefined()
  expect(origins({})).toBeUndefined()
  expect(config({ isAnalyticsEnabled: false })).toEqual({ isAnalyticsEnabled: false })
  expect(config({ isAnalyticsEnabled: 'false' })).toBeUndefined()
})

test('an event must have all five fields, a UUID and a valid name [R7.7]', () => {
  const body = postEvent.body as v.GenericSchema
  const event = {
    eventId: 'b9b0f2c4-0000-4000-8000-000000000000',
    url: 'https://app.example/',
    domain: 'app.example',
    timestamp: 1_735_689_600_000,
    props: { type: 'track', event: 'MODAL_OPEN', properties: { connected: false }, address: '0x1111' },
  }
  expect(v.parse(body, event)).toEqual(event)
  expect(v.parse(body, { ...event, timestamp: '2025-01-01T00:00:00.000Z' })).toMatchObject({ domain: 'app.example' })
  for (const part of ['eventId', 'url', 'domain', 'timestamp', 'props']) {
    expect(read(body, { ...event, [part]: undefined })).toBeUndefined()
  }
  expect(read(body, { ...event, eventId: '1' })).toBeUndefined()
  expect(read(body, { ...event, props: { type: 'track', event: '<b>' } })).toBeUndefined()
})

describe('the RPC proxy', () => {
  const call = { id: 1, jsonrpc: '2.0', method: 'eth_call', params: [{ to: '0x1', data: '0x' }, 'latest'] }

  test('requires a valid chain ID and accepts the client’s identity [R7.8]', () => {
    expect(read(postRpc.query, { chainId: 'eip155:1', projectId: 'p' })).toEqual({
      chainId: 'eip155:1',
      projectId: 'p',
    })
    for (const chainId of [undefined, '1', 'eip155:', 'eip155:1:2', 'eip155:1/..']) {
      expect(read(postRpc.query, { chainId })).toBeUndefined()
    }
  })

  test('accepts a single request or a batch of up to 100 requests [R7.8, R7.9]', () => {
    const body = postRpc.body as v.GenericSchema
    expect(v.parse(body, call)).toEqual(call)
    expect(v.parse(body, [call, { ...call, id: null, params: { a: 1 } }])).toHaveLength(2)
    for (const wrong of [
      [],
      Array(101).fill(call),
      { ...call, jsonrpc: '1.0' },
      { ...call, method: '' },
      { ...call, params: 'x' },
      'x',
    ]) {
      expect(read(body, wrong)).toBeUndefined()
    }
  })

  test('passes on errors from the chain', () => {
    const answer = { id: 1, jsonrpc: '2.0', error: { code: -32000, message: 'nonce too low', data: '0x' } }
    expect(read(rpcAnswer, answer)).toEqual(answer)
    expect(read(rpcAnswer, { id: 1, jsonrpc: '2.0', result: null })).toEqual({ id: 1, jsonrpc: '2.0', result: null })
  })
})

test('an error response can be created and parsed', () => {
  const refusal = failed('chainId', 'The chain eip155:999 is not supported')
  expect(read(failureAnswer, refusal)).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'chainId', description: 'The chain eip155:999 is not supported' }],
  })
})
