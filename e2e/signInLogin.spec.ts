import type { Page } from '@playwright/test'
import { hashMessage, recoverAddress } from 'viem'
import { expect, test, type World } from './support/fixtures.ts'
import { approve, codeFor, type FramePage, openFramePage } from './support/framePage.ts'

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const placeholder = '<<AccountAddress>>'
const someone = (name: string): string => `${name}-${Date.now()}@bakery.example`

/** Returns the fields and the message text of a page's sign-in request. */
function signIn(origin: string, change: { domain?: string; uri?: string; statement?: string } = {}) {
  const fields = {
    domain: new URL(origin).host,
    uri: `${origin}/withoutSdk.html`,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    statement: 'Good morning.',
    ...change,
  }
  const issuedAt = new Date().toISOString()
  return {
    ...fields,
    accountAddress: placeholder,
    chainId: 'eip155:31337',
    version: '1',
    issuedAt,
    serializedMessage: `${fields.domain} wants you to sign in with your Ethereum account:\n${placeholder}\n\n${fields.statement}\n\nURI: ${fields.uri}\nVersion: 1\nChain ID: 31337\nNonce: ${fields.nonce}\nIssued At: ${issuedAt}`,
  }
}

/** Logs in by email over a port, as our SDK does, so that the page can request the account. */
async function openLogin(
  framePage: FramePage,
  email: string,
  codes: (email: string) => Promise<string>,
): Promise<void> {
  await framePage.page.evaluate(() => window.framePage.takePort())
  await framePage.request('CONNECT_EMAIL', { email })
  await framePage.request('CONNECT_OTP', { otp: await codes(email) })
}

test('a login that includes a sign-in needs a single approval, and a page without a port receives no signature', async ({
  page,
  pages,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  await openLogin(framePage, someone('ada'), (email) => codeFor(world, email))
  const siwxMessage = signIn(pages)
  await framePage.begin('in', 'GET_USER', { chainId: 31337, siwxMessage })
  await expect(framePage.frame.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(framePage.frame.getByText(pages).first()).toBeVisible()
  await approve(framePage.frame, 'Sign')
  const { payload: user } = await framePage.response('in')
  expect(user.message).toBe(siwxMessage.serializedMessage.replace(placeholder, user.address))
  expect(user.siwxMessage).toMatchObject({ nonce: siwxMessage.nonce, accountAddress: user.address })
  expect(await recoverAddress({ hash: hashMessage(user.message), signature: user.signature })).toBe(user.address)
  // No other request is pending, and the frame does not prompt for the same message again.
  await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  expect((await framePage.request('GET_USER', { chainId: 31337, siwxMessage })).payload).toEqual(user)

  // A page without a port does not show the frame for this request, so it only receives the account.
  const plain = await openFramePage(page, world)
  const { payload: signedIn } = await plain.request('GET_USER', { chainId: 31337, siwxMessage: signIn(pages) })
  expect(signedIn.address).toBe(user.address)
  expect([signedIn.signature, signedIn.message]).toEqual([undefined, undefined])
})

test('a user who declines the sign-in is still logged in', async ({ page, pages, world }) => {
  const framePage = await openFramePage(page, world)
  await openLogin(framePage, someone('bob'), (email) => codeFor(world, email))
  await framePage.begin('in', 'GET_USER', { chainId: 31337, siwxMessage: signIn(pages) })
  await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
  const { type, payload: user } = await framePage.response('in')
  expect(type).toBe('@w3m-frame/GET_USER_SUCCESS')
  expect(user.accounts[0].address).toBe(user.address)
  expect(user).not.toHaveProperty('signature')
})

test('a malicious page receives no signature for a different site, an injected line or a mismatched text', async ({
  page,
  pages,
  world,
}) => {
  const framePage = await openFramePage(page, world)
  await openLogin(framePage, someone('cleo'), (email) => codeFor(world, email))
  await framePage.begin('phish', 'GET_USER', {
    chainId: 31337,
    siwxMessage: signIn(pages, { domain: 'bank.example', uri: 'https://bank.example' }),
  })
  await expect(framePage.frame.getByRole('alert')).toContainText('bank.example')
  await expect(framePage.frame.getByRole('button', { name: 'Sign' })).toHaveCount(0)
  await framePage.frame.getByRole('button', { name: 'Close' }).click()
  expect((await framePage.response('phish')).payload).not.toHaveProperty('signature')

  const good = signIn(pages)
  for (const siwxMessage of [
    signIn(pages, { statement: 'Hi.\n\nURI: https://bank.example' }),
    { ...good, statement: 'Good morning.\nNonce: 12345678' },
    { ...good, nonce: 'somebodyelses123' },
    { ...good, serializedMessage: `${good.serializedMessage}\nResources:\n- https://bank.example/all` },
    { ...good, serializedMessage: `I, ${placeholder}, owe you 100.` },
  ]) {
    const { type, payload: user } = await framePage.request('GET_USER', { chainId: 31337, siwxMessage })
    expect([type, user.signature]).toEqual(['@w3m-frame/GET_USER_SUCCESS', undefined])
    await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  }
})

/** Records the page's requests to the frame. Resolves to a function that returns them, marked if they include a sign-in. */
async function watched(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const requests: string[] = []
    Object.assign(window, { requestsToFrame: requests })
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (message, ...rest: unknown[]) {
      const { type = '', payload } = (message ?? {}) as { type?: string; payload?: Record<string, unknown> }
      if (payload?.siwxMessage) requests.push(`${type} with a sign-in`)
      else if (/RPC_REQUEST|GET_USER/.test(type))
        requests.push(type === '@w3m-app/RPC_REQUEST' ? String(payload?.method) : type)
      postMessage.apply(this, [message, ...rest] as never)
    }
  })
  return () => page.evaluate(() => (window as unknown as { requestsToFrame: string[] }).requestsToFrame)
}

