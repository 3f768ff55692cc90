import type { Page } from '@playwright/test'
import { createPublicClient, formatUnits, http } from 'viem'
import { accountButton, connectWith, expect, test, type World } from './support/fixtures.ts'

// Buying crypto from the mock seller of the local environment, which has the API of Coinbase and delivers on the local chain.

/** What the mock seller delivers for 100 US dollars, in wei. */
const delivered = 33232016210739614n

const chainOf = (world: World) => createPublicClient({ chain: world.facts.chains[0], transport: http() })
const balanceOf = (world: World, account: number) =>
  chainOf(world).getBalance({ address: world.facts.accounts[account]?.address as `0x${string}` })

/** Formats wei as the account button does, with three decimals, truncated. */
const shown = (wei: bigint): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(Number(wei / 10n ** 15n) / 1000)

/** Opens the form from the account view. */
async function openForm(page: Page) {
  await accountButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: 'Buy crypto' })).toBeVisible()
  return {
    dialog,
    amount: dialog.getByRole('textbox', { name: 'Amount to pay' }),
    seller: dialog.getByRole('button', { name: /^Coinbase/ }),
  }
}

/** Does what opens a window. Resolves to the page of the seller. */
async function sellerOpenedBy(page: Page, open: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), open()])
  await expect(opened.getByRole('heading', { name: 'Coinbase (mock)' })).toBeVisible()
  return opened
}

async function pay(seller: Page, name = 'Pay'): Promise<void> {
  await seller.getByRole('button', { name, exact: true }).click()
}

test('a purchase is quoted, paid in the seller’s window, and arrives in the account [R1.9]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  const before = await balanceOf(world, 0)
  const { dialog, amount, seller } = await openForm(page)
  await amount.fill('9')
  await expect(seller).toContainText('The amount is below the minimum.')
  await expect(seller).toBeDisabled()
  await amount.fill('100')
  await expect(seller).toContainText(`About ${formatUnits(delivered, 18).slice(0, 8)} ETH, including $1.60 in fees`)

  const opened = await sellerOpenedBy(page, () => seller.click())
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  await expect(opened.getByText(world.facts.accounts[0]?.address ?? '')).toBeVisible()
  await expect(dialog.getByText('Continue in the Coinbase window')).toBeVisible()
  await pay(opened)
  await expect(opened.getByRole('heading', { name: 'Paid' })).toBeVisible()
  await opened.close()

  await expect(dialog.getByText('0.033232 ETH sent')).toBeVisible()
  expect(await balanceOf(world, 0)).toBe(before + delivered)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByRole('button', { name: 'Buy', exact: true })).toBeVisible()
  await expect(accountButton(page)).toContainText(shown(before + delivered))
})

test('the currency and the token are selected on separate pages, which return to the form', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Bob Wallet', account: 1 })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Bob Wallet')
  const { dialog, amount, seller } = await openForm(page)
  await amount.fill('100')
  await dialog.getByRole('button', { name: 'Pay with: USD' }).click()
  await dialog.getByRole('button', { name: /^Euro/ }).click()
  await dialog.getByRole('button', { name: /^ETH on/ }).click()
  await dialog.getByRole('button', { name: new RegExp(`^${world.facts.token.symbol}`) }).click()
  await expect(amount).toHaveValue('100')
  // 98.40 € at 1.10 US dollars.
  await expect(seller).toContainText(`About 108.24 ${world.facts.token.symbol}, including €1.60 in fees`)
  await page.keyboard.press('Escape')
  const again = await openForm(page)
  await expect(again.amount).toHaveValue('100')
  await expect(again.dialog.getByRole('button', { name: 'Pay with: EUR' })).toBeVisible()
})

