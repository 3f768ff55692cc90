import { createHash, webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { violationsOn } from './support/axe.ts'
import { expect, test, type World } from './support/fixtures.ts'
import { codeFor, type FramePage, openFramePage, pressAsPerson, recoveryCode, textsOf } from './support/framePage.ts'

// One user with two browsers approves a new device, adds and removes keys, and logs in with only a passkey.

/** Returns an email address that no other test uses. */
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

// The browser logs a 401 response when the user is not signed in.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => use([/status of (401|404|409|422)/, /Unrecognized feature: 'bluetooth'/]),
})

/** Adds a virtual authenticator that approves every request and supports the PRF extension. */
async function withAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
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
}

/** Signs in by email in a second browser, which has no key for the wallet and therefore asks for one. */
async function arrive(page: Page, world: World, email: string): Promise<FramePage> {
  const framePage = await openFramePage(page, world)
  // The server limits how often it sends a code. Retry until it accepts the request.
  await expect
    .poll(async () => (await framePage.request('CONNECT_EMAIL', { email })).type, { timeout: 40_000 })
    .toContain('SUCCESS')
  await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })
  await framePage.begin('user', 'GET_USER', { chainId: 31337 })
  await expect(framePage.frame.getByRole('heading', { name: 'Open your wallet' })).toBeVisible()
  return framePage
}

/** Opens the wallet page at the keys origin in the same browser context as `page`. */
async function openOwn(page: Page, world: World, hash = ''): Promise<Page> {
  const own = await page.context().newPage()
  await own.goto(`http://keys.demo.localhost:${world.port}/wallet${hash}`)
  return own
}

/** Adds a passkey on the wallet page. Every device approval requires the passkey. */
async function addPasskey(own: Page): Promise<void> {
  await withAuthenticator(own)
  await own.getByRole('button', { name: 'Add a passkey or a recovery kit' }).click()
  await own.getByRole('button', { name: /^Passkey/ }).click()
  await own.getByRole('button', { name: 'Done' }).click()
}

/** Clicks a button whose action cannot be undone, then confirms the action. */
async function pressTwice(own: Page, name: string): Promise<void> {
  await pressAsPerson(own.getByRole('button', { name }))
  await pressAsPerson(own.getByRole('button', { name: 'Confirm', exact: true }))
}

/** Authenticates with a passkey and removes the key whose details are shown on the wallet page. */
async function removeKey(own: Page): Promise<void> {
  await own.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(own.getByText('Only you can remove a key', { exact: false })).toBeVisible()
  await own.getByRole('button', { name: /^Use a passkey/ }).click()
  await pressTwice(own, 'Remove permanently')
}

/** Confirms that the user made the request, authenticates, and waits for the sets of words to choose from. */
async function beginToLetIn(own: Page): Promise<void> {
  await pressAsPerson(own.getByRole('button', { name: 'Yes, it’s me' }))
  await expect(own.getByText('Only you can approve a device', { exact: false })).toBeVisible()
  await expect(own.getByRole('button', { name: /^Send a code to/ })).toHaveCount(0)
  await own.getByRole('button', { name: /^Use a passkey/ }).click()
  await expect(own.getByRole('heading', { name: 'Which words does the other device show?' })).toBeVisible()
}

/** Returns the words that the new device shows, joined into one line. */
const wordsOn = async (other: FramePage): Promise<string> =>
  (await textsOf(other.frame.getByRole('list', { name: 'Four words' }).getByRole('listitem'), 4)).join(' ')

/** Returns the sets of words to choose from, each joined into one line. */
const setsOn = async (own: Page): Promise<readonly string[]> =>
  (await textsOf(own.getByRole('list', { name: 'Sets of four words' }).getByRole('button'), 6)).map((text) =>
    text.trim(),
  )

/** Returns the list item for the device that requests access. */
const requestRow = (own: Page): Locator =>
  own.getByRole('list', { name: 'Wants to open this wallet' }).getByRole('button', { name: /^Chrome on Linux/ })

const readable = async (page: Page): Promise<void> => {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    expect(await violationsOn(page)).toEqual([])
  }
}