/** Logs in by email on a page that uses sign-in. Resolves when the frame prompts the user to sign in. */
async function logInOnHost(
  page: Page,
  {
    pages,
    world,
    type = 'eoa',
    signIn = 'required',
  }: { pages: string; world: World; type?: 'eoa' | 'smartAccount'; signIn?: 'required' | 'optional' },
): Promise<void> {
  const email = someone('host')
  const options = encodeURIComponent(JSON.stringify({ signIn, defaultAccountTypes: { eip155: type } }))
  const file = signIn === 'required' ? 'hostPage.html' : 'signIn.html'
  await page.goto(
    `${pages}/${file}?authentication=local&frame=${encodeURIComponent(world.facts.keys)}&options=${options}`,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: '6-digit code' })).toBeFocused({ timeout: 20_000 })
  await page.keyboard.type(await codeFor(world, email))
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 20_000 })
}

for (const type of ['eoa', 'smartAccount'] as const)
  test(`an email login on a page that requires sign-in needs a single approval: ${type}`, async ({
    page,
    pages,
    world,
  }) => {
    test.setTimeout(90_000)
    const readRequests = await watched(page)
    await logInOnHost(page, { pages, world, type })
    await approve(page.frameLocator('iframe'), 'Sign')
    await expect(page.getByLabel('Status')).toHaveText(/^connected 0x\w+ eip155:31337 ok$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const requests = await readRequests()
    expect(requests.filter((request) => request.endsWith('with a sign-in'))).toEqual([
      '@w3m-app/GET_USER with a sign-in',
    ])
    expect(requests).not.toContain('personal_sign')

    // The sign-in is stored, so the page does not request it again after a reload.
    await page.reload()
    await expect(page.getByLabel('Status')).toHaveText(/^connected 0x\w+ eip155:31337 ok$/, { timeout: 20_000 })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const again = await readRequests()
    expect(again).toContain('@w3m-app/GET_USER')
    expect(again.filter((request) => /sign/.test(request))).toEqual([])
  })

for (const [how, declines] of [
  [
    'declines in the frame',
    (page: Page) => page.frameLocator('iframe').getByRole('button', { name: 'Cancel' }).click(),
  ],
  ['closes the frame', (page: Page) => page.getByRole('button', { name: 'Cancel the request' }).click()],
] as const) {
  test(`a user who ${how} is connected, and the page then prompts them to sign in`, async ({ page, pages, world }) => {
    test.setTimeout(90_000)
    const readRequests = await watched(page)
    await logInOnHost(page, { pages, world })
    await declines(page)
    const dialog = page.getByRole('dialog').filter({ hasText: 'asks you to sign in' })
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await approve(page.frameLocator('iframe'), 'Sign')
    await expect(page.getByLabel('Status')).toHaveText(/^connected 0x\w+ eip155:31337 ok$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect((await readRequests()).filter((request) => /sign/.test(request))).toEqual([
      '@w3m-app/GET_USER with a sign-in',
      'personal_sign',
    ])
  })
}

test('a user who declines an optional sign-in twice stays logged in and can sign in later', async ({
  page,
  pages,
  world,
}) => {
  test.setTimeout(90_000)
  await logInOnHost(page, { pages, world, signIn: 'optional' })
  const frame = page.frameLocator('iframe')
  const dialog = page.getByRole('dialog')
  await frame.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText('This is optional', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Status')).toContainText('connected 0x')
  await expect(page.getByLabel('Sign-in')).toContainText('signed-out')

  await page.getByRole('button', { name: 'Members only' }).click()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await approve(frame, 'Sign')
  await expect(page.getByLabel('Sign-in')).toContainText('signed-in eip155:31337:0x')
  await expect(page.getByLabel('Answer')).toHaveText('done')
})