test('a reload during a purchase loses nothing: it is found again and arrives', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Cleo Wallet', account: 2 })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Cleo Wallet')
  const before = await balanceOf(world, 2)
  const first = await openForm(page)
  await first.amount.fill('100')
  await expect(first.seller).toContainText('About')
  const opened = await sellerOpenedBy(page, () => first.seller.click())
  await expect(first.dialog.getByText('Continue in the Coinbase window')).toBeVisible()

  await page.reload()
  const { dialog, amount } = await openForm(page)
  await expect(amount).toHaveValue('100')
  await dialog.getByRole('button', { name: /Purchase in progress/ }).click()
  await expect(dialog.getByText('Continue in the Coinbase window')).toBeVisible()
  await pay(opened)
  await expect(dialog.getByText('0.033232 ETH sent')).toBeVisible()
  expect(await balanceOf(world, 2)).toBe(before + delivered)
})

test('after the window was closed, it can be opened again, and a declined card is reported', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  const before = await balanceOf(world, 0)
  const { dialog, amount, seller } = await openForm(page)
  await amount.fill('100')
  await expect(seller).toContainText('About')
  const closed = await sellerOpenedBy(page, () => seller.click())
  await closed.close()
  const again = await sellerOpenedBy(page, () => dialog.getByRole('button', { name: 'Open the window again' }).click())
  await pay(again, 'Pay with a card that is declined')
  await expect(dialog.getByText('Purchase failed', { exact: true })).toBeVisible()
  expect(await balanceOf(world, 0)).toBe(before)
  const third = await sellerOpenedBy(page, () => dialog.getByRole('button', { name: 'Try again' }).click())
  await pay(third)
  await expect(dialog.getByText('0.033232 ETH sent')).toBeVisible()
  expect(await balanceOf(world, 0)).toBe(before + delivered)
})

test('if the browser blocks the window, a link opens the seller’s page', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Bob Wallet', account: 1 })
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Bob Wallet')
  const before = await balanceOf(world, 1)
  const { dialog, amount, seller } = await openForm(page)
  await amount.fill('100')
  await expect(seller).toContainText('About')
  await seller.click()
  await expect(dialog.getByText('Your browser blocked the window')).toBeVisible()
  const opened = await sellerOpenedBy(page, () => dialog.getByRole('link', { name: /Open Coinbase/ }).click())
  await pay(opened)
  await expect(dialog.getByText('0.033232 ETH sent')).toBeVisible()
  expect(await balanceOf(world, 1)).toBe(before + delivered)
})

test('each step reports a server that does not respond, and keeps what was entered', async ({
  page,
  pages,
  world,
  withWallets,
  allowedConsole,
}) => {
  allowedConsole.push(/Failed to load resource/)
  await withWallets({ name: 'Cleo Wallet', account: 2 })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Cleo Wallet')
  const breaks = (path: string) => page.route(`${world.facts.connect}${path}`, (route) => route.abort())
  const works = (path: string) => page.unroute(`${world.facts.connect}${path}`)

  await breaks('/v1/onramp/options*')
  const { dialog, amount, seller } = await openForm(page)
  await expect(dialog.getByText('Could not load the providers. Only usual limits are shown.')).toBeVisible()
  await works('/v1/onramp/options*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(seller).toContainText('Card')

  await breaks('/v1/onramp/quote*')
  await amount.fill('100')
  await expect(seller).toContainText('No quote at the moment.')
  await works('/v1/onramp/quote*')

  await breaks('/v1/generators/onrampurl*')
  const [empty] = await Promise.all([page.context().waitForEvent('page'), seller.click()])
  await expect(dialog.getByText('Could not open Coinbase')).toBeVisible()
  await expect.poll(() => empty.isClosed()).toBe(true)
  await works('/v1/generators/onrampurl*')

  await breaks('/v1/account/*/history*')
  const opened = await sellerOpenedBy(page, () => dialog.getByRole('button', { name: 'Try again' }).click())
  await expect(dialog.getByText('The server is not responding. Trying again…').first()).toBeVisible()
  await pay(opened)
  await works('/v1/account/*/history*')
  await expect(dialog.getByText('0.033232 ETH sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
  await expect(amount).toHaveValue('100')
})
