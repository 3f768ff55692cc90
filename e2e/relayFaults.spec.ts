import type { Locator, Page } from '@playwright/test'
import { accountButton, test as base, expect } from './support/fixtures.ts'
import { createPhoneWallet, type PhoneWallet } from './support/phoneWallet.ts'
import { readQrCode } from './support/readQrCode.ts'
import { createRelayNetwork, type RestartableRelay } from './support/restartableRelay.ts'

// Tests a page and a phone wallet while relays are killed and restarted on the same port.

interface Fixtures {
  /** Two relays in the same network, which only this test uses. */
  relays: readonly [RestartableRelay, RestartableRelay]
  /** A phone wallet that uses the first test account and both relays. It approves requests by default. */
  phone: PhoneWallet
  /** Opens the page with the given relays. */
  visit: (...relays: readonly RestartableRelay[]) => Promise<void>
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  relays: async ({}, use) => {
    const network = await createRelayNetwork()
    await use([await network.start(), await network.start()])
    await network.close()
  },
  phone: async ({ world, relays: [first, second] }, use) => {
    const phone = await createPhoneWallet(world, { relay: [first.address, second.address] })
    await use(phone)
    phone.close()
  },
  visit: async ({ page, world }, use) => {
    await use(async (...relays) => {
      const addresses = relays.map(({ address }) => address).join()
      await page.goto(`http://relays.demo.localhost:${world.port}/hostPage.html?relay=${addresses}`)
    })
  },
  // The browser itself logs this error.
  allowedConsole: [/WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/.*failed/],
})

const code = (page: Page): Locator => page.getByRole('img', { name: 'QR code for connecting a wallet' })
const status = (page: Page): Locator => page.getByLabel('Status')

async function openCode(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  return dialog
}

async function connectByCode(page: Page, phone: PhoneWallet): Promise<void> {
  const dialog = await openCode(page)
  await phone.scan(await readQrCode(page))
  await expect(dialog).toBeHidden()
  await expect(status(page)).toHaveText(`connected ${phone.address} eip155:31337 ok`)
}

/** Makes the page reconnect immediately instead of after a few seconds. */
const online = (page: Page): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event('online')))

test('a code stays visible while the relay is down, and a wallet that has scanned it connects once the relay is back [R8.9]', async ({
  page,
  relays: [relay, other],
  phone,
  visit,
}) => {
  await other.kill()
  await visit(relay)
  const dialog = await openCode(page)
  const before = await readQrCode(page)
  await relay.kill()
  const scanning = phone.scan(before)
  expect(await readQrCode(page)).toBe(before)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await relay.start()
  await online(page)
  await scanning
  await expect(dialog).toBeHidden()
  await expect(status(page)).toHaveText(`connected ${phone.address} eip155:31337 ok`)
  expect(phone.proposals).toHaveLength(1)
})

test('if the relay is killed during a signature request, the signature arrives once the relay is back', async ({
  page,
  relays: [relay, other],
  phone,
  visit,
}) => {
  await other.kill()
  await visit(relay)
  await connectByCode(page, phone)
  phone.decision = 'nothing'
  const proposed = new Promise<{ topic: string; id: number }>((resolve) =>
    phone.client.sessions.on('request', ({ id, session: { topic } }) => resolve({ topic, id })),
  )
  await page.getByRole('button', { name: 'Sign' }).click()
  const question = await proposed
  await relay.kill()
  const signature = `0x${'51'.repeat(65)}`
  const answered = phone.responder.respond(question, { result: signature })
  await expect(status(page)).toHaveText(`connected ${phone.address} eip155:31337 ok`)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Signature')).toHaveText('')
  await relay.start()
  await online(page)
  await answered
  await expect(page.getByLabel('Signature')).toHaveText(signature)
  expect(phone.methods).toEqual(['personal_sign'])
})

test('a request sent while the relay is down reaches the phone exactly once when the relay is back', async ({
  page,
  relays: [relay, other],
  phone,
  visit,
}) => {
  await other.kill()
  await visit(relay)
  await connectByCode(page, phone)
  await relay.kill()
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await relay.start()
  await online(page)
  await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  expect(phone.methods).toEqual(['personal_sign'])
})

test('pairing and signing work while either of two relays is down', async ({
  page,
  relays: [first, second],
  phone,
  visit,
}) => {
  await first.kill()
  await visit(first, second)
  await connectByCode(page, phone)
  await first.start()
  await second.kill()
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
})

test('if the relay stays down, the user sees an error and can try again once the relay is back [R8.9]', async ({
  page,
  relays: [relay, other],
  phone,
  visit,
}) => {
  await Promise.all([relay.kill(), other.kill()])
  await page.clock.install()
  await visit(relay, other)
  const dialog = await openCode(page)
  await expect(dialog.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
  // Wait for the first connection attempt before advancing the clock past the one-minute timeout.
  await page.waitForEvent('console', (message) => message.text().includes('WebSocket'))
  await page.clock.fastForward(60_000)
  await expect(dialog.getByText('The relay cannot be reached')).toBeVisible()
  await expect(code(page)).toBeHidden()
  await Promise.all([relay.start(), other.start()])
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await phone.scan(await readQrCode(page))
  await expect(status(page)).toHaveText(`connected ${phone.address} eip155:31337 ok`)
})

test('a user whose browser storage was cleared can connect again, and the phone keeps its sessions', async ({
  page,
  world,
  relays,
  phone,
  visit,
}) => {
  await visit(...relays)
  await connectByCode(page, phone)
  const [old] = phone.client.sessions.all()
  await page.goto('about:blank')
  const browser = await page.context().newCDPSession(page)
  const origin = `http://relays.demo.localhost:${world.port}`
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await visit(...relays)
  await expect(status(page)).toHaveText(/^disconnected/)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(phone.client.sessions.all()).toEqual([old])

  await connectByCode(page, phone)
  expect(phone.client.sessions.all()).toHaveLength(2)
  // Ending the old session on the phone does not affect the new one.
  await phone.client.sessions.disconnect(old?.topic as string)
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await expect(accountButton(page)).toBeVisible()
})

const day = 86_400_000

for (const [words, ms] of [
  ['a day ahead', day],
  ['two days behind', -2 * day],
] as const)
  test.describe(() => {
    test.use({ allowedConsole: [/clock of this device|relay_refused: Session Expired/] })

    test(`if the device’s clock is ${words}, the user sees an error and can continue once the clock is set [R8.9]`, async ({
      page,
      relays,
      phone,
      visit,
    }) => {
      await page.clock.install({ time: Date.now() + ms })
      await visit(...relays)
      const dialog = await openCode(page)
      await expect(dialog.getByText('The time on this device is wrong')).toBeVisible()
      await expect(dialog.getByText('Set its clock, then try again.')).toBeVisible()
      await page.clock.setSystemTime(Date.now())
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await phone.scan(await readQrCode(page))
      await expect(status(page)).toHaveText(`connected ${phone.address} eip155:31337 ok`)
    })
  })
