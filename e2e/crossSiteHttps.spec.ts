import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { hashMessage, recoverAddress, stringToHex } from 'viem'
import { fullChromium } from './support/chromium.ts'
import { logInByEmail, openWindow, userOf } from './support/crossSiteWindow.ts'
import { expect, test } from './support/fixtures.ts'
import { approveIn, type FramePage, openFramePageAt } from './support/framePage.ts'
import { selfSignedCertificate } from './support/selfSignedCertificate.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'

// The page and the keys origin are on different sites, served over HTTPS to a browser with default settings. As a result,
// `Secure; Partitioned` cookies and storage behave as they do for users.

const https = { keysHost: 'keys.bakery.test', pagesHosts: ['shop.test', 'other.test'] } as const
const local = { chainId: 31337, chainNamespace: 'eip155' }

let folder: string
let server: TestServer
let browser: Browser

test.beforeAll(async ({ playwright }, { project, parallelIndex }) => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-https-'))
  server = await startTestServer({
    dataFolder: folder,
    port: 7210 + parallelIndex,
    https: { ...https, ...selfSignedCertificate([https.keysHost, ...https.pagesHosts]) },
    // Enable visitor identification, which only runs on same-site pages.
    env: { IDENTIFY_URL: `https://id.bakery.test:${7210 + parallelIndex}` },
  })
  await server.allow([server.pages])
  const { args = [] } = (project.use.launchOptions ?? {}) as { args?: string[] }
  const [rules = '', ...others] = [...args].sort((arg) => (arg.startsWith('--host-resolver-rules=') ? -1 : 1))
  browser = await playwright.chromium.launch({
    executablePath: fullChromium,
    // Resolve the test hosts to this machine. The first matching rule applies.
    args: [...others, rules.replace('=', '=MAP *.test 127.0.0.1,')],
  })
})
test.afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.describe.configure({ timeout: 120_000 })

async function openShop(): Promise<FramePage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  return openFramePageAt(await context.newPage(), server)
}

async function sign(framePage: FramePage, address: string): Promise<void> {
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('hello'), address], ...local })
  await approveIn(await openWindow(framePage), 'Sign')
  const { payload: signature } = await framePage.response('sign')
  expect(await recoverAddress({ hash: hashMessage('hello'), signature })).toBe(address)
}

test('over HTTPS, a user logs in, signs, reloads, signs again and signs out', async () => {
  const email = `ada-${Date.now()}@bakery.example`
  const framePage = await openShop()
  const context = framePage.page.context()
  expect(new URL(framePage.page.url()).protocol).toBe('https:')
  expect(await framePage.page.evaluate(() => window.framePage.ready)).toMatchObject({
    capabilities: expect.arrayContaining(['window']),
  })
  const { address, email: userEmail } = await logInByEmail(framePage, email, () => server.codeFor(email))
  expect(userEmail).toBe(email)
  await sign(framePage, address)

  // The frame's token is in a cookie that is partitioned by site. The frame cannot access the window's session or keys.
  const cookies = await context.cookies(`${server.keys}/sdk`)
  const awayCookies = cookies.filter(({ name }) => name.startsWith('latchkey.away.'))
  expect(awayCookies).not.toEqual([])
  for (const cookie of awayCookies)
    expect(cookie).toMatchObject({ secure: true, sameSite: 'None', partitionKey: 'https://shop.test' })
  const session = cookies.filter(({ name }) => name.startsWith('__Host-'))
  expect(session.length).toBeGreaterThan(0)
  for (const cookie of session) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax' })
  const reach = await framePage.frame.locator('html').evaluate(async () => ({
    me: (await fetch('/vault/me')).status,
    databases: await indexedDB.databases().then(
      (all) => all.length,
      () => 'denied',
    ),
  }))
  expect(reach).toEqual({ me: 401, databases: 'denied' })

  const again = await openFramePageAt(framePage.page, server)
  expect((await again.request('IS_CONNECTED')).payload).toEqual({ isConnected: true })
  expect(await userOf(again)).toMatchObject({ address, email })
  await sign(again, address)
  await again.request('SIGN_OUT')
  expect((await again.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
  const left = await openFramePageAt(framePage.page, server)
  expect((await left.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
  await context.close()
})

test('over HTTPS, a second site does not share the first site’s token', async () => {
  const email = `bea-${Date.now()}@bakery.example`
  const framePage = await openShop()
  await logInByEmail(framePage, email, () => server.codeFor(email))
  const other = server.pages.replace('shop.test', 'other.test')
  // A site that is not on the allow list cannot embed the frame.
  const page = await framePage.page.context().newPage()
  const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto(`${other}/withoutSdk.html`)
  await blocked
  await server.allow([server.pages, other])
  const otherFrame = await openFramePageAt(page, { ...server, pages: other })
  expect((await otherFrame.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
  expect((await framePage.request('IS_CONNECTED')).payload).toEqual({ isConnected: true })
  await page.context().close()
})

test('visitor identification does not run on a cross-site page, where logging in works without it', async () => {
  const email = `cleo-${Date.now()}@bakery.example`
  const framePage = await openShop()
  const requests: string[] = []
  framePage.page.context().on('request', (request) => requests.push(request.url()))
  const mailing = framePage.page
    .context()
    .waitForEvent('request', (request) => new URL(request.url()).pathname === '/vault/email')
  await logInByEmail(framePage, email, () => server.codeFor(email))
  expect((await mailing).postDataJSON()).not.toHaveProperty('visitorId')
  expect(requests.filter((url) => new URL(url).hostname.startsWith('id.'))).toEqual([])
  await framePage.page.context().close()
})
