import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failureAnswer } from '@latchkey/protocol/http/publicRoutes'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import { type AssembledServer, serverFromConfig } from '../serverFromConfig.ts'
import { createTestServer } from '../testing/declaredErrors.ts'
import { startKeys } from '../testing/keysServer.ts'
import { createMemoryRateLimiter } from './memoryRateLimiter.ts'

function served({ perAddress = 0, perProject = 0 }) {
  let now = 0
  const clock = () => now
  const projects = inMemoryProjects([{ id: 'shop', name: 'Shop', allowedOrigins: [], features: [], analytics: true }])
  const dependencies = inMemoryDependencies({
    clock,
    projects,
    rateLimiter: createMemoryRateLimiter(clock),
    rateLimits: { perAddress, perProject },
  })
  const server = createTestServer(dependencies)
  const ask = (path: string, address?: string, init?: RequestInit) =>
    server(new Request(`http://connect.example${path}`, init), { address })
  return {
    ask,
    pass: (ms: number) => {
      now += ms
    },
    metrics: dependencies.metrics,
  }
}

const wallets = '/getWallets?projectId=shop&st=latchkey&sv=test'
const event = { method: 'POST', body: '{}' }

describe('rate limits per address', () => {
  test('an address that exceeds its limit is rejected with Retry-After and is allowed again after that time', async () => {
    const { ask, pass, metrics } = served({ perAddress: 60 })
    for (let at = 0; at < 60; at += 1) expect((await ask(wallets, '203.0.113.7')).status).toBe(200)
    const refused = await ask(wallets, '203.0.113.7')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    // The header can be read by pages on other origins.
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(v.is(failureAnswer, await refused.json())).toBe(true)
    expect(await metrics.print()).toContain('latchkey_limited_total{part="directory",of="address"} 1')
    pass(1_000)
    expect((await ask(wallets, '203.0.113.7')).status).toBe(200)
  })

  test('each IPv4 address and each IPv6 /64 has its own limit', async () => {
    const { ask } = served({ perAddress: 1 })
    expect((await ask(wallets, '203.0.113.7')).status).toBe(200)
    expect((await ask(wallets, '203.0.113.8')).status).toBe(200)
    expect((await ask(wallets, '2001:db8:1:2::1')).status).toBe(200)
    expect((await ask(wallets, '2001:db8:1:2::ffff')).status).toBe(429)
    expect((await ask(wallets, '2001:db8:1:3::1')).status).toBe(200)
  })

  test('each part of the server has its own limit, so directory requests do not use up the RPC limit', async () => {
    const { ask } = served({ perAddress: 4 })
    for (let at = 0; at < 4; at += 1) await ask(wallets, '203.0.113.7')
    expect((await ask(wallets, '203.0.113.7')).status).toBe(429)
    expect((await ask('/getAnalyticsConfig?projectId=shop', '203.0.113.7')).status).toBe(429)
    expect((await ask('/v1/?chainId=eip155:1&projectId=shop', '203.0.113.7', event)).status).toBe(400)
    expect((await ask('/getWalletImage/x', '203.0.113.7')).status).toBe(404)
    // The limit for analytics events is a quarter of the configured limit.
    expect((await ask('/e?projectId=shop', '203.0.113.7', event)).status).not.toBe(429)
    expect((await ask('/e?projectId=shop', '203.0.113.7', event)).status).toBe(429)
    expect((await ask('/health', '203.0.113.7')).status).toBe(200)
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'a loopback address is limited too, because a local proxy must not disable limits (%s)',
    async (address) => {
      const { ask } = served({ perAddress: 1 })
      expect((await ask(wallets, address)).status).toBe(200)
      expect((await ask(wallets, address)).status).toBe(429)
    },
  )

  test('an unknown address has no limit, because it could belong to any client', async () => {
    const { ask } = served({ perAddress: 1 })
    for (let at = 0; at < 5; at += 1) expect((await ask(wallets)).status).toBe(200)
  })

  test('a whole /48 network does not get a separate limit for each of its 65,536 networks', async () => {
    const { ask } = served({ perAddress: 1 })
    let passed = 0
    for (let at = 0; at < 40; at += 1)
      if ((await ask(wallets, `2001:db8:7:${(at * 257).toString(16)}::1`)).status === 200) passed += 1
    expect(passed).toBe(8)
    expect((await ask(wallets, '2001:db8:8::1')).status).toBe(200)
  })

  test('there is no limit if the operator sets 0', async () => {
    const { ask } = served({})
    for (let at = 0; at < 50; at += 1) expect((await ask(wallets, '203.0.113.7')).status).toBe(200)
  })
})

test('all users of a project share a limit, regardless of their addresses, but an unregistered project ID has no limit', async () => {
  const { ask } = served({ perProject: 3 })
  for (let at = 0; at < 3; at += 1) expect((await ask(wallets, `203.0.113.${at}`)).status).toBe(200)
  expect((await ask(wallets, '203.0.113.9')).status).toBe(429)
  for (let at = 0; at < 5; at += 1)
    expect((await ask(wallets.replace('shop', 'nobody'), '203.0.113.9')).status).toBe(401)
})

test('the keys server rejects a flood of requests from an address before doing any other work', async () => {
  const keys = await startKeys({ ratePerAddress: 5 })
  try {
    const browser = keys.browser('203.0.113.7')
    for (let at = 0; at < 5; at += 1) expect((await browser.send('GET', '/vault/me')).status).toBe(401)
    const refused = await browser.send('GET', '/vault/me')
    expect([refused.status, refused.body.code, refused.body.seconds]).toEqual([429, 'limit/reached', 12])
    expect(refused.headers.get('retry-after')).toBe('12')
    expect((await keys.browser('203.0.113.8').send('GET', '/vault/me')).status).toBe(401)
    keys.pass(12_000)
    expect((await browser.send('GET', '/vault/me')).status).toBe(401)
  } finally {
    await keys.close()
  }
}, 60_000)

test('the keys server rejects a flood of requests for its pages, to which any site can link, but still serves its API', async () => {
  const keys = await startKeys({ ratePerAddress: 3 })
  try {
    const browser = keys.browser('203.0.113.7')
    const statusOf = async (path: string) => (await browser.visit(path)).status
    const pages = ['/vault/approve?token=x', '/vault/social/callback/google?state=x', '/vault/social/done?ticket=x']
    expect(await Promise.all(pages.map(statusOf))).not.toContain(429)
    expect(await Promise.all(pages.map(statusOf))).toEqual([429, 429, 429])
    expect((await browser.send('GET', '/vault/me')).status).toBe(401)
    expect((await keys.browser('203.0.113.8').visit('/vault/approve?token=x')).status).toBe(410)
  } finally {
    await keys.close()
  }
}, 60_000)

describe('a complete server', { timeout: 60_000 }, () => {
  let folder: string
  const opened: AssembledServer[] = []
  const logged: string[] = []

  async function open(env: Record<string, string>): Promise<AssembledServer> {
    const assembled = await serverFromConfig({
      config: readConfig({ DATA_DIR: join(folder, String(opened.length)), ...env }),
      log: (_, message) => logged.push(message),
      keys: { frameFiles: { find: async () => undefined } },
    })
    opened.push(assembled)
    return assembled
  }
  const from = (server: AssembledServer, headers: Record<string, string>, address = '198.51.100.1') =>
    server.fetch(new Request('http://connect.example/getWallets?projectId=x', { headers }), { address })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-limits-'))
  })
  afterAll(async () => {
    for (const server of opened) await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('trusts no address header until the operator configures one, and logs a warning only once', async () => {
    const server = await open({ RATE_PER_ADDRESS: '2' })
    const claimed = (at: number) => from(server, { 'x-forwarded-for': `203.0.113.${at}` })
    expect((await claimed(1)).status).toBe(200)
    expect((await claimed(2)).status).toBe(200)
    expect((await claimed(3)).status).toBe(429)
    expect(logged.filter((line) => line.includes('CLIENT_ADDRESS_HEADER'))).toHaveLength(1)
  })

  test('uses the last value of the configured header, which is the only one that the proxy added', async () => {
    const server = await open({
      RATE_PER_ADDRESS: '1',
      CLIENT_ADDRESS_HEADER: 'X-Forwarded-For',
      TRUSTED_PROXIES: '198.51.100.0/24',
    })
    expect((await from(server, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(200)
    expect((await from(server, { 'x-forwarded-for': '10.9.8.7, 203.0.113.1' })).status).toBe(429)
    expect((await from(server, { 'x-forwarded-for': '203.0.113.1, 203.0.113.2' })).status).toBe(200)
  })

  test('adds a request ID to every response from each of its origins, keeps a trusted proxy’s ID, and measures all requests', async () => {
    const server = await open({
      CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
      METRICS_TOKEN: 'open sesame',
      KEYS_URL: 'http://keys.shop.localhost',
      IDENTIFY_URL: 'http://id.shop.localhost',
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'wallet@shop.example',
    })
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'balancer-4711' }
    const idOf = async (url: string, address: string, more: Record<string, string> = {}) => {
      const { host } = new URL(url)
      const answer = await server.fetch(new Request(url, { headers: { ...headers, host, ...more } }), { address })
      return answer.headers.get('x-request-id')
    }
    for (const url of [
      'http://connect.example/getWallets?projectId=x&st=a&sv=b',
      'http://connect.example/nothing',
      'http://keys.shop.localhost/vault/config',
      'http://keys.shop.localhost/nothing',
      'http://id.shop.localhost/',
      'http://id.shop.localhost/nothing',
    ]) {
      expect(await idOf(url, '127.0.0.1'), url).toBe('balancer-4711')
      expect(await idOf(url, '203.0.113.9'), url).toMatch(/^[0-9a-f-]{36}$/)
      expect(await idOf(url, '127.0.0.1', { 'x-request-id': 'short <script>' }), url).toMatch(/^[0-9a-f-]{36}$/)
    }
    const answer = await server.fetch(
      new Request('http://connect.example/metrics', { headers: { authorization: 'Bearer open sesame' } }),
    )
    const text = await answer.text()
    for (const route of ['/getWallets', 'keys /vault/config', 'identify /'])
      expect(text).toContain(`latchkey_request_seconds_count{route="${route}"} 3`)
    for (const name of ['latchkey_build_info', 'nodejs_eventloop_lag_seconds', 'process_cpu_seconds_total'])
      expect(text).toContain(name)
  })

  test('returns the configured social logins to pages', async () => {
    const keys = { KEYS_URL: 'http://keys.shop.localhost', SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'a@shop.example' }
    const configFor = async (env: Record<string, string>) => {
      const server = await open(env)
      return (await server.fetch(new Request('http://connect.example/projects/v1/origins?projectId=x'))).json()
    }
    const social = {
      ...keys,
      SOCIAL_LOGINS: 'google=id:secret;x=abc:def',
      FARCASTER: 'on',
      RPC_URLS: 'eip155:10=http://127.0.0.1:9',
    }
    expect(await configFor(social)).toEqual({ allowedOrigins: [], socials: ['google', 'x', 'farcaster'] })
    expect(await configFor(keys)).toEqual({ allowedOrigins: [], socials: [] })
    expect(await configFor({})).toEqual({ allowedOrigins: [] })
  })

  test('serves the keys origin only on the configured host, not under other names for this machine', async () => {
    const server = await open({
      KEYS_URL: 'http://keys.shop.localhost:4100',
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'wallet@shop.example',
    })
    const ask = (host: string) =>
      server.fetch(new Request(`http://${host}/vault/config`, { headers: { host, 'sec-fetch-site': 'same-origin' } }))
    expect((await ask('keys.shop.localhost:4100')).status).toBe(200)
    for (const host of [
      'rebound.example:4100',
      '127.0.0.1:4100',
      'localhost:4100',
      'keys.shop.localhost',
      'keys.shop.localhost:4101',
      'keys.shop.localhost.rebound.example:4100',
    ])
      expect((await ask(host)).status, host).toBe(404)
  })
})
