import type { Page } from '@playwright/test'
import { hashMessage, recoverAddress } from 'viem'
import { accountButton, expect, test, type World } from './support/fixtures.ts'

// Our modal before a frame that is not ours: a page of another origin that knows nothing but the plain window messages.

// What R8.5 reports stands on the console, too.
const reportedNoise = /iframe_(load_failed|request_timeout): /
// Its policy keeps this page from asking whether anything answers at the frame's address, and the browser says so.
const probeNoise =
  /frame\.demo\.localhost:\d+(\/sdk' violates|\/sdk\. Refused to connect|\. Likely cause: .*connect-src)|policy violation: connect-src/
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => use([reportedNoise, probeNoise]),
})

const email = 'ada@example.org'

/** Opens the host page with that frame; what stands in `mute` it does not answer the first time. */
async function openHost(page: Page, world: World, ...mute: readonly string[]): Promise<void> {
  const frame = new URL(`http://frame.demo.localhost:${world.port}/scripted.html`)
  for (const name of mute) frame.searchParams.append('mute', name)
  const host = new URL(`http://open.demo.localhost:${world.port}/plain.html`)
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

test('log in, sign, switch the network and leave, over nothing but window messages [R4.1] [R4.4] [R6.4]', async ({
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
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(status).toContainText('disconnected')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /EMAIL|USERNAME/.test(key)))).toEqual([])
})

test('a page in the place of the frame that never says READY is given up within five seconds, and said so [R8.5] [R9.1]', async ({
  page,
  world,
}) => {
  await page.clock.install()
  await openHost(page, world, 'READY')
  const diagnosed = page.waitForEvent('console', (message) => message.text().includes('did not start'))
  await submitEmail(page)
  const dialog = page.getByRole('dialog')
  // The seconds count from when something has loaded there.
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

test('a question that a frame leaves open is given up after 30 seconds, and asked again by the visitor [R8.5] [R9.1]', async ({
  page,
  world,
}) => {
  test.setTimeout(60_000)
  await page.clock.install()
  await openHost(page, world, 'CONNECT_EMAIL')
  await submitEmail(page)
  const dialog = page.getByRole('dialog')
  // The time runs from when the question has arrived.
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
