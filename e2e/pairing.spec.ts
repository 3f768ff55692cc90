import type { Locator, Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { type Phone, takePhone } from './support/phone.ts'
import { accountButton, test as base, expect } from './support/test.ts'

interface Fixtures {
  /** A phone with the first test account, which says yes. */
  phone: Phone
}

const test = base.extend<Fixtures>({
  phone: async ({ world }, use) => {
    const phone = await takePhone(world)
    await use(phone)
    phone.close()
  },
})

/** The code on the screen as a camera sees it: the picture, not what the page knows about it. */
async function scanned(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code that connects a wallet' })).toBeVisible()
  const { data, width, height } = PNG.sync.read(await page.screenshot({ animations: 'disabled' }))
  const read = jsqr(new Uint8ClampedArray(data), width, height)
  if (!read) throw new Error('There is no code on the screen')
  return read.data
}

/** Opens the code of "any wallet". */
async function openCode(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  await expect(dialog.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
  return dialog
}

async function connectByCode(page: Page, phone: Phone): Promise<void> {
  const dialog = await openCode(page)
  await phone.scan(await scanned(page))
  await expect(dialog).toBeHidden()
  await expect(accountButton(page)).toContainText('0xf39F')
}

test('a visitor scans a code with a phone, pays, signs, switches, reloads, and the wallet leaves [R1.1, R4.13, R7.12]', async ({
  page,
  world,
  phone,
}) => {
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await connectByCode(page, phone)
  expect(phone.proposals[0]).toMatchObject({
    requiredNamespaces: {},
    proposer: { metadata: { name: 'Crumb', url: world.facts.demo } },
  })

  await page.getByRole('link', { name: 'To the order' }).click()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign the pickup slip' }).click()
  await expect(page.getByText('Signed and checked: this order is yours.')).toBeVisible()
  expect(phone.asked).toContain('eth_sendTransaction')
  expect(phone.asked).not.toContain('eth_call')

  await page.getByRole('button', { name: 'Network: Bakery Chain' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Market Chain/ })
    .click()
  await expect(page.getByRole('button', { name: 'Network: Market Chain' })).toBeVisible()

  await page.reload()
  await expect(accountButton(page)).toContainText('0xf39F')
  expect(phone.proposals).toHaveLength(1)

  const [session] = phone.client.sessions.all()
  await phone.client.sessions.end(session?.topic as string)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
})
