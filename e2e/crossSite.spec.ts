import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createPublicClient, hashMessage, http, parseEther, recoverAddress, stringToHex, toHex } from 'viem'
import { fullChromium } from './support/chromium.ts'
import { approve, expectUncovered, logInByEmail, openFrom, openWindow, signIn } from './support/crossSiteWindow.ts'
import { accountButton, expect, test, type World } from './support/fixtures.ts'
import {
  approveIn,
  codeFor,
  type FramePage,
  mailsTo,
  openApproval,
  openFramePage,
  openFramePageAt,
} from './support/framePage.ts'

// The page and the keys origin are on different sites, so the browser blocks or partitions the frame’s cookies and storage.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string) => `${name}-${Date.now()}@bakery.example`

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|404)/, /Unrecognized feature: 'bluetooth'/]) })

const shop = (world: World) => ({
  pages: `http://shop.localhost:${world.port}`,
  codeFor: (email: string) => codeFor(world, email),
})

test('on a cross-site page, a user logs in, signs, sends, reloads and signs out', async ({ page, world }) => {
  test.setTimeout(120_000)
  const email = someone('ada')
  const framePage = await openFramePageAt(page, shop(world))
  // Logins that would run inside the frame on a same-site page are rejected up front.
  for (const [name, payload] of [
    ['CONNECT_EMAIL', { email }],
    ['GET_SOCIAL_REDIRECT_URI', { provider: 'google' }],
    ['GET_FARCASTER_URI', undefined],
  ] as const)
    expect((await framePage.request(name, payload)).payload.message, name).toContain('CONNECT_WINDOW')
  expect(await mailsTo(world, email)).toEqual([])
  const user = await logInByEmail(framePage, email, () => codeFor(world, email))
  expect(user).toMatchObject({ email })

  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('hello'), user.address], ...local })
  const signing = await openWindow(framePage)
  await expect(signing.getByText('hello')).toBeVisible()
  await expectUncovered(signing)
  await approveIn(signing, 'Sign')
  const { payload: signature } = await framePage.response('sign')
  expect(await recoverAddress({ hash: hashMessage('hello'), signature })).toBe(user.address)

  const node = createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]) })
  await node.request({ method: 'anvil_setBalance', params: [user.address, toHex(parseEther('1'))] } as never)
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await framePage.start('send', {
    method: 'eth_sendTransaction',
    params: [{ from: user.address, to, value: toHex(parseEther('0.25')) }],
    ...local,
  })
  await approveIn(await openWindow(framePage), 'Approve')
  const { payload: hash } = await framePage.response('send')
  expect((await node.waitForTransactionReceipt({ hash })).status).toBe('success')

  const again = await openFramePageAt(page, shop(world))
  expect(await again.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  expect((await again.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await again.request('SIGN_OUT')
  expect(await again.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})

test('the modal opens the wallet’s window, even under COOP, and the account survives a reload', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const email = someone('bea')
  const host = new URL(`http://shop.localhost:${world.port}/hostPage.html`)
  host.searchParams.set('frame', world.facts.keys)
  const loaded = await page.goto(host.href)
  // With this header, the page and its frames cannot reference or message the windows that they open.
  expect(loaded?.headers()['cross-origin-opener-policy']).toBe('same-origin')
  await page.getByRole('button', { name: 'Connect', exact: false }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  const frame = page.frameLocator('iframe')
  const opened = await openFrom(page, frame)
  await expect(frame.getByText(/^Continue in the .* window\./)).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Open the window again' })).toBeVisible()
  const dialog = page.getByRole('dialog', { includeHidden: true })
  await expect(dialog.getByText('Continue in your wallet’s window.')).toBeAttached()
  await expect(dialog.getByText('Sending a code…')).not.toBeAttached()
  await signIn(opened, () => codeFor(world, email))
  await approve(opened, 'Connect')
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  const status = page.getByLabel('Status')
  await expect(status).toContainText('connected 0x')
  const before = await status.textContent()

  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approveIn(await openFrom(page, frame), 'Sign')
  await expect(page.getByLabel('Signature')).toHaveText(/^0x/)
  await page.reload()
  await expect(status).toHaveText(before ?? '')

  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const closing = await openFrom(page, frame)
  await expect(closing.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
  await closing.close()
  // Open the window again to reject the request.
  const again = await openFrom(page, frame, /^Continue in a window$/)
  await again.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByLabel('Signature')).toHaveText('refused 4001')
})

test('two sites and the keys origin’s own site share one address, and signing out on one signs out on all', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const email = someone('cleo')
  const framePage = await openFramePageAt(page, shop(world))
  const { address } = await logInByEmail(framePage, email, () => codeFor(world, email))
  const otherFrame = await openFramePageAt(await page.context().newPage(), {
    ...shop(world),
    pages: `http://localhost:${world.port}`,
  })
  expect((await otherFrame.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
  await otherFrame.begin('in', 'CONNECT_WINDOW', { email })
  // The user is already signed in, so the window only asks whether to connect this page.
  await approve(await openWindow(otherFrame), 'Connect')
  expect((await otherFrame.response('in')).type).toBe('@w3m-frame/CONNECT_WINDOW_SUCCESS')
  expect((await otherFrame.request('GET_USER', { chainId: 31337 })).payload.address).toBe(address)
  expect(await mailsTo(world, email)).toHaveLength(1)

  const home = await openFramePageAt(await page.context().newPage(), {
    ...shop(world),
    pages: `http://pages.demo.localhost:${world.port}`,
  })
  expect((await home.request('GET_USER', { chainId: 31337 })).payload.address).toBe(address)
  await home.request('SIGN_OUT')
  for (const frame of [framePage, otherFrame]) {
    expect((await frame.request('IS_CONNECTED')).payload).toEqual({ isConnected: false })
    expect((await frame.request('GET_USER', { chainId: 31337 })).type).toBe('@w3m-frame/GET_USER_ERROR')
  }
})

test('a cross-site page cannot request permissions, and the requests are rejected without opening a window', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const email = someone('petra')
  const framePage = await openFramePageAt(page, shop(world))
  const { address } = await logInByEmail(framePage, email, () => codeFor(world, email))
  const ask = async (method: string, params?: unknown) => framePage.request('RPC_REQUEST', { method, params, ...local })
  const { payload: capabilities } = await ask('wallet_getCapabilities', [address])
  expect(capabilities['0x7a69']).toMatchObject({ assetDiscovery: { supported: true } })
  expect(capabilities['0x7a69']).not.toHaveProperty('permissions')
  expect((await ask('wallet_getSupportedExecutionPermissions')).payload).toEqual({})
  expect((await ask('wallet_getGrantedExecutionPermissions')).payload).toEqual([])
  const coins = { type: 'native-token-recurring-allowance', data: { allowance: '0x1', period: 86_400 } }
  const expiry = Math.floor(Date.now() / 1000) + 86_400
  for (const [method, params] of [
    ['wallet_grantPermissions', [{ chainId: '0x7a69', expiry, permissions: [coins] }]],
    ['wallet_revokePermissions', [{ context: `0x${'a'.repeat(64)}` }]],
    ['wallet_revokePermissions', []],
  ] as const)
    expect((await ask(method, params)).payload, method).toEqual({ message: 'Requested RPC call is not allowed' })
  // Calls that reference a permission still need the user's approval.
  const call = { to: address, value: '0x0' }
  const permissions = { context: `0x${'a'.repeat(64)}` }
  await framePage.start('calls', {
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', chainId: '0x7a69', from: address, calls: [call], capabilities: { permissions } }],
    ...local,
  })
  await expect(framePage.frame.getByRole('button', { name: 'Continue in a window' })).toBeVisible()
  await framePage.request('RPC_ABORT')
  expect((await framePage.response('calls')).type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
})

test('a request for one account cannot be approved while a different account is signed in', async ({ page, world }) => {
  test.setTimeout(120_000)
  const [first, second] = [someone('dora'), someone('eve')]
  const framePage = await openFramePageAt(page, shop(world))
  const user = await logInByEmail(framePage, first, () => codeFor(world, first))
  const home = await openFramePageAt(await page.context().newPage(), {
    ...shop(world),
    pages: `http://pages.demo.localhost:${world.port}`,
  })
  // The shop's session stays valid on the server while a second user signs in with the same browser.
  await home.page.context().clearCookies()
  await home.logIn(second)
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('mine'), user.address], ...local })
  const opened = await openWindow(framePage)
  await expect(opened.getByText(`You are signed in as ${second}.`, { exact: false })).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Sign', exact: true })).toHaveCount(0)
  await opened.getByRole('button', { name: 'Cancel', exact: true }).click()
  expect((await framePage.response('sign')).payload).toEqual({ message: 'User rejected the request.' })
})

