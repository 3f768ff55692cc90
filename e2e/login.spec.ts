import { expect, test } from './support/test.ts'
import { codeFor } from './support/wire.ts'

// "Nobody is signed in" is a 401, which the browser notes.
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
test.use({ expectedNoise: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

test('a visitor without a wallet logs in by e-mail, pays, reloads and leaves [R1.2 R1.5 R4.4]', async ({
  page,
  world,
}) => {
  test.setTimeout(90_000)
  const email = `lovelace-${Date.now()}@bakery.example`
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  const account = page.getByRole('button', { name: /^Account / })
  await expect(account).toBeVisible({ timeout: 20_000 })
  const address = await account.getAttribute('aria-label')

  await page.getByRole('link', { name: /^Basket/ }).click()
  await page.getByRole('button', { name: 'Get test money' }).click()
  await expect(page.getByRole('button', { name: 'Get test money' })).toBeHidden()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('demo.localhost').first()).toBeVisible()
  await frame.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible({ timeout: 20_000 })

  await page.reload()
  await expect(account).toHaveAttribute('aria-label', address as string)
  await account.click()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
})
