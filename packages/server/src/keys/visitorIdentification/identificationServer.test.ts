import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../config/readConfig.ts'
import { createInFlight } from '../../memoryLimits/inFlightBytes.ts'
import { createMetrics } from '../../monitoring/metrics.ts'
import { keysOrigin, startKeys, type TestKeys } from '../../testing/keysServer.ts'
import type { FrameFiles } from '../frameFile.ts'
import { createIdentificationServer } from './identificationServer.ts'

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
  const server = createIdentificationServer({
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

test('identification is disabled, and absent from the frame’s configuration, unless it has its own origin [R7.13]', async () => {
  const { IDENTIFY_URL: _, ...without } = env
  expect(readConfig(without).identify).toBeUndefined()
  const browser = off.browser()
  expect((await browser.send('GET', '/vault/config')).body).not.toHaveProperty('identify')
  const page = await browser.send('GET', '/sdk')
  expect(page.body).toBe('plain')
  expect(page.headers.get('content-security-policy')).not.toContain('frame-src')
})

test('when identification is enabled, the frame can embed only the identification origin [R7.13]', async () => {
  const browser = on.browser()
  expect((await browser.send('GET', '/vault/config')).body).toMatchObject({ identify: origin })
  const page = await browser.send('GET', '/sdk')
  expect(page.body).toBe('may embed')
  expect(page.headers.get('content-security-policy')?.split('; ')).toContain(`frame-src ${origin}`)
  // The identification scripts are not served on the keys origin.
  expect((await browser.send('GET', '/identify/identify.js')).status).toBe(404)
})

test('only the key frame can embed the identification page, which loads only its own resources and caches the ID for an hour by default [R9.13]', async () => {
  const answer = await started()('/')
  const policy = answer.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'none'",
      // `frame-ancestors` applies to every ancestor, so the shop is listed too.
      `frame-ancestors ${keysOrigin} https://shop.example`,
    ]),
  )
  expect(answer.headers.get('set-cookie')).toBeNull()
  const page = await answer.text()
  expect(page).toContain('data-cache="3600"')
  expect(page).toContain(`data-keys="${keysOrigin}"`)
  expect(page).not.toMatch(/data-script|data-key=|data-needs-key/)
})

test('a custom script can be loaded from its own host, with the key inserted into its URL [R7.13] [R9.13]', async () => {
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

test('a script URL with a key placeholder tells the page that a key is required [R8.6]', async () => {
  const page = await started({ IDENTIFY_SCRIPT: 'https://names.example/{key}' })('/').then((answer) => answer.text())
  expect(page).toContain('data-needs-key=""')
  expect(page).not.toContain('data-key=')
})

test('the identification origin serves only its page and its scripts', async () => {
  const ask = started()
  expect((await ask('/identify.js')).status).toBe(200)
  for (const path of ['/vault/config', '/getWallets', '/../vault', '/identify.js/x', '/sdk'])
    expect((await ask(path)).status, path).toBe(404)
  expect((await ask('/', { method: 'POST' })).status).toBe(405)
})

test.each([
  ['without an embedded wallet', { KEYS_URL: '' }],
  ['on the keys origin', { IDENTIFY_URL: keysOrigin }],
  ['with a cache time of more than a day', { IDENTIFY_CACHE_SECONDS: '86401' }],
  ['with a negative cache time', { IDENTIFY_CACHE_SECONDS: '-1' }],
  ['with a cache time that is not a number', { IDENTIFY_CACHE_SECONDS: 'a day' }],
  ['with an invalid script URL', { IDENTIFY_SCRIPT: 'javascript:alert(1)' }],
  ['with a script URL that breaks the CSP', { IDENTIFY_SCRIPT: 'https://names.example/x; sandbox' }],
])('identification %s is rejected at startup [R7.13, R9.13]', (_, change) => {
  expect(() => readConfig({ ...env, ...change })).toThrow(ConfigError)
})

test('failures are reported to the operator by kind, and no other data is accepted [R8.6]', async () => {
  const browser = on.browser()
  const report = (failure: unknown) => browser.send('POST', '/vault/identify', { failure })
  for (const kind of [
    ...['missing-key', 'invalid-key', 'expired-key', 'timeout', 'rate-limited', 'blocked-by-csp', 'script-failed'],
  ]) {
    expect((await report(`identify/${kind}`)).status).toBe(200)
    expect(on.log.some((line) => line.includes('"warn"') && line.includes(`identify/${kind}`))).toBe(true)
  }
  for (const other of ['someone@shop.example', 'identify/other', 'expired-key', undefined])
    expect((await report(other)).status).toBe(400)
})

test('an identified browser can request ten codes in ten minutes, and other browsers at the same IP address have their own limits [R7.13]', async () => {
  const ask = (visitorId: string | undefined, at: number) =>
    on.browser('198.51.100.7').send('POST', '/vault/email', { email: `v${at}@shop.example`, visitorId })
  for (let at = 0; at < 10; at += 1) expect((await ask('greedy', at)).status).toBe(200)
  const refused = await ask('greedy', 10)
  expect([refused.status, refused.body.code]).toEqual([429, 'limit/reached'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('neighbour', 11)).status).toBe(200)
  // When identification is disabled, an ID sent by the frame is ignored.
  for (let at = 0; at < 12; at += 1) {
    const answer = await off.browser('198.51.100.8').send('POST', '/vault/email', {
      email: `w${at}@shop.example`,
      visitorId: 'greedy',
    })
    expect(answer.status).toBe(200)
  }
})
