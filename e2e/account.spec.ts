import type { Locator, Page } from '@playwright/test'
import { accountButton, connectWith, expect, test } from './support/fixtures.ts'
import { approve, codeFor } from './support/framePage.ts'
import { scan } from './support/readQrCode.ts'

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const usd = /\$[\d,]+\.\d\d/

/** Checks that the account view shows the value, the tokens and the last payment of an account that paid 6.80 TUSD. */
async function checkAccount(page: Page, dialog: Locator): Promise<void> {
  await accountButton(page).click()
  const tokens = dialog.getByRole('list', { name: 'Tokens' })
  await expect(tokens.getByText(/TUSD$/).first()).toBeVisible()
  await expect(dialog.getByText('Total value')).toBeAttached()
  await expect(dialog.getByText(usd).first()).toBeVisible()
  await expect(dialog.getByText(/^Prices updated (just now|\d+ min ago) \(.*Uniswap v3/)).toBeVisible()

  await dialog.getByRole('tab', { name: 'Activity' }).click()
  await expect(dialog.getByText(/−6\.8.TUSD/).first()).toBeVisible({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'All activity' }).click()
  await expect(dialog.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: String(new Date().getFullYear()) })).toBeVisible()
  await expect(dialog.getByText(/−6\.8.TUSD/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
}

/** Returns the address in the account's QR code, as a camera reads it. */
async function receiveBy(page: Page, dialog: Locator): Promise<string> {
  await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(dialog.getByRole('img', { name: /QR code of your address/ })).toBeVisible()
  const address = await scan(page)
  await expect(dialog.locator('.receive-address')).toHaveText(address)
  return address
}

test('an injected wallet has balances with fiat, a history with what was just sent, and an address that a camera reads [R1.6] [R1.7] [R1.10]', async ({
  page,
  world,
  withWallets,
}) => {
  test.setTimeout(90_000)
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await connectWith(page, 'Ada Wallet')
  await page.getByRole('link', { name: 'To the order' }).click()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible()

  const dialog = page.getByRole('dialog')
  await checkAccount(page, dialog)
  expect(await receiveBy(page, dialog)).toBe(world.facts.accounts[0]?.address)
  await dialog.getByRole('button', { name: 'Compatible networks' }).click()
  await expect(dialog.getByRole('listitem')).toHaveText([/^BBakery Chain|^Bakery Chain/, /Market Chain/])
})

test('a transaction that the page sent is pending in the activity immediately, and in the history once it is mined', async ({
  page,
  world,
  withWallets,
}) => {
  test.setTimeout(90_000)
  await withWallets({ name: 'Bea Wallet', account: 1 })
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await connectWith(page, 'Bea Wallet')
  await page.getByRole('link', { name: 'To the order' }).click()
  // The server’s history is delayed, as that of a slow node.
  let delayed = true
  await page.route('**/v1/account/*/history*', async (route) =>
    delayed ? route.fulfill({ json: { data: [], next: null } }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible()
  const dialog = page.getByRole('dialog')
  await accountButton(page).click()
  await dialog.getByRole('tab', { name: 'Activity' }).click()
  await expect(dialog.getByText('Order for $6.80')).toBeVisible()
  delayed = false
  await expect(dialog.getByText(/−6\.8.TUSD/).first()).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText('Order for $6.80')).toBeHidden()
  await page.reload()
  await accountButton(page).click()
  await dialog.getByRole('tab', { name: 'Activity' }).click()
  await expect(dialog.getByText(/−6\.8.TUSD/).first()).toBeVisible({ timeout: 30_000 })
})

test('the embedded wallet has balances with fiat, a history with what was just sent, and an address that a camera reads [R1.6] [R1.7] [R1.10]', async ({
  page,
  world,
}) => {
  test.setTimeout(150_000)
  const email = `receiver-${Date.now()}@bakery.example`
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('link', { name: /^Basket/ }).click()
  await page.getByRole('button', { name: 'Get test money' }).click()
  await expect(page.getByRole('button', { name: 'Get test money' })).toBeHidden()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await approve(page.frameLocator('iframe'), 'Approve')
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible({ timeout: 20_000 })

  await checkAccount(page, dialog)
  const address = await receiveBy(page, dialog)
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  await expect(accountButton(page)).toHaveAccessibleName(new RegExp(`^Account ${short}`))
  await dialog.getByRole('button', { name: 'Compatible networks' }).click()
  await expect(dialog.getByText('This address is yours on all of these networks.', { exact: false })).toBeVisible()
})
