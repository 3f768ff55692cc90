import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { createInFlight } from '../inFlightRequests.ts'
import { createMetrics } from '../metrics.ts'
import { keysOrigin, startKeys, type TestKeys } from '../testing/keysServer.ts'
import type { FrameFiles } from '../vault/vaultPorts.ts'
import { createIdentifyServer } from './identifyServer.ts'

const origin = 'https://id.shop.example'
const text = (content: string, type: string) => ({ bytes: new TextEncoder().encode(content), type, hashed: false })
const frameFiles: FrameFiles = {
  find: async (path) =>
    ({
      '/sdk': text('plain', 'text/html'),
      '/identified.html': text('may embed', 'text/html'),
      '/identify/identify.js': text('export {}', 'text/javascript'),
    })[path],
}
const env = {
  KEYS_URL: keysOrigin,
  SMTP_URL: 'smtp://mail.example',
  MAIL_FROM: 'wallet@shop.example',
  IDENTIFY_URL: origin,
}

function started(more: Readonly<Record<string, string>> = {}) {
  const config = readConfig({ ...env, ...more }).identify
  if (!config) throw new Error('Identification is off')
  const server = createIdentifyServer({
    config,
    keys: keysOrigin,
    frameFiles,
    ancestors: async () => 'https://shop.example',
    inFlight: createInFlight(),
    metrics: createMetrics(),
    log: () => {},
  })
  return (path: string, init?: RequestInit) => server(new Request(new URL(path, origin), init))
}

let off: TestKeys
let on: TestKeys
beforeAll(async () => {
  off = await startKeys({ frameFiles })
  on = await startKeys({ frameFiles, identify: origin })
}, 60_000)
afterAll(() => Promise.all([off?.close(), on?.close()]))

test('it is off unless it is given an origin of its own, and then the frame knows of none [R7.13]', async () => {
  const { IDENTIFY_URL: _, ...without } = env
  expect(readConfig(without).identify).toBeUndefined()
  const browser = off.browser()
  expect((await browser.send('GET', '/vault/config')).body).not.toHaveProperty('identify')
  const page = await browser.send('GET', '/sdk')
  expect(page.body).toBe('plain')
  expect(page.headers.get('content-security-policy')).not.toContain('frame-src')
})

test('switched on, the frame may embed that one origin and nothing else [R7.13]', async () => {
  const browser = on.browser()
  expect((await browser.send('GET', '/vault/config')).body).toMatchObject({ identify: origin })
  const page = await browser.send('GET', '/sdk')
  expect(page.body).toBe('may embed')
  expect(page.headers.get('content-security-policy')?.split('; ')).toContain(`frame-src ${origin}`)
  // Its scripts are no files of the keys origin.
  expect((await browser.send('GET', '/identify/identify.js')).status).toBe(404)
})

test('its page is for the key frame alone, loads only what is its own, and says an hour where nobody says more [R9.13]', async () => {
  const answer = await started()('/')
  const policy = answer.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'none'",
      // Every window around must be named, the shop’s as well.
      `frame-ancestors ${keysOrigin} https://shop.example`,
    ]),
  )
  expect(answer.headers.get('set-cookie')).toBeNull()
  const page = await answer.text()
  expect(page).toContain('data-cache="3600"')
  expect(page).toContain(`data-keys="${keysOrigin}"`)
  expect(page).not.toMatch(/data-script|data-key=|data-needs-key/)
})

test('a script of the operator’s may come from its own host, with the key in its place [R7.13]', async () => {
  const ask = started({
    IDENTIFY_SCRIPT: 'https://names.example/v3/{key}?a=1&b=2',
    IDENTIFY_KEY: 'pub/"lic',
    IDENTIFY_CACHE_SECONDS: '86400',
  })
  const answer = await ask('/')
  const policy = answer.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["script-src 'self' https://names.example", 'connect-src https://names.example']),
  )
  const page = await answer.text()
  expect(page).toContain('data-script="https://names.example/v3/pub%2F%22lic?a=1&amp;b=2"')
  expect(page).toMatch(/data-key="pub\/&(quot|#34);lic"/)
  expect(page).toContain('data-cache="86400"')
})

test('a script with a place for a key tells the page that one is needed [R8.6]', async () => {
  const page = await started({ IDENTIFY_SCRIPT: 'https://names.example/{key}' })('/').then((answer) => answer.text())
  expect(page).toContain('data-needs-key=""')
  expect(page).not.toContain('data-key=')
})

test('nothing but its page and its scripts is served there', async () => {
  const ask = started()
  expect((await ask('/identify.js')).status).toBe(200)
  for (const path of ['/vault/config', '/getWallets', '/../vault', '/identify.js/x', '/sdk'])
    expect((await ask(path)).status, path).toBe(404)
  expect((await ask('/', { method: 'POST' })).status).toBe(405)
})

test.each([
  ['without a wallet', { KEYS_URL: '' }],
  ['at the wallet’s own origin', { IDENTIFY_URL: keysOrigin }],
  ['remembered for longer than a day', { IDENTIFY_CACHE_SECONDS: '86401' }],
  ['with a script that is none', { IDENTIFY_SCRIPT: 'javascript:alert(1)' }],
  ['with a script that ends the policy', { IDENTIFY_SCRIPT: 'https://names.example/x; sandbox' }],
])('identification %s is refused at the start [R7.13, R9.13]', (_, change) => {
  expect(() => readConfig({ ...env, ...change })).toThrow(ConfigError)
})

test('the operator is told which way it failed, and nothing else is taken [R8.6]', async () => {
  const browser = on.browser()
  const tell = (failure: unknown) => browser.send('POST', '/vault/identify', { failure })
  expect((await tell('identify/expired-key')).status).toBe(200)
  expect(on.log.some((line) => line.includes('"warn"') && line.includes('identify/expired-key'))).toBe(true)
  expect((await tell('someone@shop.example')).status).toBe(400)
})

test('an identified browser gets ten codes in ten minutes, its neighbours behind the same address more [R7.13]', async () => {
  const ask = (visitorId: string | undefined, at: number) =>
    on.browser('198.51.100.7').send('POST', '/vault/email', { email: `v${at}@shop.example`, visitorId })
  for (let at = 0; at < 10; at += 1) expect((await ask('greedy', at)).status).toBe(200)
  const refused = await ask('greedy', 10)
  expect([refused.status, refused.body.code]).toEqual([429, 'limit/reached'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('neighbour', 11)).status).toBe(200)
  // Where it is off, whatever a page of the frame's might call itself counts for nothing.
  for (let at = 0; at < 12; at += 1) {
    const answer = await off.browser('198.51.100.8').send('POST', '/vault/email', {
      email: `w${at}@shop.example`,
      visitorId: 'greedy',
    })
    expect(answer.status).toBe(200)
  }
})
