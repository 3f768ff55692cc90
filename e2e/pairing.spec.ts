import { devices, type Locator, type Page } from '@playwright/test'
import { accountButton, test as base, disconnect, expect } from './support/fixtures.ts'
import { createPhoneWallet, type PhoneWallet } from './support/phoneWallet.ts'
import { readQrCode } from './support/readQrCode.ts'

interface Fixtures {
  /** A phone wallet that uses the first test account and approves requests by default. */
  phone: PhoneWallet
  /** Whether the wallet signs the user in while connecting. */
  signsIn: boolean
}

const test = base.extend<Fixtures>({
  signsIn: [false, { option: true }],
  phone: async ({ world, signsIn }, use) => {
    const phone = await createPhoneWallet(world, { signsIn })
    await use(phone)
    phone.close()
  },
})

/** Opens the WalletConnect QR code that works with any wallet. */
async function openCode(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  await expect(dialog.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
  return dialog
}

async function connectByCode(page: Page, phone: PhoneWallet): Promise<void> {
  const dialog = await openCode(page)
  await phone.scan(await readQrCode(page))
  await expect(dialog).toBeHidden()
  await expect(accountButton(page)).toContainText('0xf39F')
}

/** Pays, signs, switches networks and reloads in the connected demo. The wallet then disconnects. */
async function shop(page: Page, phone: PhoneWallet): Promise<void> {
  await page.getByRole('link', { name: 'To the order' }).click()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign the pickup slip' }).click()
  await expect(page.getByText('Signed and checked: this order is yours.')).toBeVisible()
  expect(phone.methods).toContain('eth_sendTransaction')
  expect(phone.methods).not.toContain('eth_call')

  await page.getByRole('button', { name: 'Network: Bakery Chain' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Market Chain/ })
    .click()
  await expect(page.getByRole('button', { name: 'Network: Market Chain' })).toBeVisible()

  await page.reload()
  await expect(accountButton(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Network: Market Chain' })).toBeVisible()
  expect(phone.proposals).toHaveLength(1)

  const [session] = phone.client.sessions.all()
  await phone.client.sessions.disconnect(session?.topic as string)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
}

test('a user scans a code with a phone, pays, signs, switches networks and disconnects [R1.1] [R4.13] [R7.12]', async ({
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
  await shop(page, phone)
})

test('a user who declines on the phone sees a message and can try again [R1.1]', async ({ page, world, phone }) => {
  phone.decision = 'no'
  await page.goto(world.facts.demo)
  const dialog = await openCode(page)
  await phone.scan(await readQrCode(page))
  await expect(dialog.getByText('You declined')).toBeVisible()
  phone.decision = 'yes'
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await phone.scan(await readQrCode(page))
  await expect(dialog).toBeHidden()
  await expect(accountButton(page)).toContainText('0xf39F')
})

test('a code is replaced before it expires [R5.8] [R9.3]', async ({ page, world, phone }) => {
  await page.clock.install()
  await page.goto(world.facts.demo)
  await openCode(page)
  const first = await readQrCode(page)
  await page.clock.fastForward(200_000)
  expect(await readQrCode(page)).toBe(first)
  await page.clock.fastForward(30_000)
  await expect.poll(() => readQrCode(page)).not.toBe(first)
  await phone.scan(await readQrCode(page))
  await expect(accountButton(page)).toContainText('0xf39F')
})

test('closing the modal withdraws the proposal from the phone, and the modal shows a new code when it reopens', async ({
  page,
  world,
  phone,
}) => {
  phone.decision = 'nothing'
  await page.goto(world.facts.demo)
  const dialog = await openCode(page)
  const old = await readQrCode(page)
  const proposed = new Promise((resolve) => phone.responder.on('proposal', resolve))
  const withdrawn = new Promise((resolve) => phone.responder.on('withdrawn', resolve))
  await phone.scan(old)
  await proposed
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await withdrawn
  await openCode(page)
  expect(await readQrCode(page)).not.toBe(old)
  await expect(page.getByRole('button', { name: 'Connect wallet', includeHidden: true })).toBeAttached()
})

test('the page’s requests, storage and DOM never contain the pairing secret', async ({ page, world, phone }) => {
  const seen: string[] = []
  page.on('request', (request) => seen.push(`${request.url()} ${request.postData() ?? ''}`))
  page.on('websocket', (socket) => {
    seen.push(socket.url())
    socket.on('framesent', ({ payload }) => seen.push(String(payload)))
  })
  await page.goto(world.facts.demo)
  await openCode(page)
  const uri = await readQrCode(page)
  const secret = new URLSearchParams(uri.slice(uri.indexOf('?'))).get('symKey') as string
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  await phone.scan(uri)
  await expect(accountButton(page)).toContainText('0xf39F')
  expect(seen.filter((line) => line.includes(secret))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(secret)
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(secret)
})

test.describe('if the wallet signs the user in while connecting', () => {
  test.use({ signsIn: true })

  test('a single request connects the wallet and signs the user in, and the signature is verified [R4.12]', async ({
    page,
    pages,
    phone,
  }) => {
    await page.goto(`${pages}/hostPage.html?relay&authentication`)
    await openCode(page)
    await phone.scan(await readQrCode(page))
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByLabel('Status')).toHaveText(`connected ${phone.address} eip155:31337 ok`)
    expect(await page.evaluate(() => (window as { signedIn?: unknown }).signedIn)).toEqual([
      `eip155:31337:${phone.address}`,
      `eip155:31338:${phone.address}`,
    ])
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  })

  for (const signIn of ['required', 'optional'] as const)
    test(`a single request creates a session that survives a reload, using our server and ${signIn} sign-in [R4.12] [R4.8]`, async ({
      page,
      pages,
      phone,
    }) => {
      const options = encodeURIComponent(JSON.stringify({ signIn }))
      await page.goto(`${pages}/signIn.html?relay&options=${options}`)
      await openCode(page)
      await phone.scan(await readQrCode(page))
      const signedIn = `signed-in eip155:31337:${phone.address}`
      await expect(page.getByLabel('Sign-in')).toHaveText(signedIn)
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.reload()
      await expect(page.getByLabel('Sign-in')).toHaveText(signedIn)
      await expect(page.getByRole('dialog')).toBeHidden()
    })

  test('if the page rejects the sign-in, the wallet is not connected and its session ends [R4.12]', async ({
    page,
    pages,
    phone,
  }) => {
    await page.goto(`${pages}/hostPage.html?relay&authentication=no`)
    const dialog = await openCode(page)
    await phone.scan(await readQrCode(page))
    await expect(dialog.getByText('The sign-in was not accepted')).toBeVisible()
    await expect(page.getByLabel('Status')).toHaveText(/^disconnected/)
    await expect.poll(() => phone.client.sessions.all()).toEqual([])
  })
})

test.describe('on a phone', () => {
  const { defaultBrowserType: _, ...pixel } = devices['Pixel 7']
  test.use(pixel)

  const pocket = { id: 'pocket', name: 'Pocket', mobile_link: 'pocket://' }
  const address = (pages: string): string =>
    `${pages}/hostPage.html?relay&options=${encodeURIComponent(JSON.stringify({ customWallets: [pocket] }))}`

  /** Makes the page record the URLs that it opens, instead of opening them. Resolves to a function that returns the URLs. */
  async function watchOpened(page: Page): Promise<() => Promise<readonly string[]>> {
    await page.addInitScript(() => {
      const opened: string[] = []
      Object.assign(window, { opened })
      window.open = (url, target, how) => {
        opened.push(`${target} ${how} ${url}`)
        return null
      }
    })
    return () => page.evaluate(() => (window as unknown as { opened: string[] }).opened)
  }

  test('a user opens a wallet with a link, pays, signs, switches networks and disconnects [R1.1]', async ({
    page,
    world,
    phone,
  }) => {
    const opened = await watchOpened(page)
    await page.goto(world.facts.demo)
    await page.getByRole('button', { name: 'Add Country sourdough' }).click()
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^All wallets/ }).click()
    await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).fill('Latchkey')
    await dialog.getByRole('button', { name: 'Latchkey Test Wallet' }).click()
    await expect.poll(opened).toHaveLength(1)
    const [, uri = ''] = (await opened())[0]?.match(/#\/wc\?uri=(.*)$/) ?? []
    await phone.scan(decodeURIComponent(uri))
    await expect(dialog).toBeHidden()
    await expect(accountButton(page)).toContainText('0xf39F')
    await shop(page, phone)
  })

  test('the page opens the wallet with a link, and again for each request [R1.1] [R3.17] [R8.3]', async ({
    page,
    pages,
    phone,
  }) => {
    const opened = await watchOpened(page)
    await page.goto(address(pages))
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Pocket' }).click()
    await expect(dialog.getByRole('link', { name: 'Open Pocket' })).toBeVisible()
    await expect.poll(opened).toHaveLength(1)
    const [, , link = ''] = (await opened())[0]?.match(/^_self noreferrer noopener (pocket:\/\/wc\?uri=)(.*)$/) ?? []
    const uri = decodeURIComponent(link)
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    expect(await dialog.getByRole('link', { name: 'Open Pocket' }).getAttribute('href')).toBe(
      `pocket://wc?uri=${encodeURIComponent(uri)}`,
    )
    await phone.scan(uri)
    await expect(page.getByLabel('Status')).toHaveText(`connected ${phone.address} eip155:31337 ok`)
    expect(await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))).toBe(
      JSON.stringify({ href: 'pocket://', name: 'Pocket' }),
    )

    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
    const [session] = phone.client.sessions.all()
    expect((await opened())[1]).toMatch(
      new RegExp(`^_self noreferrer noopener pocket://wc\\?requestId=\\d{16}&sessionTopic=${session?.topic}$`),
    )
    await page.reload()
    await expect(page.getByLabel('Status')).toHaveText(`connected ${phone.address} eip155:31337 ok`)
    // Reconnecting does not open the wallet.
    expect(await opened()).toEqual([])

    // Disconnecting removes the stored wallet link.
    await accountButton(page).click()
    await disconnect(page)
    await expect(page.getByLabel('Status')).toHaveText(/^disconnected/)
    expect(await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))).toBeNull()
  })
})
