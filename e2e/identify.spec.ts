import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { loadTestServer, type TestServer } from './support/testServer.ts'

// Visitor identification: a server of its own for each way that an operator may set it, as it is off in the local world.

const port = 4791
const id = `http://id.demo.localhost:${port}`
const vendor = `http://names.demo.localhost:${port}`

let folder: string
let servers: Awaited<ReturnType<typeof loadTestServer>>
let server: TestServer | undefined

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-identify-'))
  servers = await loadTestServer()
})
test.afterEach(async () => {
  await server?.stop()
  server = undefined
})
test.afterAll(async () => {
  await servers?.close()
  await rm(folder, { recursive: true, force: true })
})

// Each test starts a server with a new database.
test.describe.configure({ timeout: 60_000 })
// "Nobody is signed in" is a 401, which the browser notes.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => use([/status of 401/, /elsewhere\.example/, /Failed to load resource/]),
})

async function start(env: Readonly<Record<string, string>>): Promise<TestServer> {
  server = await servers.start({ dataFolder: join(folder, `${Object.keys(env).length}`), port, env })
  return server
}

/** Asks the frame for a code by mail; answers with what the frame told its server. */
async function login(page: Page, { pages }: TestServer, email: string): Promise<{ visitorId?: string }> {
  await page.goto(`${pages}/wire.html`)
  await page.waitForFunction(() => window.wire !== undefined)
  await page.evaluate(() => window.wire.ready)
  const told = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/email')
  const said = await page.evaluate((email) => window.wire.ask('CONNECT_EMAIL', { email }), email)
  expect(said).toMatchObject({ payload: { action: 'VERIFY_OTP' } })
  return (await told).postDataJSON()
}

const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

test('switched on, the library that comes along names the visitor, from an origin of its own, once an hour [R7.13, R9.13]', async ({
  page,
}) => {
  const own = await start({ IDENTIFY_URL: id })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const first = await login(page, own, someone('ada'))
  expect(first.visitorId).toMatch(/^[\w.:-]{1,128}$/)
  expect(asked.filter((url) => url.startsWith(id)).map((url) => new URL(url).pathname)).toEqual([
    '/',
    '/identify.js',
    expect.stringMatching(/^\/fp\.esm-/),
  ])
  // Nobody else is asked, and the identification's page is gone.
  const known = new Set([id, own.keys, own.pages])
  expect(asked.filter((url) => url.startsWith('http') && !known.has(new URL(url).origin))).toEqual([])
  await expect.poll(() => page.frames().filter((frame) => frame.url().startsWith(id))).toEqual([])

  asked.length = 0
  // The next code may be asked for half a minute later.
  own.pass(31_000)
  expect((await login(page, own, someone('bob'))).visitorId).toBe(first.visitorId)
  expect(asked.filter((url) => url.includes('/fp.esm-'))).toEqual([])
})

test('off, the key frame asks nobody who the visitor is [R7.13]', async ({ page }) => {
  const own = await start({})
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  expect(await login(page, own, someone('eve'))).not.toHaveProperty('visitorId')
  expect(asked.filter((url) => /visitor|identif/.test(url))).toEqual([])
})

const scripts = {
  'identify/expired-key':
    'export const load = async ({ apiKey }) => ({ get: async () => { throw new Error("API key expired: " + apiKey) } })',
  'identify/rate-limited':
    'export const load = async () => ({ get: async () => { throw new Error("Too many requests, rate limit exceeded") } })',
  'identify/blocked-by-csp': 'import "http://elsewhere.example/more.js"\nexport const load = async () => {}',
} as const

for (const [failure, body] of Object.entries(scripts))
  test(`a script of the operator’s that ends as ${failure} is told to the operator, and the login goes on [R8.6]`, async ({
    page,
  }) => {
    const own = await start({ IDENTIFY_URL: id, IDENTIFY_SCRIPT: `${vendor}/{key}/agent.js`, IDENTIFY_KEY: 'public' })
    await page.route(`${vendor}/public/agent.js`, (route) =>
      route.fulfill({ body, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
    )
    const told = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/identify')
    expect(await login(page, own, someone('cy'))).not.toHaveProperty('visitorId')
    expect((await told).postDataJSON()).toEqual({ failure })
  })

test('a script of the operator’s that does not come is tried five times, while the login goes on [R8.6, R9.13]', async ({
  page,
}) => {
  const own = await start({ IDENTIFY_URL: id, IDENTIFY_SCRIPT: `${vendor}/agent.js` })
  let tries = 0
  await page.route(`${vendor}/agent.js`, (route) => {
    tries += 1
    return route.abort()
  })
  const told = page.waitForRequest((request) => new URL(request.url()).pathname === '/vault/identify', {
    timeout: 15_000,
  })
  expect(await login(page, own, someone('di'))).not.toHaveProperty('visitorId')
  // The visitor waits three seconds at most; the tries take six and a half.
  expect(tries).toBeLessThan(5)
  expect((await told).postDataJSON()).toEqual({ failure: 'identify/script-failed' })
  expect(tries).toBe(5)
})
