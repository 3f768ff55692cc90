import type { BrowserContext, Page, Request } from '@playwright/test'
import { accountButton, disconnect, expect, test, type World } from './support/fixtures.ts'
import { approve, codeFor } from './support/framePage.ts'
import { createPhoneWallet } from './support/phoneWallet.ts'
import { readQrCode } from './support/readQrCode.ts'

// Checks every request that a page sends, from loading to disconnecting, against a list of allowed origins and paths.

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

/** Returns patterns for the allowed requests, which are listed as `page <URL>`, `frame <URL>` or `window <URL>`. */
function listsOf(world: World, pages: string): readonly RegExp[] {
  const { connect, keys, chains, relay } = world.facts
  const at = (who: string, url: string, paths: string): RegExp =>
    new RegExp(`^${who} ${new URL(url).origin.replaceAll('.', '\\.')}(${paths})$`)
  return [
    // The host's own files.
    at('page', pages, '/signIn\\.html|/environment\\.json|/assets/[\\w.-]+\\.(js|css)|/favicon\\.ico'),
    // The wallet directory and its images, the project's configuration, and analytics.
    at('page', connect, '/getWallets|/getWalletImage/[\\w-]+|/public/getAssetImage/[\\w-]+'),
    at('page', connect, '/projects/v1/origins|/getAnalyticsConfig|/e|/batch'),
    // The name of the account, and what its view shows: tokens, activity, and whether tokens can be bought and swapped.
    at('page', connect, '/v1/identity/0x[0-9a-fA-F]{40}|/v1/profile/reverse/0x[0-9a-fA-F]{40}'),
    at('page', connect, '/v1/account/0x[0-9a-fA-F]{40}/(balance|history)|/v1/onramp/options|/v1/convert/tokens'),
    // JSON-RPC requests, which go through the server or to the host's own node.
    at('page', connect, '/v1/?|/v1/supported-chains'),
    ...chains.map((chain) => at('page', chain.rpcUrls.default.http[0], '/')),
    // Sign-in, if the host configures it.
    at('page', connect, '/auth/v1/(nonce|authenticate|me|sign-out)'),
    // The WalletConnect relay, if the host configures it.
    at('page', relay, '/'),
    // The frame and the approval window once a user logs in, and the requests that they send.
    at('frame', keys, '/sdk|/[\\w.-]+\\.(js|css|json|svg|png)|/assets/[\\w.-]+|/vault/[\\w/-]+|/favicon\\.ico'),
    at('frame', connect, '/v1/?|/v1/bundler'),
    ...chains.map((chain) => at('frame', chain.rpcUrls.default.http[0], '/')),
    at('window', keys, '/approve|/[\\w.-]+\\.(js|css|json|svg|png)|/assets/[\\w.-]+|/vault/[\\w/-]+|/favicon\\.ico'),
    ...chains.map((chain) => at('window', chain.rpcUrls.default.http[0], '/')),
  ]
}

/** Records every request in a browser context, including its query and body. */
function listen(context: BrowserContext, page: Page, keys: string) {
  const requests: { readonly what: string; readonly sent: string }[] = []
  const add = (who: string, url: string, body: string): void => {
    if (/^(blob|data|about|chrome-error):/.test(url)) return
    const { origin, pathname, search } = new URL(url)
    requests.push({ what: `${who} ${origin}${pathname}`, sent: `${search} ${body}` })
  }
  context.on('request', (request) => {
    let frame: ReturnType<typeof request.frame> | undefined
    try {
      frame = request.frame()
    } catch {
      // The request comes from a service worker or from a window that is still opening.
    }
    const isOfKeys = new URL(request.url()).origin === new URL(keys).origin
    const isInside =
      frame !== undefined && (frame.url().startsWith(keys) || (request.isNavigationRequest() && isOfKeys))
    const isWindow = frame === undefined || frame.page() !== page
    add(isWindow ? 'window' : isInside ? 'frame' : 'page', request.url(), request.postData() ?? '')
  })
  page.on('websocket', (socket) => add('page', socket.url(), ''))
  // Playwright's `networkidle` also waits for requests of approval windows that have closed.
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => pending.delete(request))
  return {
    requests,
    /** Resolves once no request of the page is pending. */
    settled: () => expect.poll(() => [...pending].map((request) => request.url())).toEqual([]),
    unlisted: (lists: readonly RegExp[]) => [
      ...new Set(requests.map(({ what }) => what).filter((what) => !lists.some((pattern) => pattern.test(what)))),
    ],
    /** Returns the requests that contain `address`. */
    tellsOf: (address: string) => [
      ...new Set(
        requests.filter(({ sent }) => sent.toLowerCase().includes(address.toLowerCase())).map(({ what }) => what),
      ),
    ],
  }
}

