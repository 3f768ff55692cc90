import type { Locator, Page } from '@playwright/test'
import { accountButton, disconnect, expect, test } from './support/fixtures.ts'
import { codeFor, mailsTo, openFramePage } from './support/framePage.ts'
import { scan } from './support/readQrCode.ts'

// Covers every way to log in to and out of the embedded wallet through the demo’s modal, with the real frame and server.

// The browser logs failed responses: 401 when the user is not signed in, 422 for a wrong code, and 410 for an expired link.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|410|422)/, /Unrecognized feature: 'bluetooth'/]) })

const someone = (name: string, domain = 'people.example') => `${name}-${Date.now().toString(36)}@${domain}`

/** Opens the modal in the demo. Resolves to the modal. */
async function openConnect(page: Page, demo: string): Promise<Locator> {
  await page.goto(demo)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  return page.getByRole('dialog')
}

/** Logs in by email in the open modal. Resolves to the account button. */
async function logIn(page: Page, email: string, code: () => Promise<string>): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await code())
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  await expect(dialog).toBeHidden()
  return accountButton(page)
}

const addressOf = async (account: Locator): Promise<string> =>
  (await account.getAttribute('aria-label'))?.match(/0x\S+?…\w+/)?.[0] ?? 'no address'

/** Opens the account view, and disconnects. */
async function openAndDisconnect(page: Page): Promise<void> {
  await accountButton(page).click()
  await disconnect(page)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
}

/** Selects a provider in the Connect view, opening the full list if necessary. */
async function choose(dialog: Locator, provider: string): Promise<void> {
  const button = dialog.getByRole('button', { name: `Continue with ${provider}` })
  if (!['Google', 'Apple', 'X', 'Discord'].includes(provider))
    await dialog.getByRole('button', { name: 'More ways to log in' }).click()
  await button.click()
}

/** Resolves to the popup that `press` opens. */
async function popupOf(page: Page, press: () => Promise<void>): Promise<Page> {
  const opens = page.waitForEvent('popup')
  await press()
  return opens
}

/** Approves the login on the provider's page and waits for the popup to close. */
async function agree(popup: Page, email: string): Promise<void> {
  await popup.getByRole('textbox', { name: 'Email' }).fill(email)
  const closes = popup.waitForEvent('close')
  await popup.getByRole('button', { name: /^Continue to/ }).click()
  await closes
}

test.describe('Farcaster', () => {
  test('the page continues automatically once a phone scans the code and approves the login [R1.4]', async ({
    page,
    world,
    browser,
  }) => {
    test.setTimeout(60_000)
    const dialog = await openConnect(page, world.facts.demo)
    await choose(dialog, 'Farcaster')
    const code = dialog.getByRole('img', { name: /^QR code/ })
    await expect(code).toBeVisible({ timeout: 20_000 })
    let url = ''
    await expect(async () => {
      url = await scan(page)
    }).toPass({ timeout: 8_000 })
    expect(url).toContain('/~/siwf?channelToken=')

    const phone = await browser.newPage()
    await phone.goto(url)
    await phone.getByRole('textbox', { name: 'Email' }).fill('fred@people.example')
    await phone.getByRole('button', { name: /^Continue to/ }).click()
    await expect(phone.getByText('You are signed in.')).toBeVisible()
    await phone.goto(url)
    await expect(phone.getByText('This link has expired or has already been used.')).toBeVisible()
    await phone.close()

    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
    const address = await addressOf(accountButton(page))
    await page.reload()
    await expect(accountButton(page)).toHaveAccessibleName(new RegExp(address))
  })

  test('going back and logging in by email works while the earlier link is still pending [R1.4]', async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    const dialog = await openConnect(page, world.facts.demo)
    await choose(dialog, 'Farcaster')
    await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible({ timeout: 20_000 })
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByRole('button', { name: 'Back' }).click()
    const email = someone('back')
    await logIn(page, email, () => codeFor(world, email))
  })
})

for (const [provider, what] of [
  ['Apple', 'an OpenID provider with response_mode=form_post'],
  ['Facebook', 'a mock of its published endpoints'],
  ['X', 'a mock of its published endpoints'],
  ['Discord', 'a mock of its published endpoints'],
] as const) {
  test(`a user logs in with ${provider} (${what}) and gets the same wallet on the next login [R1.3]`, async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    const email = someone(provider.toLowerCase())
    const dialog = await openConnect(page, world.facts.demo)
    await agree(await popupOf(page, () => choose(dialog, provider)), email)
    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
    const address = await addressOf(accountButton(page))
    await openAndDisconnect(page)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await agree(await popupOf(page, () => choose(dialog, provider)), email)
    await expect(accountButton(page)).toHaveAccessibleName(new RegExp(address), { timeout: 20_000 })
  })
}