test('a pending request is not executed after the user signs out elsewhere or the page is closed', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const email = someone('ines')
  const framePage = await openFramePageAt(page, shop(world))
  const user = await logInByEmail(framePage, email, () => codeFor(world, email))
  const ask = (on: FramePage) =>
    on.start('sign', { method: 'personal_sign', params: [stringToHex('mine'), user.address], ...local })
  await ask(framePage)
  const left = await openWindow(framePage)
  await expect(left.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
  const closed = left.waitForEvent('close')
  await page.reload()
  await closed

  const away = await openFramePageAt(page, shop(world))
  const [home, elsewhere] = [
    await openFramePage(await page.context().newPage(), world),
    await openFramePage(await page.context().newPage(), world),
  ]
  for (const [on, open] of [
    [away, openWindow],
    [home, ({ frame }: FramePage) => openApproval(frame)],
  ] as const) {
    if (!(await elsewhere.request('IS_CONNECTED')).payload.isConnected) await elsewhere.logIn(email)
    await on.page.bringToFront()
    await ask(on)
    const waiting = await open(on)
    await expect(waiting.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    await elsewhere.request('SIGN_OUT')
    await waiting.bringToFront()
    await approveIn(waiting, 'Sign')
    expect((await on.response('sign')).payload).toEqual({ message: 'Not signed in' })
  }
})

test('a user who is lured to a window with an attacker’s request sees nothing to approve', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(120_000)
  const { keys } = world.facts
  // The frame in the attacker's browser creates a request, but no window opens to claim it.
  const attacker = await browser.newContext()
  const attackerPage = await openFramePageAt(await attacker.newPage(), shop(world))
  await attackerPage.frame.locator('html').evaluate(() => {
    window.open = (at) => {
      document.documentElement.dataset.lure = String(at)
      return null
    }
  })
  await attackerPage.begin('in', 'CONNECT_WINDOW', { email: someone('thief') })
  await attackerPage.frame.getByRole('button', { name: 'Continue in a window' }).click()
  const lure = `${keys}${await attackerPage.frame.locator('html').getAttribute('data-lure')}`
  expect(lure).toMatch(/\/continue#[\w-]{43}$/)

  // The victim uses a different browser and is signed in.
  const email = someone('flora')
  const victim = await openFramePageAt(page, shop(world))
  await logInByEmail(victim, email, () => codeFor(world, email))
  await page.context().route('http://evil.example/**', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/away') return route.fulfill({ status: 302, headers: { location: lure } })
    return route.fulfill({ contentType: 'text/html', body: `<a id="link" href="${lure}">Look</a>` })
  })
  const nothing = async (opened: Page): Promise<void> => {
    await expect(opened.getByText('There is nothing to do here.', { exact: false })).toBeVisible()
    await expect(opened.getByRole('button', { name: 'Connect' })).toHaveCount(0)
    await opened.close()
  }
  const led = async (how: (evil: Page) => Promise<unknown>): Promise<void> => {
    const evil = await page.context().newPage()
    await evil.goto('http://evil.example/')
    const opening = page.context().waitForEvent('page')
    await how(evil)
    await nothing(await opening)
    await evil.close()
  }
  await led((evil) => evil.evaluate((at) => void window.open(at, 'w'), lure))
  await led((evil) => evil.evaluate((at) => void window.open(at, '_blank', 'popup,noopener'), lure))
  await led((evil) => evil.evaluate(() => void window.open('http://evil.example/away', '_blank', 'noopener')))
  // The victim types the URL, follows a link, or is redirected.
  for (const how of ['typed', 'link', 'redirect']) {
    const opened = await page.context().newPage()
    if (how === 'typed') await opened.goto(lure)
    else await opened.goto(`http://evil.example/${how === 'redirect' ? 'away' : ''}`)
    if (how === 'link') await opened.locator('#link').click()
    await nothing(opened)
  }
  // The window cannot be opened in a frame.
  const framing = await page.context().newPage()
  await framing.goto(`http://shop.localhost:${world.port}/withoutSdk.html`)
  const blocked = framing.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await framing.evaluate((at) => {
    const frame = document.createElement('iframe')
    frame.src = at
    document.body.append(frame)
  }, lure)
  await blocked
  await framing.close()
  // The request is still waiting for its own window.
  expect(await attackerPage.page.evaluate(() => Promise.race([window.framePage.responses.in, 'waiting']))).toBe(
    'waiting',
  )
  await attacker.close()
})

