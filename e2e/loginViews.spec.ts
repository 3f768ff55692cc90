import { expect, test } from './support/fixtures.ts'
import { codeFor } from './support/framePage.ts'

// The browser logs failed responses: 401 when the user is not signed in, and 422 for a wrong code.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

test('a wrong code shows an error below the field, and a reload does not reset the cooldown [R1.2] [R5.4]', async ({
  page,
  world,
}) => {
  test.setTimeout(90_000)
  const email = `hopper-${Date.now()}@bakery.example`
  const dialog = page.getByRole('dialog')
  const start = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await dialog.getByRole('textbox', { name: 'Email address' }).fill(email)
    await page.keyboard.press('Enter')
  }
  await page.goto(world.facts.demo)
  await start()
  const field = dialog.getByRole('textbox', { name: '6-digit code' })
  await expect(field).toBeFocused({ timeout: 20_000 })
  await expect(dialog.getByRole('button', { name: /^Send a new code in \d+ s$/ })).toBeVisible()
  const code = await codeFor(world, email)
  await page.keyboard.type(code === '000000' ? '111111' : '000000')
  await expect(dialog.getByRole('alert')).toHaveText('That code is incorrect. Check the latest email and try again.')
  await expect(field).toBeFocused()

  // The 30-second cooldown continues after a reload.
  await page.reload()
  await start()
  await expect(page.getByText(/^Please try again after \d+ seconds$/)).toBeVisible({ timeout: 20_000 })
  await expect(field).toBeHidden()
})
