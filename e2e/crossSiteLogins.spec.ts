import type { Page } from '@playwright/test'
import { hashMessage, recoverAddress, stringToHex } from 'viem'
import { approve, logInByEmail, openFrom, openWindow, pressToOpen, userOf } from './support/crossSiteWindow.ts'
import { accountButton, expect, test, type World } from './support/fixtures.ts'
import { approveIn, codeFor, type FramePage, openFramePageAt } from './support/framePage.ts'

// Social, Farcaster and passkey logins on a page whose site differs from that of the keys origin.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string) => `${name}-${Date.now()}@people.example`

// The browser logs failed responses, such as 401 when the user is not signed in and 422 for a declined login.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|404|422)/, /Unrecognized feature: 'bluetooth'/]) })
test.describe.configure({ timeout: 120_000 })

const openShop = (page: Page, world: World): Promise<FramePage> =>
  openFramePageAt(page, { pages: `http://shop.localhost:${world.port}`, codeFor: (email) => codeFor(world, email) })

const isConnected = async (framePage: FramePage): Promise<unknown> =>
  (await framePage.request('IS_CONNECTED')).payload.isConnected

/** Starts a login with `provider`. Resolves to the login window once it shows the provider's page. */
async function goTo(framePage: FramePage, provider: string): Promise<Page> {
  await framePage.begin('in', 'CONNECT_WINDOW', { provider })
  const opened = await pressToOpen(framePage.page, framePage.frame)
  await opened.waitForURL(({ hostname }) => hostname === 'login.demo.localhost')
  return opened
}

async function agree(opened: Page, email: string): Promise<void> {
  await opened.getByRole('textbox', { name: 'Email' }).fill(email)
  await opened.getByRole('button', { name: /^Continue to/ }).click()
}

async function sign(framePage: FramePage, address: string): Promise<void> {
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('hello'), address], ...local })
  await approveIn(await openWindow(framePage), 'Sign')
  const { payload: signature } = await framePage.response('sign')
  expect(await recoverAddress({ hash: hashMessage('hello'), signature })).toBe(address)
}

test('a provider selected in the modal opens in the frame’s window, and no extra window stays open', async ({
  page,
  world,
}) => {
  const email = someone('ada')
  const host = new URL(`http://shop.localhost:${world.port}/hostPage.html`)
  host.searchParams.set('frame', world.facts.keys)
  await page.goto(host.href)
  const status = page.getByLabel('Status')
  const frame = page.frameLocator('iframe')
  const dialog = page.getByRole('dialog')
  const press = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Connect', exact: false }).first().click()
    await dialog.getByRole('button', { name: 'Google' }).click()
  }
  // The frame is not loaded before the first click, so a popup opens as it does on same-site pages, and then closes itself.
  const opening = page.context().waitForEvent('page')
  await press()
  const popup = await opening
  if (!popup.isClosed()) await popup.waitForEvent('close')
  // Cancelling in the frame shows the login options again, without an error.
  await frame.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Google' })).toBeVisible()
  await expect(page.getByText('rejected', { exact: false })).toHaveCount(0)

  const windows: Page[] = []
  page.context().on('page', (opened) => windows.push(opened))
  await dialog.getByRole('button', { name: 'Google' }).click()
  const opened = await pressToOpen(page, frame)
  await agree(opened, email)
  await expect(opened.getByText(host.origin).first()).toBeVisible()
  await expect(opened.getByText(email)).toBeVisible()
  await expect(status).not.toContainText('connected 0x')
  await approve(opened, 'Connect')
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  // The frame was already loaded for this login, so only its own window opened, and no popup.
  expect(windows).toEqual([opened])
  const before = await status.textContent()
  expect(before).toContain('connected 0x')
  await page.reload()
  await expect(status).toHaveText(before ?? '')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approveIn(await openFrom(page, frame), 'Sign')
  await expect(page.getByLabel('Signature')).toHaveText(/^0x/)
})

for (const provider of ['google', 'apple', 'github'])
  test(`the window logs the user in with ${provider} and reports the provider to the page`, async ({ page, world }) => {
    const email = someone(provider)
    const framePage = await openShop(page, world)
    expect(await page.evaluate(() => window.framePage.ready)).toMatchObject({
      socials: expect.arrayContaining([provider]),
    })
    const opened = await goTo(framePage, provider)
    await agree(opened, email)
    await approve(opened, 'Connect')
    expect((await framePage.response('in')).payload).toEqual({ provider, userName: 'Ada' })
    const { address, email: userEmail } = await userOf(framePage)
    expect(userEmail).toBe(email)
    await sign(framePage, address)
    await framePage.request('SIGN_OUT')
    expect(await isConnected(framePage)).toBe(false)
  })

test('a user who declines at the provider or navigates back can try again or cancel', async ({ page, world }) => {
  const framePage = await openShop(page, world)
  const opened = await goTo(framePage, 'google')
  await opened.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(opened.getByText('You declined to sign in', { exact: false })).toBeVisible()
  const again = opened.getByRole('button', { name: 'Continue with Google' })
  await again.click()
  await opened.waitForURL(({ hostname }) => hostname === 'login.demo.localhost')
  await opened.goBack()
  await expect(again).toBeVisible()
  await opened.getByRole('button', { name: 'Cancel', exact: true }).click()
  expect((await framePage.response('in')).payload).toEqual({ message: 'User rejected the request.' })
  expect(await isConnected(framePage)).toBe(false)
})