test.describe('when a user logs in at a provider', () => {
  test('a user who closes the provider’s window can cancel and choose again [R1.3]', async ({ page, world }) => {
    test.setTimeout(60_000)
    const dialog = await openConnect(page, world.facts.demo)
    const popup = await popupOf(page, () => choose(dialog, 'Google'))
    await expect(popup.getByRole('textbox', { name: 'Email' })).toBeVisible({ timeout: 20_000 })
    await popup.close()
    await expect(dialog.getByText('Continue in the window that just opened.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await agree(await popupOf(page, () => choose(dialog, 'Google')), someone('again'))
    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  })

  test('a user who declines at the provider sees a message and can try again [R1.3]', async ({ page, world }) => {
    test.setTimeout(60_000)
    const dialog = await openConnect(page, world.facts.demo)
    const popup = await popupOf(page, () => choose(dialog, 'GitHub'))
    const closes = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await closes
    await expect(dialog.getByText('Could not log in with GitHub')).toBeVisible()
    await expect(dialog.getByRole('paragraph').filter({ hasText: 'You declined the login.' })).toBeVisible()
    const again = () => dialog.getByRole('button', { name: 'Try again' }).click()
    await agree(await popupOf(page, again), someone('second-thoughts'))
    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  })

  test('two accounts at the same provider have different wallets and keep them on the next login [R1.3]', async ({
    page,
    world,
  }) => {
    test.setTimeout(90_000)
    const [first, second] = [someone('one'), someone('two')]
    const dialog = await openConnect(page, world.facts.demo)
    const addresses: string[] = []
    for (const email of [first, second, first]) {
      if (addresses.length > 0) await page.getByRole('button', { name: 'Connect wallet' }).click()
      await agree(await popupOf(page, () => choose(dialog, 'X')), email)
      await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
      addresses.push(await addressOf(accountButton(page)))
      await openAndDisconnect(page)
    }
    expect(addresses[1]).not.toBe(addresses[0])
    expect(addresses[2]).toBe(addresses[0])
  })
})

/** Approves the login at the provider in the same window, which then redirects back. */
async function agreeHere(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/\/login\./)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: /^Continue to/ }).click()
}

test.describe('if a popup cannot return its result to the page', () => {
  for (const { where, set } of [
    {
      where: 'in another app’s browser',
      set: (page: Page) =>
        page.addInitScript(() => {
          const instagram =
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 350.0'
          Object.defineProperty(navigator, 'userAgent', { get: () => instagram })
        }),
    },
    {
      where: 'in an installed web app',
      set: (page: Page) =>
        page.addInitScript(() => {
          const real = window.matchMedia.bind(window)
          window.matchMedia = (query) =>
            query === '(display-mode: standalone)' ? { ...real(query), matches: true } : real(query)
        }),
    },
    {
      where: 'in Telegram',
      set: (page: Page) => page.addInitScript(() => Object.assign(window, { TelegramWebviewProxy: {} })),
    },
  ]) {
    test(`${where}, the page redirects to the provider, and the user is logged in on return [R1.3]`, async ({
      page,
      world,
    }) => {
      test.setTimeout(60_000)
      await set(page)
      const dialog = await openConnect(page, `${world.facts.demo}/order?table=7#top`)
      page.on('popup', () => expect('a popup').toBe('none'))
      await choose(dialog, 'X')
      await agreeHere(page, someone('whole'))
      await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
      await expect(dialog).toBeHidden()
      expect(page.url()).toBe(`${world.facts.demo}/order?table=7#top`)
      const address = await addressOf(accountButton(page))
      await page.reload()
      await expect(accountButton(page)).toHaveAccessibleName(new RegExp(address))
    })
  }

  test('if the browser blocks the popup, the user can log in or decline in the same window [R1.3]', async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    await page.addInitScript(() => {
      const real = window.open.bind(window)
      window.open = (url, target, ...more) => (target === '_top' ? real(url, target, ...more) : null)
    })
    const dialog = await openConnect(page, world.facts.demo)
    await choose(dialog, 'Google')
    // Match the paragraph in the view, because a toast shows the same message.
    await expect(dialog.getByRole('paragraph').filter({ hasText: 'The browser blocked the window.' })).toBeVisible({
      timeout: 20_000,
    })
    await dialog.getByRole('button', { name: 'Continue in this window' }).click()
    await page.waitForURL(/\/\/login\./)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog.getByRole('paragraph').filter({ hasText: 'You declined the login.' })).toBeVisible({
      timeout: 20_000,
    })
    await dialog.getByRole('button', { name: 'Back' }).click()
    await choose(dialog, 'Google')
    await dialog.getByRole('button', { name: 'Continue in this window' }).click()
    await agreeHere(page, someone('unblocked'))
    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  })

  test('the page ignores a login result that it did not request [R1.3]', async ({ page, world }) => {
    const done = `${world.facts.keys}/vault/social/done?ticket=stolen`
    await page.goto(`${world.facts.demo}/?result_uri=${encodeURIComponent(done)}`)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await expect(page.getByRole('dialog').getByRole('textbox', { name: /mail/i })).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
  })
})