test('even if third-party cookies are allowed, the keys stay in the window', async ({ world, playwright }) => {
  test.setTimeout(120_000)
  const { args = [] } = (test.info().project.use.launchOptions ?? {}) as { args?: string[] }
  const browser = await playwright.chromium.launch({
    executablePath: fullChromium,
    args: [...args, '--disable-features=TrackingProtection3pcd'],
  })
  const email = someone('gus')
  const framePage = await openFramePageAt(await browser.newPage(), shop(world))
  const { address } = await logInByEmail(framePage, email, () => codeFor(world, email))
  expect(await framePage.frame.locator('html').evaluate(() => indexedDB.databases())).toEqual([])
  const again = await openFramePageAt(framePage.page, shop(world))
  expect((await again.request('GET_USER', { chainId: 31337 })).payload.address).toBe(address)
  await browser.close()
})

test('if the browser blocks all cookies, the window reports this before a code is emailed', async ({
  world,
  playwright,
}) => {
  test.setTimeout(90_000)
  const { args = [] } = (test.info().project.use.launchOptions ?? {}) as { args?: string[] }
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-no-cookies-'))
  await mkdir(join(folder, 'Default'))
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(settings))
  const context = await playwright.chromium.launchPersistentContext(folder, {
    executablePath: fullChromium,
    args,
  })
  const email = someone('hal')
  const framePage = await openFramePageAt(await context.newPage(), {
    ...shop(world),
    pages: `http://pages.demo.localhost:${world.port}`,
  })
  await framePage.begin('in', 'CONNECT_WINDOW', { email })
  const opened = await openWindow(framePage)
  await expect(opened.getByText('This browser does not store your sign-in', { exact: false })).toBeVisible()
  expect(await mailsTo(world, email)).toEqual([])
  await context.close()
  await rm(folder, { recursive: true, force: true })
})