test('the first device approves a second one once the user authenticates and selects the matching words', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(90_000)
  const email = someone('nora')
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(email)

  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  await other.frame.getByRole('button', { name: /Use another device/ }).click()
  await expect(other.frame.getByText(`keys.demo.localhost:${world.port}/wallet`)).toBeVisible()
  await expect(other.frame.getByRole('img', { name: /QR code/ })).toBeVisible()

  const own = await openOwn(page, world)
  await addPasskey(own)
  await readable(own)
  await requestRow(own).click()
  await expect(own.getByRole('heading', { name: 'Approve a device' })).toBeVisible()
  // An emailed code is not enough for a new request, because anyone with access to the inbox can read the code.
  await expect(own.getByText(/^Until .* only your passkey or your recovery kit can approve this device/)).toBeVisible()
  await expect(other.frame.getByText(/^Until .* the other device needs your passkey/)).toBeVisible()
  await readable(own)
  await beginToLetIn(own)
  await readable(own)
  const expectedWords = await wordsOn(other)
  expect(await setsOn(own)).toContain(expectedWords)
  await pressAsPerson(own.getByRole('button', { name: expectedWords }))
  await pressAsPerson(other.frame.getByRole('button', { name: 'Yes, the words match' }))
  await expect(other.frame.getByText('Now approve on the other device.')).toBeVisible()
  await readable(own)
  await pressAsPerson(own.getByRole('button', { name: 'Approve device' }))
  await expect(own.getByText('Chrome on Linux can now open your wallet.')).toBeVisible()
  expect((await other.response('user')).payload.address).toBe(user.address)
  // After a reload, the second device opens the wallet with its own key.
  const again = await openFramePage(other.page, world)
  expect((await again.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await elsewhere.close()
})

test('if the server substitutes its own key, the devices show different words and the server receives nothing', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(90_000)
  const email = someone('omar')
  const framePage = await openFramePage(page, world)
  await framePage.logIn(email)
  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  const own = await openOwn(page, world)
  await addPasskey(own)

  // The server replaces the first device's public key with its own.
  const pair = await webcrypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const point = Buffer.from(await webcrypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
  await own.route('**/vault/transfers/*/offer', (route) =>
    route.continue({ postData: JSON.stringify({ value: point, openedWith: 'key' }) }),
  )
  await other.frame.getByRole('button', { name: /Use another device/ }).click()
  await requestRow(own).click()
  await beginToLetIn(own)
  expect(await setsOn(own)).not.toContain(await wordsOn(other))
  await own.getByRole('button', { name: 'None of these' }).click()
  await expect(own.getByText('Nothing was transferred.', { exact: false }).first()).toBeVisible()
  await pressAsPerson(other.frame.getByRole('button', { name: 'Yes, the words match' }))
  await expect(other.frame.getByRole('alert')).toContainText('declined')

  // The first device detects when the server changes the value that the new device committed to.
  await own.unroute('**/vault/transfers/*/offer')
  await own.getByRole('button', { name: 'Back' }).click()
  await own.evaluate(() => {
    const { fetch } = window
    window.fetch = async (...args) => {
      const answer = await fetch(...args)
      if (!String(args[0]).includes('/after/')) return answer
      const body = await answer.json()
      const reveal: unknown = body.transfer?.reveal
      if (typeof reveal === 'string')
        body.transfer.reveal = `${reveal.slice(0, 40)}${reveal[40] === 'B' ? 'C' : 'B'}${reveal.slice(41)}`
      return Response.json(body, { status: answer.status })
    }
  })
  await other.frame.getByRole('button', { name: 'Ask again' }).click()
  await requestRow(own).click()
  await pressAsPerson(own.getByRole('button', { name: 'Yes, it’s me' }))
  await own.getByRole('button', { name: /^Use a passkey/ }).click()
  await expect(own.getByRole('alert')).toContainText('The words do not match')
  await elsewhere.close()
})

test('the user sees a message and a next step if a request is declined, the page is closed or two devices ask at once', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(150_000)
  const email = someone('pia')
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(email)
  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  const own = await openOwn(page, world)
  await addPasskey(own)
  const ask = other.frame.getByRole('button', { name: /Use another device/ })
  await ask.click()
  await requestRow(own).click()
  await own.getByRole('button', { name: 'No, it’s not me' }).click()
  await expect(own.getByText('Chrome on Linux was not approved.')).toBeVisible()
  await expect(other.frame.getByRole('alert')).toContainText('The other device declined')
  await other.frame.getByRole('button', { name: 'Ask again' }).click()

  // If the page closes during an approval, the request is shown as handled elsewhere, and a new request works.
  await requestRow(own).click()
  await beginToLetIn(own)
  await expect(other.frame.getByRole('list', { name: 'Four words' })).toBeVisible()
  // Reuse the tab that has the virtual authenticator.
  const again = own
  await again.goto('about:blank')
  await again.goto(`http://keys.demo.localhost:${world.port}/wallet`)
  await requestRow(again).click()
  await expect(again.getByRole('alert')).toContainText('being handled on another device')
  await other.frame.getByRole('button', { name: 'Back' }).click()
  await again.getByRole('button', { name: 'Back' }).click()
  await expect(requestRow(again)).toHaveCount(0)

  const third = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
  })
  const phone = await arrive(await third.newPage(), world, email)
  await ask.click()
  await phone.frame.getByRole('button', { name: /Use another device/ }).click()
  await expect(again.getByRole('button', { name: /^Safari on iPhone .*\d:\d\d/ })).toBeVisible({ timeout: 15_000 })
  await expect(requestRow(again)).toBeVisible()
  await again.getByRole('button', { name: /^Safari on iPhone .*\d:\d\d/ }).click()
  await beginToLetIn(again)
  await pressAsPerson(again.getByRole('button', { name: await wordsOn(phone) }))
  await pressAsPerson(phone.frame.getByRole('button', { name: 'Yes, the words match' }))
  await pressAsPerson(again.getByRole('button', { name: 'Approve device' }))
  await expect(again.getByText('Safari on iPhone can now open your wallet.')).toBeVisible()
  expect((await phone.response('user')).payload.address).toBe(user.address)
  await third.close()
  await elsewhere.close()
})

