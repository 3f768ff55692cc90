import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'

// Visitor identification is disabled in the local environment, so each test starts a server with its own configuration.

const port = 4791
const id = `http://id.demo.localhost:${port}`
const vendor = `http://names.demo.localhost:${port}`

let folder: string
let server: TestServer | undefined

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-identify-'))
})
test.afterEach(async () => {
  await server?.stop()
  server = undefined
})
test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

// Each test starts a server with a new database.
test.describe.configure({ timeout: 60_000 })
// The browser logs a 401 response when the user is not signed in.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => use([/status of 401/, /elsewhere\.example/, /Failed to load resource/]),
})

async function start(env: Readonly<Record<string, string>>): Promise<TestServer> {
  server = await startTestServer({ dataFolder: join(folder, `${Object.keys(env).length}`), port, env })
  return server
}

/** Requests an emailed code through the frame. Resolves to the body of the frame's request to the server. */
async function login(page: Page, { pages }: TestServer, email: string): Promise<{ visitorId?: string }> {
  await page.goto(`${pages}/withoutSdk.html`)
  await page.waitForFunction(() => window.framePage !== undefined)
  await page.evaluate(() => window.framePage.ready)
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/email')
  const response = await page.evaluate((email) => window.framePage.request('CONNECT_EMAIL', { email }), email)
  expect(response).toMatchObject({ payload: { action: 'VERIFY_OTP' } })
  return (await sent).postDataJSON()
}

const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

test('if enabled, the bundled library identifies the visitor from its own origin once per hour [R7.13, R9.13]', async ({
  page,
}) => {
  const own = await start({ IDENTIFY_URL: id })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const first = await login(page, own, someone('ada'))
  expect(first.visitorId).toMatch(/^[\w.:-]{1,128}$/)
  expect(requests.filter((url) => url.startsWith(id)).map((url) => new URL(url).pathname)).toEqual([
    '/',
    '/identify.js',
    expect.stringMatching(/^\/fp\.esm-/),
  ])
  // No other origin receives a request, and the identification frame is removed.
  const known = new Set([id, own.keys, own.pages])
  expect(requests.filter((url) => url.startsWith('http') && !known.has(new URL(url).origin))).toEqual([])
  await expect.poll(() => page.frames().filter((frame) => frame.url().startsWith(id))).toEqual([])

  requests.length = 0
  // Wait until a new code can be requested.
  own.pass(31_000)
  expect((await login(page, own, someone('bob'))).visitorId).toBe(first.visitorId)
  expect(requests.filter((url) => url.includes('/fp.esm-'))).toEqual([])
})

test('if disabled, the key frame does not identify the visitor [R7.13]', async ({ page }) => {
  const own = await start({})
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  expect(await login(page, own, someone('eve'))).not.toHaveProperty('visitorId')
  expect(requests.filter((url) => /visitor|identif/.test(url))).toEqual([])
})

const scripts = {
  'identify/expired-key':
    'export const load = async ({ apiKey }) => ({ get: async () => { throw new Error("API key expired: " + apiKey) } })',
  'identify/rate-limited':
    'export const load = async () => ({ get: async () => { throw new Error("Too many requests, rate limit exceeded") } })',
  'identify/blocked-by-csp': 'import "http://elsewhere.example/more.js"\nexport const load = async () => {}',
} as const

for (const [failure, body] of Object.entries(scripts))
  test(`if the operator’s script fails with ${failure}, the server receives the error and the login continues [R8.6]`, async ({
    page,
  }) => {
    const own = await start({ IDENTIFY_URL: id, IDENTIFY_SCRIPT: `${vendor}/{key}/agent.js`, IDENTIFY_KEY: 'public' })
    await page.route(`${vendor}/public/agent.js`, (route) =>
      route.fulfill({ body, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
    )
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/identify')
    expect(await login(page, own, someone('cy'))).not.toHaveProperty('visitorId')
    expect((await sent).postDataJSON()).toEqual({ failure })
  })

test('if the operator’s script fails to load, it is tried five times while the login continues [R8.6, R9.13]', async ({
  page,
}) => {
  const own = await start({ IDENTIFY_URL: id, IDENTIFY_SCRIPT: `${vendor}/agent.js` })
  let tries = 0
  await page.route(`${vendor}/agent.js`, (route) => {
    tries += 1
    return route.abort()
  })
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/identify', {
    timeout: 15_000,
  })
  expect(await login(page, own, someone('di'))).not.toHaveProperty('visitorId')
  // The login waits at most 3 s for the identification, whereas the five attempts take 6.5 s.
  expect(tries).toBeLessThan(5)
  expect((await sent).postDataJSON()).toEqual({ failure: 'identify/script-failed' })
  expect(tries).toBe(5)
})
