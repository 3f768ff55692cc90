import { disconnect, expect, test } from './support/fixtures.ts'
import { approve, codeFor } from './support/framePage.ts'

// The browser logs a 401 response when the user is not signed in.
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

test('a user without a wallet logs in by email, pays, reloads and disconnects [R1.2] [R1.5] [R4.4]', async ({
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
  const address = (await account.getAttribute('aria-label'))?.match(/0x\S+?…\w+/)?.[0] ?? 'no address'

  await page.getByRole('link', { name: /^Basket/ }).click()
  await page.getByRole('button', { name: 'Get test money' }).click()
  await expect(page.getByRole('button', { name: 'Get test money' })).toBeHidden()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('demo.localhost').first()).toBeVisible()
  await approve(frame, 'Approve')
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible({ timeout: 20_000 })

  // After the payment, the balance is one ether minus the fee.
  const paid = new RegExp(`^Account ${address}, 0\\.99`)
  await expect(account).toHaveAccessibleName(paid)

  await page.reload()
  await expect(account).toHaveAccessibleName(paid)
  await account.click()
  await disconnect(page)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
})

for (const [provider, where] of [
  ['Google', 'a local OpenID provider'],
  ['GitHub', 'a mock of its published endpoints'],
] as const) {
  test(`a user logs in with ${provider} (${where}) [R1.3]`, async ({ page, world }) => {
    test.setTimeout(90_000)
    await page.goto(world.facts.demo)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog')
    if (provider === 'GitHub') await dialog.getByRole('button', { name: 'More ways to log in' }).click()
    const opens = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: provider }).click()
    const popup = await opens
    await popup.getByRole('textbox', { name: 'Email' }).fill(`${provider.toLowerCase()}-${Date.now()}@people.example`)
    const closes = popup.waitForEvent('close')
    await popup.getByRole('button', { name: /^Continue to/ }).click()
    await closes
    await expect(page.getByRole('button', { name: /^Account / })).toBeVisible({ timeout: 20_000 })
  })
}