/** Serves a third-party page with links, forms and redirects to `target`. */
async function gameAt(target: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === '/go') return response.writeHead(302, { location: target }).end()
    const links = `<a id="plain" href="${target}">1</a><a id="bare" target="_blank" rel="noopener noreferrer" href="${target}">2</a>
      <form id="form" target="_blank" action="${target}"><button>3</button></form>
      <form id="post" target="_blank" method="post" action="${target}"><button>4</button></form>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Game</title>${links}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://game.localhost:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

test('a window that was opened or navigated by a different page cannot approve a device', async ({
  page,
  world,
  browser,
  context,
}) => {
  test.setTimeout(150_000)
  const email = someone('rosa')
  const framePage = await openFramePage(page, world)
  await framePage.logIn(email)
  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  // The frame polls its transfer by ID. Read the ID from the URL, because the response body might no longer be available.
  const polled = other.page.waitForRequest(/\/vault\/transfers\/[^/]+\/./)
  await other.frame.getByRole('button', { name: /Use another device/ }).click()
  const id = /\/vault\/transfers\/([^/]+)\//.exec((await polled).url())?.[1]
  const target = `http://keys.demo.localhost:${world.port}/wallet#${id}`
  const game = await gameAt(target)

  /** Checks that the window explains why the request cannot be approved there, and that it has no approve button. */
  const mustBeClosed = async (own: Page, how: string): Promise<void> => {
    await expect(own.getByText('Another page opened this window', { exact: false }), how).toBeVisible()
    await expect(own.getByText(`keys.demo.localhost:${world.port}/wallet`, { exact: false }), how).toBeVisible()
    expect(await own.getByRole('button').allTextContents(), how).toEqual(['Back'])
    // Opening the request from the list makes no difference.
    await own.getByRole('button', { name: 'Back' }).click()
    await requestRow(own).click()
    await expect(own.getByText('Another page opened this window', { exact: false }), how).toBeVisible()
    await own.close()
  }
  const host = await context.newPage()
  const opened = async (act: () => Promise<unknown>): Promise<Page> => {
    const opening = context.waitForEvent('page')
    await act()
    return opening
  }
  for (const [how, act] of [
    ['a popup', () => host.evaluate((to) => void window.open(to, '_blank', 'popup,width=480,height=760'), target)],
    ['a tab', () => host.evaluate((to) => void window.open(to), target)],
    [
      'a tab without an opener',
      () => host.evaluate((to) => void window.open(to, '_blank', 'noopener,noreferrer'), target),
    ],
    ['a named window', () => host.evaluate((to) => void window.open(to, 'game'), target)],
    [
      'a window that is redirected later',
      () =>
        host.evaluate((to) => {
          const own = window.open('about:blank', '_blank', 'popup')
          if (own) own.location.href = to
        }, target),
    ],
    ['a redirect in a popup', () => host.evaluate((to) => void window.open(to, '_blank', 'popup'), `${game.url}go`)],
    ['a link without a referrer', () => host.locator('#bare').click()],
    ['a form', () => host.locator('#form button').click()],
  ] as const) {
    await host.goto(game.url)
    await mustBeClosed(await opened(act), how)
  }
  // A window that a same-site or same-origin page opened cannot approve the request either.
  await host.goto(`http://pages.demo.localhost:${world.port}/withoutSdk.html`)
  await mustBeClosed(
    await opened(() => host.evaluate((to) => void window.open(to, '_blank', 'noopener'), target)),
    'a page of the same site',
  )
  await host.goto(`http://keys.demo.localhost:${world.port}/recovery.html`).catch(() => undefined)
  await host.goto(`http://keys.demo.localhost:${world.port}/wallet`)
  await mustBeClosed(
    await opened(() => host.evaluate((to) => void window.open(to, '_blank'), target)),
    'a window of the same origin',
  )
  // The same applies to a link in the same tab, and to going back after the user opened the page directly.
  await host.goto(game.url)
  await host.locator('#plain').click()
  await expect(host.getByText('Another page opened this window', { exact: false })).toBeVisible()
  await host.goto('about:blank')
  await host.goto(target)
  await expect(host.getByRole('button', { name: 'Yes, it’s me' })).toBeVisible()
  await host.goto(game.url)
  await host.evaluate(() => history.back())
  await expect(host.getByRole('heading', { name: 'Security and recovery' })).toBeVisible()
  await requestRow(host).click()
  await expect(host.getByText('Another page opened this window', { exact: false })).toBeVisible()
  await host.reload()
  await requestRow(host).click()
  await expect(host.getByText('Another page opened this window', { exact: false })).toBeVisible()
  await host.close()

  // The user can approve the device after typing the address or scanning the code.
  const typed = await openOwn(page, world, `#${id}`)
  await expect(typed.getByRole('button', { name: 'Yes, it’s me' })).toBeVisible()
  await game.close()
  await elsewhere.close()
})

