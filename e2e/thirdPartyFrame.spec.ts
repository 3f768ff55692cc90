import type { Page } from '@playwright/test'
import { hashMessage, recoverAddress } from 'viem'
import { accountButton, disconnect, expect, test, type World } from './support/fixtures.ts'

// Tests our modal with a third-party frame that only uses window messages.

// The errors in R8.5 are also logged to the console.
const reportedNoise = /iframe_(load_failed|request_timeout): /
// The browser logs that the page's CSP blocks the diagnostic request to the frame's URL.
const probeNoise =
  /frame\.demo\.localhost:\d+(\/sdk' violates|\/sdk\. Refused to connect| did not start\. Likely cause: .*connect-src)|policy violation: connect-src/
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => use([reportedNoise, probeNoise]),
})

const email = 'ada@example.org'

/** Opens the host page with a third-party frame that does not answer the first request of each type in `mute`. */
async function openHost(page: Page, world: World, ...mute: readonly string[]): Promise<void> {
  const frame = new URL(`http://frame.demo.localhost:${world.port}/scriptedFrame.html`)
  for (const name of mute) frame.searchParams.append('mute', name)
  const host = new URL(`http://open.demo.localhost:${world.port}/hostPage.html`)
  host.searchParams.set('frame', frame.href)
  host.searchParams.set('options', JSON.stringify({ debug: true }))
  await page.goto(host.href)
}

async function submitEmail(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: false }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
}

async function logIn(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByText(email)).toBeVisible({ timeout: 20_000 })
  await page.keyboard.type('123456')
  await expect(accountButton(page)).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('a user logs in, signs, switches networks and disconnects over window messages [R4.1] [R4.4] [R6.4]', async ({
  page,
  world,
}) => {
  test.setTimeout(60_000)
  await openHost(page, world)
  await submitEmail(page)
  await logIn(page)
  const [account] = world.facts.accounts
  const status = page.getByLabel('Status')
  await expect(status).toContainText(`connected ${account?.address} eip155:31337`)

  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const signature = page.getByLabel('Signature')
  await expect(signature).toHaveText(/^0x/)
  const made = (await signature.textContent()) as `0x${string}`
  expect(await recoverAddress({ hash: hashMessage('hi'), signature: made })).toBe(account?.address)

  await page.getByRole('button', { name: /^Network:/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Market Chain/ })
    .click()
  await expect(status).toContainText('eip155:31338')

  await page.keyboard.press('Escape')
  await accountButton(page).click()
  await disconnect(page)
  await expect(status).toContainText('disconnected')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /EMAIL|USERNAME/.test(key)))).toEqual([])
})

test('the modal shows an error if the frame does not send READY within five seconds [R8.5] [R9.1]', async ({
  page,
  world,
}) => {
  await page.clock.install()
  await openHost(page, world, 'READY')
  const diagnosed = page.waitForEvent('console', (message) => message.text().includes('did not start'))
  await submitEmail(page)
  const dialog = page.getByRole('dialog')
  // The timeout starts once the frame has loaded.
  await expect(page.frameLocator('iframe').locator('body')).toBeAttached()
  await expect(dialog.getByText('The login service cannot be reached.', { exact: false })).toHaveCount(0)
  await expect(async () => {
    await page.clock.runFor(1_000)
    const sentence = dialog.getByText('The login service cannot be reached.', { exact: false })
    await expect(sentence).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 15_000 })
  expect((await diagnosed).text()).toContain('does not allow http://open.demo.localhost')
  await expect(dialog.getByRole('textbox', { name: /mail/i })).toBeEditable()
})

test('a request that the frame does not answer times out after 30 seconds, and the user can try again [R8.5] [R9.1]', async ({
  page,
  world,
}) => {
  test.setTimeout(60_000)
  await page.clock.install()
  await openHost(page, world, 'CONNECT_EMAIL')
  await submitEmail(page)
  const dialog = page.getByRole('dialog')
  // The timeout starts when the page sends the request, so wait until the frame has received it.
  await expect(page.frameLocator('iframe').getByText('CONNECT_EMAIL is left open.')).toBeAttached()
  await page.clock.runFor(25_000)
  await expect(dialog.getByText('Embedded Wallet Request Timed Out')).toHaveCount(0)
  const reported = page.waitForEvent('console', (message) => message.text().includes('iframe_request_timeout'))
  await page.clock.runFor(10_000)
  await reported
  await expect(dialog.getByText('Embedded Wallet Request Timed Out').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: /mail/i }).press('Enter')
  await logIn(page)
})