const options = (more: object): string => encodeURIComponent(JSON.stringify(more))

test('a page only sends allowed requests when the user connects, signs in, reloads and disconnects [R7.14]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  test.setTimeout(90_000)
  const { connect, keys, chains } = world.facts
  const traffic = listen(page.context(), page, keys)
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/signIn.html?relay&frame=${keys}&options=${options({ signIn: 'required' })}`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Ada Wallet/ }).click()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Sign-in')).toContainText('signed-in')
  await page.reload()
  await expect(page.getByLabel('Sign-in')).toContainText('signed-in')
  await accountButton(page).click()
  await expect(dialog.getByRole('heading')).toBeVisible()
  await disconnect(page)
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  await traffic.settled()

  expect(traffic.unlisted(listsOf(world, pages))).toEqual([])
  // The keys origin receives no requests until the user logs in.
  expect(traffic.requests.filter(({ what }) => what.includes(new URL(keys).host))).toEqual([])
  // The address is only sent to the node that returns its balance, and to the server: for its name and tokens, and to sign in.
  const address = world.facts.accounts[0]?.address as string
  const disclosed = traffic.tellsOf(address)
  const allowed = [
    ...chains.map((chain) => `page ${new URL(chain.rpcUrls.default.http[0]).origin}/`),
    ...['/auth/v1/nonce', '/auth/v1/authenticate', '/auth/v1/me', '/e', '/batch', '/v1', '/v1/'].map(
      (path) => `page ${connect}${path}`,
    ),
    ...[`identity/${address}`, `account/${address}/balance`, `account/${address}/history`].map(
      (path) => `page ${connect}/v1/${path}`,
    ),
  ]
  expect(disclosed.filter((what) => !allowed.includes(what))).toEqual([])
})

test('pairing with a phone only sends allowed requests, and none to a sign-in, vault or verify service [R7.14]', async ({
  page,
  pages,
  world,
}) => {
  test.setTimeout(90_000)
  const { keys, relay } = world.facts
  const traffic = listen(page.context(), page, keys)
  const phone = await createPhoneWallet(world)
  await page.goto(`${pages}/signIn.html?relay`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  await phone.scan(await readQrCode(page))
  await expect(page.getByLabel('Status')).toContainText(`connected ${phone.address}`)
  await page.reload()
  await expect(page.getByLabel('Status')).toContainText(`connected ${phone.address}`)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  await traffic.settled()
  phone.close()

  expect(traffic.unlisted(listsOf(world, pages))).toEqual([])
  const requests = traffic.requests.map(({ what }) => what)
  expect(requests).toContain(`page ${new URL(relay).origin}/`)
  expect(requests.filter((what) => /\/(auth|vault|v3)\//.test(what))).toEqual([])
  expect(requests.filter((what) => !what.startsWith('page ') || what.includes(new URL(keys).host))).toEqual([])
})

test('an email login only sends allowed requests, and only the frame contacts the vault [R7.14]', async ({
  page,
  pages,
  world,
}) => {
  test.setTimeout(120_000)
  const { keys } = world.facts
  const traffic = listen(page.context(), page, keys)
  const email = `noether-${Date.now()}@bakery.example`
  await page.goto(`${pages}/signIn.html?frame=${keys}&options=${options({ signIn: 'required' })}`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 20_000 })
  await approve(frame, 'Sign')
  await expect(page.getByLabel('Sign-in')).toContainText('signed-in')
  await page.reload()
  await expect(page.getByLabel('Sign-in')).toContainText('signed-in')
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  await traffic.settled()

  expect(traffic.unlisted(listsOf(world, pages))).toEqual([])
  const vault = traffic.requests.filter(({ what }) => what.includes('/vault/')).map(({ what }) => what.split(' ')[0])
  expect(vault.length).toBeGreaterThan(3)
  expect(vault).not.toContain('page')
  // The email address is only sent to the vault.
  expect(traffic.tellsOf(email).every((what) => /^(frame|window) \S+\/vault\//.test(what))).toBe(true)
})