test('rhythmic clicks, held keys, drags and touches at one position never approve a device', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(150_000)
  const email = someone('sven')
  const framePage = await openFramePage(page, world)
  await framePage.logIn(email)
  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  await other.frame.getByRole('button', { name: /Use another device/ }).click()
  await expect(other.frame.getByText('Waiting for the other device', { exact: false })).toBeVisible()
  const own = await openOwn(page, world)
  await own.setViewportSize({ width: 480, height: 760 })
  await addPasskey(own)
  await requestRow(own).click()
  const yes = own.getByRole('button', { name: 'Yes, it’s me' })
  const box = await yes.boundingBox()
  if (!box) throw new Error('The button was not found.')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }

  let answers = 0
  own.on('request', (request) => {
    if (/\/vault\/transfers\/[^/]+\/(offer|sealed)$/.test(request.url())) answers += 1
  })
  // The pointer stays in place while the screens change.
  await own.mouse.move(at.x, at.y)
  for (let press = 0; press < 16; press += 1) {
    await own.mouse.down()
    await own.mouse.up()
    await own.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  }
  const touching = await own.context().newCDPSession(own)
  for (let press = 0; press < 12; press += 1) {
    await touching.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await touching.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await own.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  }
  for (const key of ['Enter', ' ']) {
    await yes.focus().catch(() => undefined)
    for (let press = 0; press < 20; press += 1) {
      await own.keyboard.down(key)
      await own.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    }
    await own.keyboard.up(key)
  }
  await own.mouse.move(20, 20)
  await own.mouse.down()
  await own.mouse.move(at.x, at.y, { steps: 5 })
  await own.mouse.up()
  expect(answers).toBe(0)
  await expect(other.frame.getByText('Waiting for the other device', { exact: false })).toBeVisible()
  await elsewhere.close()
})