test.describe('a browser that must be approved', () => {
  const careful = (name: string) => someone(name, 'careful.example')
  const linkFor = async (world: Parameters<typeof mailsTo>[0], email: string): Promise<string> => {
    const [newest] = await mailsTo(world, email)
    return newest?.text.match(/https?:\S+\/vault\/approve\S+/)?.[0] ?? 'no link'
  }

  test('can be approved with the emailed link on any device, after which a code is sent and the page continues [R4.4]', async ({
    page,
    world,
    browser,
  }) => {
    test.setTimeout(60_000)
    const email = careful('vera')
    const dialog = await openConnect(page, world.facts.demo)
    await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('heading', { name: 'Approve this browser' })).toBeVisible({ timeout: 20_000 })
    const link = await linkFor(world, email)

    const phone = await browser.newPage()
    await phone.goto(link)
    await expect(phone.getByText(email)).toBeVisible()
    // Opening the link must not approve anything, because mail scanners open links.
    await expect(dialog.getByRole('heading', { name: 'Approve this browser' })).toBeVisible()
    await phone.getByRole('button', { name: 'Approve' }).click()
    await expect(phone.getByRole('heading', { name: 'Browser approved' })).toBeVisible()

    await expect(dialog.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const twice = await phone.goto(link)
    expect(twice?.status()).toBe(200)
    await phone.close()
    await page.keyboard.type(await codeFor(world, email))
    await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
    const address = await addressOf(accountButton(page))

    // A browser that is already approved for the account receives a code immediately.
    await openAndDisconnect(page)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await logIn(page, email, () => codeFor(world, email))
    expect(await addressOf(accountButton(page))).toBe(address)
  })

  test('the page polls every 30 seconds until the link expires, then returns to the login form [R9.1] [R4.4]', async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    const email = careful('slow')
    await page.clock.install()
    const dialog = await openConnect(page, world.facts.demo)
    await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
    await page.keyboard.press('Enter')
    const heading = dialog.getByRole('heading', { name: 'Approve this browser' })
    await expect(heading).toBeVisible({ timeout: 20_000 })
    await expect(dialog.getByRole('button', { name: /^Send a new link in/ })).toBeVisible()
    await page.clock.runFor(31_000)
    // The user can request a new email, and the page has polled again without showing an error.
    await expect(dialog.getByRole('button', { name: 'Send a new link' })).toBeVisible()
    await expect(heading).toBeVisible()
    for (let minutes = 0; minutes < 9; minutes += 1) await page.clock.runFor(60_000)
    await expect(heading).toBeVisible()
    await page.clock.runFor(60_000)
    await expect(dialog.getByRole('textbox', { name: /mail/i })).toBeVisible()
  })
})

