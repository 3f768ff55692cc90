import AxeBuilder from '@axe-core/playwright'
import { accountButton, expect, test } from './support/fixtures.ts'

test('a user can connect and disconnect with only the keyboard, and the button regains focus', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await page.getByRole('button', { name: 'Before' }).focus()
  await page.keyboard.press('Tab')
  const button = page.getByRole('button', { name: 'Connect wallet' })
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  const wallet = dialog.getByRole('button', { name: /^Ada Wallet/ })
  await expect(wallet).toBeVisible()
  // Focus is trapped in the modal. Tabbing through the modal reaches the wallet, but never the page behind the modal.
  for (let step = 0; step < 12 && !(await wallet.evaluate((row) => row.matches(':focus'))); step++) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Before' })).not.toBeFocused()
  }
  await expect(wallet).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(accountButton(page)).toBeFocused()

  await page.keyboard.press('Space')
  await expect(dialog).toBeVisible()
  const leave = dialog.getByRole('button', { name: 'Disconnect' })
  for (let step = 0; step < 12 && !(await leave.evaluate((row) => row.matches(':focus'))); step++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(button).toBeVisible()
})

test('axe finds no violations in the demo or the open modal in either theme', async ({ page, world, withWallets }) => {
  await withWallets({ name: 'Ada Wallet' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(world.facts.demo)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Ada Wallet/ })).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  }
})