test('selecting the wrong words ends the request, and the next request requires authentication again', async ({
  page,
  world,
  browser,
}) => {
  test.setTimeout(150_000)
  const email = someone('toni')
  const framePage = await openFramePage(page, world)
  await framePage.logIn(email)
  const elsewhere = await browser.newContext()
  const other = await arrive(await elsewhere.newPage(), world, email)
  const own = await openOwn(page, world)
  await addPasskey(own)
  await other.frame.getByRole('button', { name: /Use another device/ }).click()
  await requestRow(own).click()
  await beginToLetIn(own)
  const right = await wordsOn(other)
  const wrong = (await setsOn(own)).find((words) => words !== right) ?? ''
  await pressAsPerson(own.getByRole('button', { name: wrong }))
  await expect(own.getByRole('alert')).toContainText('not the words on the other device')
  await pressAsPerson(other.frame.getByRole('button', { name: 'Yes, the words match' }))
  await expect(other.frame.getByRole('alert')).toContainText('The other device declined')
  await own.getByRole('button', { name: 'Back' }).click()
  await expect(requestRow(own)).toHaveCount(0)

  await other.frame.getByRole('button', { name: 'Ask again' }).click()
  await requestRow(own).click()
  await pressAsPerson(own.getByRole('button', { name: 'Yes, it’s me' }))
  await expect(own.getByText('Only you can approve a device', { exact: false })).toBeVisible()
  await elsewhere.close()
})

test('a passkey alone creates a wallet and opens it again after this device’s key is removed', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000)
  await withAuthenticator(page)
  await page.goto(world.facts.demo)
  const frame = page.frameLocator('iframe')
  const account = page.getByRole('button', { name: /^Account / })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await dialog.getByRole('button', { name: 'Continue with a passkey' }).click()
  // Cancelling shows the other login options again.
  await frame.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('textbox', { name: /mail/i })).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue with a passkey' }).click()
  await frame.getByRole('button', { name: /Create a new passkey/ }).click()
  await expect(account).toBeVisible({ timeout: 20_000 })
  const address = (await account.getAttribute('aria-label'))?.match(/0x\S+?…\w+/)?.[0] ?? 'no address'

  // No warning is shown, because the passkey and this device are two different keys.
  await account.click()
  await dialog.getByRole('button', { name: 'Receive' }).click()
  await expect(dialog.getByText('One key opens this wallet')).toBeHidden()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Settings' }).click()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: /Security and recovery/ }).click()
  const opened = await opening
  expect(await opened.evaluate(() => window.opener)).toBe(null)
  // Keys cannot be removed in this window, because another page opened it.
  await opened.getByRole('button', { name: /^Chrome on Linux .*This device/ }).click()
  await expect(opened.getByText('Another page opened this window', { exact: false })).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await opened.getByRole('button', { name: 'Back' }).click()
  await opened.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(opened.getByText('Another page opened this window', { exact: false })).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Sign out everywhere' })).toHaveCount(0)
  await opened.close()
  // Reuse the tab that has the virtual authenticator.
  await page.goto(`http://keys.demo.localhost:${world.port}/wallet`)
  await page.getByRole('button', { name: /^Chrome on Linux .*This device/ }).click()
  await removeKey(page)
  await expect(page.getByText('This device was removed.')).toBeVisible()

  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await dialog.getByRole('button', { name: 'Continue with a passkey' }).click()
  await frame.getByRole('button', { name: /Use my passkey/ }).click()
  await expect(account).toBeVisible({ timeout: 20_000 })
  expect(await account.getAttribute('aria-label')).toContain(address)
})