test.describe('changing the email address', () => {
  test('requires codes from both addresses, rejects wrong codes, and keeps the wallet [R4.5]', async ({
    page,
    world,
  }) => {
    test.setTimeout(90_000)
    const [old, next] = [someone('old'), someone('new')]
    const dialog = await openConnect(page, world.facts.demo)
    const address = await addressOf(await logIn(page, old, () => codeFor(world, old)))

    await accountButton(page).click()
    await dialog.getByRole('button', { name: 'Settings' }).click()
    await dialog.getByRole('button', { name: /^Email/ }).click()
    const field = dialog.getByRole('textbox', { name: 'Email address' })
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await field.fill(next)
    await page.keyboard.press('Enter')

    await expect(dialog.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
    await expect(dialog.getByText(old)).toBeVisible()
    const code = dialog.getByRole('textbox', { name: '6-digit code' })
    await expect(code).toBeFocused()
    const first = await codeFor(world, old)
    await page.keyboard.type(wrong(first))
    await expect(dialog.getByRole('alert')).toContainText('That code is incorrect.')
    await page.keyboard.type(first)

    await expect(dialog.getByRole('heading', { name: 'Confirm new address' })).toBeVisible()
    await expect(dialog.getByText(next)).toBeVisible()
    await expect(code).toBeFocused()
    const second = await codeFor(world, next)
    await page.keyboard.type(wrong(second))
    await expect(dialog.getByRole('alert')).toContainText('That code is incorrect.')
    await page.keyboard.type(second)
    await expect(dialog.getByRole('heading', { name: 'Account settings' })).toBeVisible()
    await expect(dialog.getByText(next)).toBeVisible()
    expect((await mailsTo(world, old))[0]?.subject).toBe('Your email address was changed')

    await page.keyboard.press('Escape')
    await openAndDisconnect(page)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await logIn(page, next, () => codeFor(world, next))
    expect(await addressOf(accountButton(page))).toBe(address)
  })
})

const wrong = (code: string): string => (code === '000000' ? '111111' : '000000')

/** Returns the keys of the values that the page stores about the user. */
const stored = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => /EMAIL|USED_CHAIN|USERNAME|connected/.test(key))
      .filter((key) => !key.endsWith('LAST_EMAIL_LOGIN_TIME')),
  )

test.describe('signing out and back in', () => {
  test('signing out ends the session on the server and removes the user’s data from the page [R4.2]', async ({
    page,
    world,
    context,
  }) => {
    test.setTimeout(60_000)
    const email = someone('leaves')
    await openConnect(page, world.facts.demo)
    await logIn(page, email, () => codeFor(world, email))
    expect(await stored(page)).toContain('@appkit-wallet/EMAIL_LOGIN_USED_KEY')
    const cookies = await context.cookies(world.facts.keys)
    const entries = await page.evaluate(() => Object.entries(localStorage))
    await openAndDisconnect(page)
    expect(await stored(page)).toEqual([])

    // Restoring stolen cookies and storage does not restore the session.
    await context.addCookies(cookies)
    await page.evaluate((entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value)
    }, entries)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible({ timeout: 20_000 })
    await expect.poll(() => stored(page)).not.toContain('@appkit-wallet/EMAIL_LOGIN_USED_KEY')
  })

  test('signing out takes at most three seconds if the frame does not respond [R4.2] [R9.1]', async ({
    page,
    world,
  }) => {
    test.setTimeout(60_000)
    const email = someone('stuck')
    await page.clock.install()
    const dialog = await openConnect(page, world.facts.demo)
    await logIn(page, email, () => codeFor(world, email))
    await page.route('**/vault/sign-out', () => {
      // Leave the request pending.
    })
    await accountButton(page).click()
    await page.clock.runFor(1_000)
    const leave = dialog.getByRole('button', { name: 'Disconnect' })
    await expect(leave).toBeVisible()
    await page.clock.pauseAt(new Date(Date.now() + 60 * 60_000))
    await leave.click()
    await page.clock.runFor(2_900)
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeHidden()
    expect(await stored(page)).not.toContain('@appkit-wallet/EMAIL')
    await page.clock.runFor(1_000)
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  })

  test('a session that ended on the server is silently removed on the next visit [R4.2]', async ({
    page,
    world,
    context,
    browser,
  }) => {
    test.setTimeout(60_000)
    const email = someone('expired')
    await openConnect(page, world.facts.demo)
    const address = await addressOf(await logIn(page, email, () => codeFor(world, email)))
    await page.reload()
    await expect(accountButton(page)).toHaveAccessibleName(new RegExp(address))

    const elsewhere = await browser.newContext()
    await elsewhere.addCookies(await context.cookies(world.facts.keys))
    const framePage = await openFramePage(await elsewhere.newPage(), world)
    await framePage.request('SIGN_OUT')
    await elsewhere.close()

    await page.reload()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible({ timeout: 20_000 })
    await expect.poll(() => stored(page)).toEqual([])
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await logIn(page, email, () => codeFor(world, email))
    expect(await addressOf(accountButton(page))).toBe(address)
  })
})
