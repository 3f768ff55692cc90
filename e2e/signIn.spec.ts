import type { Page } from '@playwright/test'
import { expect, test, type WalletController } from './support/fixtures.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chain = 'eip155:31337'

/** Opens the sign-in page and connects Ada's wallet. Resolves to the modal, which prompts the user to sign in. */
async function arrive(page: Page, pages: string, query: string): Promise<ReturnType<Page['getByRole']>> {
  await page.goto(`${pages}/signIn.html?${query}`)
  await connect(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-out ${chain}:${address}`)
  return dialog
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Ada Wallet/ })
    .click()
}

/** Returns the button that requests the signature, either for the first time or after a rejection. */
function signOf(dialog: ReturnType<Page['getByRole']>): ReturnType<Page['getByRole']> {
  return dialog.getByRole('button', { name: /^(Sign in|Try again)$/ })
}

const required = `options=${encodeURIComponent(JSON.stringify({ signIn: 'required' }))}`
const optional = `options=${encodeURIComponent(JSON.stringify({ signIn: 'optional' }))}`

/** Resolves to the number of signature requests that the wallet has received since the page was loaded. */
async function countSignatures(wallet: (name: string) => WalletController): Promise<number> {
  const all = await wallet('Ada Wallet').requests()
  return all.filter(({ method }) => method === 'personal_sign').length
}

test.beforeEach(({ withWallets }) => withWallets({ name: 'Ada Wallet' }))

test('a required sign-in with our server needs one signature, survives a reload and stores no token [R4.7] [R4.8]', async ({
  page,
  pages,
  wallet,
}) => {
  const dialog = await arrive(page, pages, required)
  await expect(dialog.getByText('pages.demo.localhost', { exact: false }).first()).toBeVisible()
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
  await expect(dialog).toBeHidden()
  expect(await countSignatures(wallet)).toBe(1)
  // In cookie mode, scripts cannot read the session.
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).not.toMatch(
    /siwx|eyJ/,
  )

  await page.reload()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
  await expect(dialog).toBeHidden()
  expect(await countSignatures(wallet)).toBe(0)
})

test('Escape does not close a required sign-in, and Cancel disconnects and returns to Connect [R2.8] [R4.10] [R1.12]', async ({
  page,
  pages,
}) => {
  const dialog = await arrive(page, pages, required)
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-shaking]')).toBeVisible()
  await expect(page.locator('[data-shaking]')).toHaveCount(0)
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(dialog.getByText('If you do not sign in, you will be disconnected').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('button', { name: /^Ada Wallet/ })).toBeVisible()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
})

test('a user can skip an optional sign-in and sign in later [R4.10] [R6.1]', async ({ page, pages, wallet }) => {
  const dialog = await arrive(page, pages, optional)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Status')).toHaveText(`connected ${address} ${chain}`)
  await page.reload()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-out ${chain}:${address}`)
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Members only' }).click()
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
  await expect(page.getByLabel('Answer')).toHaveText('done')
  await page.getByRole('button', { name: 'Leave the members area' }).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-out ${chain}:${address}`)
  await expect(page.getByLabel('Status')).toContainText('connected')
  expect(await countSignatures(wallet)).toBe(1)
})

test('a user who declines the signature sees an error and can try again [R4.9] [R8.10]', async ({
  page,
  pages,
  wallet,
}) => {
  const dialog = await arrive(page, pages, required)
  await wallet('Ada Wallet').script('decline', 'personal_sign')
  await signOf(dialog).click()
  await expect(dialog.getByText('Signature declined').first()).toBeVisible()
  await wallet('Ada Wallet').script('approve')
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
  expect(await countSignatures(wallet)).toBe(2)
})

test('an approval that arrives after the user has disconnected does not sign the user in', async ({
  page,
  pages,
  wallet,
}) => {
  const dialog = await arrive(page, pages, optional)
  await wallet('Ada Wallet').script('hold')
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toContainText('signing')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  await wallet('Ada Wallet').script('release')
  await expect(page.getByLabel('Sign-in')).toHaveText('unknown')
  await wallet('Ada Wallet').script('approve')
  await connect(page)
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a reload during a signature request cancels the request, and the user can sign in again', async ({
  page,
  pages,
  wallet,
}) => {
  const dialog = await arrive(page, pages, required)
  await wallet('Ada Wallet').script('hold')
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toContainText('signing')
  await page.reload()
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
  expect(await countSignatures(wallet)).toBe(1)
})

test('signing in on a second network does not replace the first sign-in', async ({ page, pages }) => {
  const dialog = await arrive(page, pages, `authentication=local&${required}`)
  const signIn = page.getByLabel('Sign-in')
  await signOf(dialog).click()
  await expect(signIn).toHaveText(`signed-in ${chain}:${address}`)
  const other = async (from: RegExp, to: RegExp): Promise<void> => {
    await page.getByRole('button', { name: from }).click()
    await dialog.getByRole('button', { name: to }).click()
  }
  await other(/^Network: Bakery Chain/, /Market Chain/)
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signOf(dialog).click()
  await expect(signIn).toHaveText(`signed-in eip155:31338:${address}`)
  await other(/^Network: Market Chain/, /Bakery Chain/)
  await expect(signIn).toHaveText(`signed-in ${chain}:${address}`)
  await expect(dialog).toBeHidden()
})

test('a user can sign in if the host provides SIWE callbacks [R4.8]', async ({ page, pages }) => {
  const dialog = await arrive(page, pages, `authentication=siwe&${required}`)
  await expect(dialog.getByRole('button', { name: 'Back' })).toHaveCount(0)
  await signOf(dialog).click()
  await expect(page.getByLabel('Sign-in')).toHaveText(`signed-in ${chain}:${address}`)
})

test.describe('when the server is unreachable', () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  test.use({ allowedConsole: async ({}, use) => use([/ERR_FAILED/, /initialize authentication/]) })

  test('the user stays connected but not signed in, and can continue when the server is back [R8.10]', async ({
    page,
    pages,
  }) => {
    await page.route('**/auth/v1/me**', (route) => route.abort())
    await page.goto(`${pages}/signIn.html?${required}`)
    await connect(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Your sign-in could not be verified')).toBeVisible()
    await expect(page.getByLabel('Sign-in')).not.toContainText('signed-in')
    // An outage does not disconnect the user.
    await expect(page.getByLabel('Status')).not.toContainText('disconnected')
    await page.unroute('**/auth/v1/me**')
    await expect(dialog.getByText('Your sign-in could not be verified')).toBeHidden({ timeout: 20_000 })
    await signOf(dialog).click()
    await expect(page.getByLabel('Sign-in')).toContainText('signed-in')
  })
})