test('the wallet page manages keys but never removes the last one, shows the words only after authentication, and keeps a log', async ({
  page,
  world,
  context,
}) => {
  test.setTimeout(150_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const email = someone('quin')
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(email)
  const own = await openOwn(page, world)
  await withAuthenticator(own)
  await expect(own.getByText('Only one key opens this wallet.', { exact: false })).toBeVisible()
  await own.getByRole('button', { name: /^Chrome on Linux .*This device/ }).click()
  await expect(own.getByText('This is the only key that opens your wallet', { exact: false })).toBeVisible()
  await expect(own.getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await readable(own)
  await own.getByRole('button', { name: 'Back' }).click()

  await own.getByRole('button', { name: 'Add a passkey or a recovery kit' }).click()
  await readable(own)
  await own.getByRole('button', { name: /^Passkey/ }).click()
  await own.getByRole('button', { name: 'Done' }).click()
  await own.getByRole('button', { name: 'Add a passkey or a recovery kit' }).click()
  await own.getByRole('button', { name: /^Recovery kit/ }).click()
  const groups = await recoveryCode(own)
  await own.getByLabel(/Type the last group/).fill(groups[7] ?? '')
  await own.getByRole('button', { name: 'I have saved it' }).click()
  await own.getByRole('button', { name: 'Done' }).click()
  await expect(own.getByRole('button', { name: /^Recovery kit Added/ })).toBeVisible()
  await expect(own.getByText('Only one key opens this wallet.', { exact: false })).toBeHidden()
  await readable(own)
  const saving = own.waitForEvent('download')
  await own.getByRole('link', { name: 'Save the recovery page' }).click()
  expect((await saving).suggestedFilename()).toBe('recovery.html')

  // The words require authentication and a confirmation. They are not copied automatically, and are hidden when the page
  // loses focus.
  await own.getByRole('button', { name: /^Recovery words/ }).click()
  await readable(own)
  await own.getByRole('button', { name: /^Use a passkey/ }).click()
  await expect(own.getByText('Anyone who has these words owns the wallet')).toBeVisible()
  const show = own.getByRole('button', { name: 'Show the words' })
  await expect(show).toHaveAttribute('aria-disabled', 'true')
  await own.getByLabel('Nobody can see my screen', { exact: false }).check()
  await readable(own)
  await pressAsPerson(show)
  const list = own.getByRole('list', { name: 'Recovery words' })
  const words = await textsOf(list.getByRole('listitem'), 24)
  const { mnemonicToAccount } = await import('viem/accounts')
  expect(mnemonicToAccount(words.join(' ')).address).toBe(user.address)
  await readable(own)
  expect(await own.evaluate(() => navigator.clipboard.readText())).not.toContain(words.join(' '))
  await own.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(list).toHaveCount(0)
  await own.getByRole('button', { name: 'Show again' }).click()
  await own.getByRole('button', { name: 'Copy the words' }).click()
  await expect(own.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await own.evaluate(() => navigator.clipboard.readText())).toBe(words.join(' '))
  await own.getByRole('button', { name: 'Done' }).click()

  await own.getByRole('button', { name: /^Passkey · Chrome on Linux/ }).click()
  await removeKey(own)
  await expect(own.getByText('Passkey · Chrome on Linux was removed.')).toBeVisible()

  await own.getByRole('button', { name: 'Activity' }).click()
  for (const sentence of [
    'The account was created',
    'Signed in by email',
    'The wallet was created',
    '“Chrome on Linux” was added as a key',
    'Passkey added: “Chrome on Linux”',
    'Passkey removed: “Chrome on Linux”',
  ])
    await expect(own.getByText(sentence, { exact: true })).toHaveCount(1)
  await expect(own.getByText(/\d:\d\d.* · Chrome on Linux/).first()).toBeVisible()
  await readable(own)
  await own.getByRole('button', { name: 'Back' }).click()

  await own.getByRole('button', { name: 'Sign out everywhere' }).click()
  await pressTwice(own, 'Sign out everywhere')
  await expect(own.getByText('You are signed out on every device.', { exact: false })).toBeVisible()
  await readable(own)
  expect(await framePage.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})

test('a removed device can no longer open the wallet and explains why', async ({ page, world, browser }) => {
  test.setTimeout(120_000)
  const email = someone('rosa')
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(email)
  const elsewhere = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
  })
  const phone = await arrive(await elsewhere.newPage(), world, email)
  await phone.frame.getByRole('button', { name: /Use another device/ }).click()
  const own = await openOwn(page, world)
  await addPasskey(own)
  await own.getByRole('button', { name: /^Safari on iPhone/ }).click()
  await beginToLetIn(own)
  await pressAsPerson(own.getByRole('button', { name: await wordsOn(phone) }))
  await pressAsPerson(phone.frame.getByRole('button', { name: 'Yes, the words match' }))
  await pressAsPerson(own.getByRole('button', { name: 'Approve device' }))
  expect((await phone.response('user')).payload.address).toBe(user.address)

  const row = own.getByRole('button', { name: /^Safari on iPhone Last used/ })
  // The new device creates its own key, and the wallet page polls for the key.
  await expect(row).toBeVisible({ timeout: 20_000 })
  await row.click()
  await removeKey(own)
  await expect(own.getByText('Safari on iPhone was removed.')).toBeVisible()
  expect(await phone.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  const again = await arrive(phone.page, world, email)
  await expect(again.frame.getByText('This device was removed from your account.', { exact: false })).toBeVisible()
  await elsewhere.close()
})

test('if the browser cannot store data, the first login reports this and starts with a recovery kit', async ({
  page,
  world,
}) => {
  test.setTimeout(90_000)
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  })
  const framePage = await openFramePage(page, world)
  const email = someone('sven')
  await framePage.request('CONNECT_EMAIL', { email })
  await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })
  await framePage.begin('user', 'GET_USER', { chainId: 31337 })
  await expect(
    framePage.frame.getByText('This browser does not store data for the wallet here', { exact: false }),
  ).toBeVisible()
  await framePage.frame.getByRole('button', { name: /Recovery kit/ }).click()
  const groups = await recoveryCode(framePage.frame)
  await framePage.frame.getByLabel(/Type the last group/).fill(groups[7] ?? '')
  await framePage.frame.getByRole('button', { name: 'I have saved it' }).click()
  await framePage.frame.getByRole('button', { name: 'Done' }).click()
  const { payload: user } = await framePage.response('user')
  expect(user).toMatchObject({ email, protection: 'single' })

  const again = await openFramePage(page, world)
  await again.begin('user', 'GET_USER', { chainId: 31337 })
  await expect(again.frame.getByText('This browser does not store data', { exact: false })).toBeVisible()
  await again.frame.getByLabel('Recovery code').fill(groups.join(' '))
  await again.frame.getByRole('button', { name: 'Open', exact: true }).click()
  expect((await again.response('user')).payload.address).toBe(user.address)
})