test('a user who is already signed in can choose between that account and the provider', async ({ page, world }) => {
  const [mailed, social] = [someone('bea'), someone('bob')]
  const framePage = await openShop(page, world)
  await logInByEmail(framePage, mailed, () => codeFor(world, mailed))
  const choose = async (name: string): Promise<Page> => {
    await framePage.begin('in', 'CONNECT_WINDOW', { provider: 'google' })
    const opened = await openWindow(framePage)
    await expect(opened.getByText(`You are signed in as ${mailed}.`, { exact: false })).toBeVisible()
    await opened.getByRole('button', { name }).click()
    return opened
  }
  await approve(await choose(`Continue as ${mailed}`), 'Connect')
  // The response does not contain a provider, because none was used.
  expect((await framePage.response('in')).payload).toBeUndefined()
  expect((await userOf(framePage)).email).toBe(mailed)
  const opened = await choose('Continue with Google')
  await agree(opened, social)
  await approve(opened, 'Connect')
  expect((await framePage.response('in')).payload).toEqual({ provider: 'google', userName: 'Ada' })
  expect((await userOf(framePage)).email).toBe(social)
})

test('the window logs the user in with Farcaster', async ({ page, world }) => {
  const framePage = await openShop(page, world)
  await framePage.begin('in', 'CONNECT_WINDOW', { provider: 'farcaster' })
  const opened = await openWindow(framePage)
  await expect(opened.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const opening = page.context().waitForEvent('page')
  await opened.getByRole('link', { name: 'Open Farcaster' }).click()
  const app = await opening
  await agree(app, `fay${Date.now()}@people.example`)
  await expect(app.getByText('You are signed in.')).toBeVisible()
  await app.close()
  await opened.bringToFront()
  await approve(opened, 'Connect')
  expect((await framePage.response('in')).payload).toMatchObject({ provider: 'farcaster', userName: /^fay/ })
  await sign(framePage, (await userOf(framePage)).address)
})

test('a login does not connect the user if the page aborts it or reloads while the user is at the provider', async ({
  page,
  world,
}) => {
  const framePage = await openShop(page, world)
  const opened = await goTo(framePage, 'google')
  await framePage.request('RPC_ABORT')
  expect((await framePage.response('in')).type).toBe('@w3m-frame/CONNECT_WINDOW_ERROR')
  const closing = opened.waitForEvent('close')
  await agree(opened, someone('carl'))
  await closing
  expect(await isConnected(framePage)).toBe(false)

  await framePage.page.context().clearCookies()
  const left = await goTo(framePage, 'google')
  const again = await openShop(page, world)
  const leaving = left.waitForEvent('close')
  await agree(left, someone('cara'))
  await leaving
  expect(await isConnected(again)).toBe(false)
})

test('an attacker’s login result cannot sign a victim in to the attacker’s account', async ({
  page,
  world,
  browser,
}) => {
  const { keys } = world.facts
  // In the attacker's browser, the login completes at the provider, but the window never receives the result.
  const attacker = await browser.newContext()
  const attackerPage = await openShop(await attacker.newPage(), world)
  await attacker.route(`${keys}/vault/social/finish`, (route) => route.abort())
  const luring = attacker.waitForEvent('request', (request) => request.url().startsWith(`${keys}/continue?result_uri=`))
  await agree(await goTo(attackerPage, 'google'), someone('thief'))
  const lure = (await luring).url()

  // The victim opens the result's URL in a new tab, both before and during a login, and in the victim's own login window.
  const led = async (opened: Page): Promise<void> => {
    await opened.goto(lure)
    await expect(opened.getByText('There is nothing to do here.', { exact: false })).toBeVisible()
    await opened.close()
  }
  await led(await page.context().newPage())
  const framePage = await openShop(page, world)
  const opened = await goTo(framePage, 'google')
  await led(await page.context().newPage())
  await opened.goto(lure)
  await expect(opened.getByText('Could not sign in', { exact: false })).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Connect', exact: true })).toHaveCount(0)
  const me = await opened.evaluate(async () => (await fetch('/vault/me')).status)
  expect(me).toBe(401)
  await attacker.close()
})

/** A passkey as exported through the DevTools protocol. */
interface Passkey {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

/** Adds a virtual authenticator that contains the passkeys `known`. Resolves to a function that exports its passkeys. */
async function withAuthenticator(opened: Page, known: readonly Passkey[]): Promise<() => Promise<readonly Passkey[]>> {
  const cdp = await opened.context().newCDPSession(opened)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  })
  for (const credential of known) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  return async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}

test('a user who creates a passkey in the window can log in and sign, and later logs in to the same account with it', async ({
  page,
  world,
}) => {
  const framePage = await openShop(page, world)
  const enter = async (how: RegExp, known: readonly Passkey[] = []) => {
    await framePage.begin('in', 'CONNECT_WINDOW')
    const opened = await openWindow(framePage)
    const passkeys = await withAuthenticator(opened, known)
    await opened.getByRole('button', { name: 'Continue with a passkey' }).click()
    await opened.getByRole('button', { name: how }).click()
    await expect(opened.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
    const credentials = await passkeys()
    expect(credentials.map(({ rpId }) => rpId)).toEqual([new URL(world.facts.keys).hostname])
    await approve(opened, 'Connect')
    expect((await framePage.response('in')).type).toBe('@w3m-frame/CONNECT_WINDOW_SUCCESS')
    return credentials
  }
  const credentials = await enter(/Create a new passkey/)
  const { address, email } = await userOf(framePage)
  expect(email).toBeNull()
  await sign(framePage, address)
  await framePage.request('SIGN_OUT')
  expect(await isConnected(framePage)).toBe(false)
  await enter(/Use my passkey/, credentials)
  expect((await userOf(framePage)).address).toBe(address)
  await sign(framePage, address)
})
