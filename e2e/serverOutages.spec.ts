import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, type World } from './support/fixtures.ts'
import { approve } from './support/framePage.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'

// Tests a server that goes down while users are signed in, and a keys origin that does not work.

const noise = [
  /status of (4\d\d|5\d\d)/,
  /ERR_/,
  /Failed to load resource/,
  /Unrecognized feature/,
  /frame-ancestors|Refused to (frame|display)/,
  /The embedded wallet at \S+ did not start/,
  /Embedded Wallet|embedded wallet/,
  /was not (restored|connected)/,
  /Network Error/,
  // The page also logs these errors for the developer if it cannot determine the cause.
  /unverified_domain: Unverified Domain/,
  /Content Security Policy|policy violation: frame-src/,
]
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use(noise) })

/** Serves the host pages at a different origin without their CSP, which only allows the local environment's keys origin. */
async function hostPages({ port }: World): Promise<{ origin: string; close(): void }> {
  const server = createServer((incoming, answer) => {
    const headers = { host: `pages.demo.localhost:${port}` }
    get({ host: '127.0.0.1', port, path: incoming.url, headers }, (found) => {
      const { 'content-security-policy': _, ...rest } = found.headers
      answer.writeHead(found.statusCode ?? 502, rest)
      found.pipe(answer)
    }).on('error', () => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://pages.demo.localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const account = (page: Page) => page.getByRole('button', { name: /^Account / })
const status = (page: Page) => page.getByLabel('Status')
/** Triggers an immediate retry, as a network change would. */
const wake = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('online')))

test.describe('a server that goes down and comes back', () => {
  let folder: string
  let server: TestServer
  let host: Awaited<ReturnType<typeof hostPages>>

  test.beforeAll(async ({ world }) => {
    test.setTimeout(180_000)
    folder = await mkdtemp(join(tmpdir(), 'latchkey-outage-'))
    server = await startTestServer({ dataFolder: join(folder, 'data') })
    host = await hostPages(world)
    await server.allow([host.origin], 'local')
  })
  test.afterAll(async () => {
    host?.close()
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const goAway = () => server.stop()
  const comeBack = async () => {
    server = await startTestServer({ dataFolder: join(folder, 'data'), port: server.port })
  }

  /** Logs in by email. Resolves to the account's address. */
  async function logIn(page: Page, email: string): Promise<string> {
    await page.goto(`${host.origin}/hostPage.html?frame=${encodeURIComponent(server.keys)}`)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(email)).toBeVisible()
    await page.keyboard.type(server.codeFor(email))
    await expect(account(page)).toBeVisible({ timeout: 20_000 })
    return (await status(page).textContent())?.match(/0x\w{40}/)?.[0] ?? 'no address'
  }

  test('an open page stays connected, rejects signature requests with an error code, and can sign again afterwards', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const address = await logIn(page, 'open@bakery.example')
    await goAway()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(page.getByLabel('Signature')).toHaveText('refused 4900', { timeout: 20_000 })
    await expect(status(page)).toContainText(`connected ${address}`)
    await comeBack()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await approve(page.frameLocator('iframe'), 'Sign')
    await expect(page.getByLabel('Signature')).toContainText(/^0x/)
  })

  test('a page loaded during the outage shows the account and a notice, and reconnects without a reload', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const address = await logIn(page, 'reload@bakery.example')
    await goAway()
    await page.reload()
    await expect(status(page)).toContainText(new RegExp(`^reconnecting ${address}.*unknown$`), { timeout: 20_000 })
    await expect(account(page)).toHaveAccessibleName(/Unreachable/)
    await account(page).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/cannot be reached/)).toBeVisible()
    await expect(dialog.getByText(/Your account stays connected/)).toBeVisible()
    await page.keyboard.press('Escape')
    // A second reload during the same outage changes nothing.
    await page.reload()
    await expect(status(page)).toContainText('unknown', { timeout: 20_000 })
    await comeBack()
    await wake(page)
    await expect(status(page)).toContainText(`connected ${address}`, { timeout: 60_000 })
    await expect(account(page)).not.toHaveAccessibleName(/Unreachable/)
  })

  for (const [what, answer] of [
    [
      'a 500 response',
      { status: 500, contentType: 'application/json', body: '{"code":"server/failed","message":"x"}' },
    ],
    [
      'a 503 response from a proxy',
      { status: 503, headers: { 'retry-after': '1' }, contentType: 'text/html', body: '<h1>Down</h1>' },
    ],
    ['a captive portal page', { status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' }],
    ['a 401 response from a proxy', { status: 401, contentType: 'text/html', body: '<h1>Proxy log-in</h1>' }],
  ] as const) {
    test(`${what} instead of the server's response does not disconnect the user`, async ({ page }) => {
      test.setTimeout(120_000)
      const address = await logIn(page, `${what.replace(/\W/g, '')}@bakery.example`)
      await page.context().route(`${server.keys}/vault/**`, (route) => route.fulfill(answer))
      await page.reload()
      await expect(status(page)).toContainText(new RegExp(`^reconnecting ${address}.*unknown$`), { timeout: 20_000 })
      await page.context().unroute(`${server.keys}/vault/**`)
      await wake(page)
      await expect(status(page)).toContainText(`connected ${address}`, { timeout: 60_000 })
    })
  }

  test('the user is disconnected if the server reports that there is no session', async ({ page }) => {
    test.setTimeout(90_000)
    await logIn(page, 'out@bakery.example')
    await page.context().clearCookies()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible({ timeout: 20_000 })
  })
})

/** Requests a code while no frame can start. Checks the error at the email field and resolves to the console message. */
async function submitted(page: Page, url: string, frame: string): Promise<string> {
  test.setTimeout(120_000)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${url}?frame=${encodeURIComponent(frame)}`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: /mail/i })
  await field.fill('ada@bakery.example')
  // The page sends no requests to the keys origin before the user logs in.
  expect(requests.filter((request) => request.startsWith(frame))).toEqual([])
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(/cannot be reached/, { timeout: 15_000 })
  // The other options are available immediately, and the user can try again.
  await expect(dialog.getByRole('button', { name: /All wallets/ })).toBeVisible()
  await expect(field).toBeEditable({ timeout: 30_000 })
  const ours = () => errors.filter((line) => line.includes('did not start'))
  // A server that does not respond is diagnosed when the requests to it time out, 20 seconds after the frame was mounted.
  await expect.poll(() => ours().length, { timeout: 30_000 }).toBe(1)
  await field.fill('eve@bakery.example')
  await expect(field).not.toHaveAccessibleDescription(/cannot be reached/)
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(/cannot be reached/, { timeout: 30_000 })
  expect(ours()).toHaveLength(1)
  return ours()[0] ?? ''
}

test.describe('a keys origin that does not work', () => {
  let host: Awaited<ReturnType<typeof hostPages>>
  test.beforeAll(async ({ world }) => {
    host = await hostPages(world)
  })
  test.afterAll(() => host?.close())

  const at = (server: Server | ReturnType<typeof createTcpServer>): Promise<string> =>
    new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://keys.demo.localhost:${(server.address() as AddressInfo).port}`),
      ),
    )

  test('the page’s CSP does not allow the keys origin', async ({ page, pages }) => {
    const message = await submitted(page, `${pages}/hostPage.html`, 'http://keys.demo.localhost:9')
    expect(message).toMatch(
      /Content-Security-Policy of this page \(frame-src\).*Add http:\/\/keys\.demo\.localhost:9 to frame-src/,
    )
  })

  test('no server is listening', async ({ page }) => {
    const server = createTcpServer()
    const keys = await at(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await submitted(page, `${host.origin}/hostPage.html`, keys)).toMatch(/nothing responds there/)
  })

  test('the server accepts connections but does not respond', async ({ page }) => {
    const server = createTcpServer(() => undefined)
    const keys = await at(server)
    expect(await submitted(page, `${host.origin}/hostPage.html`, keys)).toMatch(
      /accepts connections but does not respond/,
    )
    await page.close()
    server.close()
  })

  test('a different site is served at the keys origin', async ({ page }) => {
    const server = createServer((_, answer) =>
      answer.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>'),
    )
    const keys = await at(server)
    expect(await submitted(page, `${host.origin}/hostPage.html`, keys)).toMatch(/something else is served there/)
    server.closeAllConnections()
    server.close()
  })

  test('the page’s origin is not on the allow list', async ({ page }) => {
    const headers = { 'content-type': 'text/html', 'content-security-policy': "frame-ancestors 'none'" }
    const server = createServer((_, answer) => answer.writeHead(200, headers).end('<h1>A frame</h1>'))
    const keys = await at(server)
    expect(await submitted(page, `${host.origin}/hostPage.html`, keys)).toMatch(
      /Add http:\/\/pages\.demo\.localhost:\d+ to the allowed origins/,
    )
    server.closeAllConnections()
    server.close()
  })

  test('a frame with a different protocol version responds', async ({ page }) => {
    const html = `<script>parent.postMessage({ type: '@w3m-frame/READY', payload: { version: '9' } }, '*')</script>`
    const server = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end(html))
    const keys = await at(server)
    expect(await submitted(page, `${host.origin}/hostPage.html`, keys)).toMatch(/uses protocol version 9/)
    server.closeAllConnections()
    server.close()
  })
})