test('the wallet page cannot be framed, and prompts the user to sign in if necessary', async ({ page, world }) => {
  const url = `http://keys.demo.localhost:${world.port}/wallet`
  for (const path of ['', '.html']) {
    const answer = await page.goto(`${url}${path}`)
    expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  }
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await readable(page)
  const email = someone('tess')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('6-digit code').fill('000000')
  await expect(page.getByText('That code is not correct')).toBeVisible()
  await page.getByLabel('6-digit code').fill(await codeFor(world, email))
  await expect(page.getByRole('heading', { name: 'Security and recovery' })).toBeVisible()
})

test('if a frame cannot create passkeys, a click opens a page at the keys origin that creates the passkey', async ({
  page,
  world,
}) => {
  test.setTimeout(90_000)
  // As in Safari, the frame cannot detect whether it is allowed to create passkeys.
  await page.addInitScript(() => Object.defineProperty(document, 'featurePolicy', { value: undefined }))
  const framePage = await openFramePage(page, world)
  await framePage.begin('in', 'CONNECT_PASSKEY')
  const opening = page.waitForEvent('popup')
  await framePage.frame.getByRole('button', { name: /Create a new passkey/ }).click()
  const popup = await opening
  await withAuthenticator(popup)
  await expect(framePage.frame.getByText('Continue in the window that just opened.', { exact: false })).toBeVisible()
  const closing = popup.waitForEvent('close')
  await popup.getByRole('button', { name: /Create a new passkey/ }).click()
  await closing
  expect((await framePage.response('in')).type).toBe('@w3m-frame/CONNECT_PASSKEY_SUCCESS')
  const { payload: user } = await framePage.request('GET_USER', { chainId: 31337 })
  expect(user).toMatchObject({ email: null, protection: 'protected' })
})
