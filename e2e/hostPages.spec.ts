import type { Locator, Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { accountButton, connectWith, disconnect, expect, test } from './support/fixtures.ts'

for (const react of ['18', '19']) {
  test(`a host on React ${react} connects, signs and stays connected [R1.13] [R4.3]`, async ({
    page,
    world,
    withWallets,
  }) => {
    const [ada] = world.facts.accounts
    await withWallets({ name: 'Ada Wallet' })
    const host = react === '18' ? 'react18' : 'pages'
    await page.goto(`http://${host}.demo.localhost:${world.port}/hostPage.html`)
    await expect(page.getByRole('heading', { name: `A plain host on React ${react}` })).toBeVisible()
    await connectWith(page, 'Ada Wallet')
    await expect(page.getByLabel('Status')).toHaveText(`connected ${ada?.address} eip155:31337 ok`)
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
    const signature = (await page.getByLabel('Signature').textContent()) as `0x${string}`
    expect(await verifyMessage({ address: ada?.address as `0x${string}`, message: 'hi', signature })).toBe(true)
    await page.reload()
    await expect(page.getByLabel('Status')).toHaveText(`connected ${ada?.address} eip155:31337 ok`)
  })
}

test('the page only loads its own chunks before the first click [R7.14]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${pages}/hostPage.html`)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const allowed = new RegExp(`^${pages}/(hostPage\\.html|environment\\.json|assets/[\\w.-]+\\.(js|css)|favicon\\.ico)$`)
  expect(requests.filter((url) => !allowed.test(url))).toEqual([])

  requests.length = 0
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const known = [
    new RegExp(`^${pages}/assets/`),
    new RegExp(`^${world.facts.connect}/(getWallets|getWalletImage/|getAnalyticsConfig|projects/v1/origins|e)\\b`),
    /^(blob|data):/,
  ]
  expect(requests.filter((url) => !known.some((pattern) => pattern.test(url)))).toEqual([])
})

test('the connection runtime is loaded when a new user points at the button, and on page load for a returning user', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const isLoaded = () =>
    page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /connectionRuntime-/.test(name)))
  await page.goto(`${pages}/hostPage.html`)
  const button = page.getByRole('button', { name: 'Connect wallet' })
  await expect(button).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await isLoaded()).toBe(false)
  await button.hover()
  await expect.poll(isLoaded).toBe(true)
  await connectWith(page, 'Ada Wallet')

  await page.mouse.move(0, 0)
  await page.reload()
  await expect(page.getByLabel('Status')).toContainText('connected 0x')
  expect(await isLoaded()).toBe(true)
})

test('hostile page styles do not affect the modal [R2.10]', async ({ page, pages, withWallets }) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  const calm = await modalMeasures(page)
  expect(calm.length).toBeGreaterThan(20)
  await page.goto(`${pages}/hostileStyles.html`)
  expect(await modalMeasures(page)).toEqual(calm)
})

/** Opens the modal and returns the size and style of every element in it. */
async function modalMeasures(page: Page): Promise<unknown[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: /All wallets/ })).toContainText(/\d{2}/)
  return page.getByRole('dialog').evaluate(async (dialog) => {
    await Promise.all(dialog.getAnimations({ subtree: true }).map((animation) => animation.finished))
    const card = dialog.getBoundingClientRect()
    return [...dialog.querySelectorAll('*')].map((element) => {
      const { width, height, x, y } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      return {
        tag: element.localName,
        box: [x - card.x, y - card.y, width, height].map(Math.round).join(' '),
        font: style.font,
        spacing: style.letterSpacing + style.wordSpacing,
        color: style.color,
        background: style.backgroundColor,
        transform: style.textTransform,
        align: style.textAlign,
        cursor: style.cursor,
      }
    })
  })
}

test('each of two instances on one page has its own session [R3.17]', async ({ page, pages, withWallets }) => {
  await withWallets({ name: 'Ada Wallet' }, { name: 'Bob Wallet', account: 1 })
  await page.goto(`${pages}/twoInstances.html`)
  const left = page.getByRole('region', { name: 'Left' })
  const right = page.getByRole('region', { name: 'Right' })
  await left.getByRole('button', { name: 'Connect wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Ada Wallet/ })
    .click()
  await expect(left.getByLabel('Status')).toContainText('connected 0xf39F')
  await expect(right.getByLabel('Status')).toContainText('disconnected')
  await right.getByRole('button', { name: 'Connect wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bob Wallet/ })
    .click()
  await expect(right.getByLabel('Status')).toContainText('connected 0x7099')
  await expect(left.getByLabel('Status')).toContainText('connected 0xf39F')
  await page.reload()
  await expect(right.getByLabel('Status')).toContainText('connected 0x7099')
  await expect(left.getByLabel('Status')).toContainText('connected 0xf39F')
})

test('a server-rendered page contains the account from the cookie and hydrates without warnings', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  const address = world.facts.accounts[0]?.address
  await withWallets({ name: 'Ada Wallet' })
  const first = await page.goto(`${pages}/rendered`)
  expect(await first?.text()).toContain('Connect wallet')
  await connectWith(page, 'Ada Wallet')
  const second = await page.goto(`${pages}/rendered`)
  const html = (await second?.text()) ?? ''
  expect(html).toContain(address)
  expect(html).toContain('reconnecting')
  expect(html).not.toContain('Connect wallet')
  await expect(page.getByLabel('Status')).toHaveText(`connected ${address} eip155:31337`)
})

test('connections and network switches sync in both directions with an unmodified wagmi v3 app', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  const address = world.facts.accounts[0]?.address
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/wagmi.html`)
  const status = page.getByLabel('wagmi')
  await expect(status).toContainText('disconnected')
  await connectWith(page, 'Ada Wallet')
  await expect(status).toHaveText(`connected ${address} 31337`)
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(page.getByLabel('Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.getByRole('button', { name: 'Switch by wagmi' }).click()
  await expect(status).toHaveText(`connected ${address} 31338`)
  await page.reload()
  await expect(status).toHaveText(`connected ${address} 31338`)
  await page.getByRole('button', { name: 'Leave by wagmi' }).click()
  await expect(status).toContainText('disconnected')
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
})

for (const wagmi of ['2', '3'])
  for (const discovery of ['', '&discovery'])
    for (const revocation of ['event', 'silent', 'unsupported'] as const) {
      const how = `wagmi ${wagmi}${discovery && ' with its own discovery'}, wallet with revocation: ${revocation}`

      test(`disconnecting in the modal or through wagmi disconnects both, even after a reload: ${how} [R1.13]`, async ({
        page,
        pages,
        withWallets,
      }) => {
        await withWallets({ name: 'Ada Wallet', revocation })
        await page.goto(`${pages}/wagmiCore.html?wagmi=${wagmi}${discovery}`)
        const status = page.getByLabel('wagmi', { exact: true })
        await expect(status).toContainText('disconnected')

        await connectWith(page, 'Ada Wallet')
        await expect(status).toHaveText(/^connected 0x\w+ by Latchkey$/)
        await page.reload()
        await expect(status).toHaveText(/^connected 0x\w+ by Latchkey$/)
        await accountButton(page).click()
        await disconnect(page)
        await expectLeft(page)

        await connectWith(page, 'Ada Wallet')
        await page.reload()
        await expect(status).toHaveText(/^connected 0x\w+ by Latchkey$/)
        await page.getByRole('button', { name: 'Leave by wagmi' }).click()
        await expectLeft(page)
      })

      if (discovery)
        test(`disconnecting in the modal also disconnects wallets that wagmi connected on its own: ${how} [R1.13]`, async ({
          page,
          pages,
          withWallets,
        }) => {
          await withWallets({ name: 'Ada Wallet', revocation }, { name: 'Bob Wallet', account: 1, revocation })
          await page.goto(`${pages}/wagmiCore.html?wagmi=${wagmi}${discovery}`)
          const status = page.getByLabel('wagmi', { exact: true })
          for (const name of ['Ada', 'Bob']) {
            await page.getByRole('button', { name: `${name} Wallet by wagmi` }).click()
            await expect(status).toContainText(`${name} Wallet`)
          }
          await connectWith(page, 'Ada Wallet')
          await page.reload()
          await expect(status).toContainText('Latchkey')
          await accountButton(page).click()
          await disconnect(page)
          await expectLeft(page)
        })
    }

for (const wagmi of ['2', '3'])
  test(`an account change in the wallet does not make wagmi ${wagmi} add its own connection [R1.13]`, async ({
    page,
    pages,
    world,
    withWallets,
    wallet,
  }) => {
    const [, bob] = world.facts.accounts
    await withWallets({ name: 'Ada Wallet', revocation: 'silent' })
    await page.goto(`${pages}/wagmiCore.html?wagmi=${wagmi}&discovery`)
    await connectWith(page, 'Ada Wallet')
    await wallet('Ada Wallet').script('setAccounts', [1])
    await expect(page.getByLabel('wagmi', { exact: true })).toHaveText(`connected ${bob?.address} by Latchkey`)
    await page.getByRole('button', { name: 'Leave by wagmi' }).click()
    await expectLeft(page)
  })

/** Checks that no wallet is connected in wagmi or Latchkey, both now and after a reload. */
async function expectLeft(page: Page): Promise<void> {
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await expect(page.getByLabel('wagmi', { exact: true })).toHaveText('disconnected by nothing')
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  }
}

test('a wallet that the host excludes is not offered even if it is installed [R3.13]', async ({
  page,
  pages,
  withWallets,
}) => {
  // MetaMask's directory ID and rdns.
  const known = { id: 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96', rdns: 'io.metamask' }
  await withWallets({ name: 'MetaMask', rdns: known.rdns }, { name: 'Ada Wallet' })
  const options = (excludeWalletIds: readonly string[]) =>
    new URLSearchParams({ options: JSON.stringify({ excludeWalletIds }) })
  const dialog = page.getByRole('dialog')

  await page.goto(`${pages}/hostPage.html?${options([])}`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(dialog.getByRole('button', { name: /^MetaMask/ })).toBeVisible()

  await page.goto(`${pages}/hostPage.html?${options([known.id])}`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(dialog.getByRole('button', { name: /^Ada Wallet/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^MetaMask/ })).toHaveCount(0)
})

test('an iPad that identifies as a Mac shows “All wallets” if the host only shows it on mobile devices [R9.7]', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const address = `${pages}/hostPage.html?${new URLSearchParams({ options: '{"features":{"allWallets":"only-mobile"}}' })}`
  const all = page.getByRole('dialog').getByRole('button', { name: /^All wallets/ })
  await page.goto(address)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Ada Wallet/ })).toBeVisible()
  await expect(all).toHaveCount(0)

  await page.addInitScript(() => {
    const userAgent =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15'
    Object.defineProperties(navigator, {
      userAgent: { get: () => userAgent },
      userAgentData: { get: () => undefined },
      maxTouchPoints: { get: () => 5 },
    })
  })
  await page.goto(address)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect(all).toBeVisible()
})

test('a page can connect with one import, one element and no options', async ({ page, pages, withWallets }) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/latchkeyComponent.html`)
  await connectWith(page, 'Ada Wallet')
  await expect(accountButton(page)).toContainText('0xf39F')
  await page.reload()
  await expect(accountButton(page)).toContainText('0xf39F')
})

test('a page without React can use the button as a custom element', async ({ page, pages, withWallets }) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/embed.html`)
  await connectWith(page, 'Ada Wallet')
  await expect(accountButton(page)).toContainText('0xf39F')
})

test.describe('a page that is wider than the phone’s screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  /** Checks whether `element` is entirely inside the visual viewport and fills its bottom edge. Also returns its width. */
  const inSight = (element: Locator) =>
    element.evaluate((node) => {
      const { offsetLeft = 0, offsetTop = 0, width = 0, height = 0 } = window.visualViewport ?? {}
      const box = node.getBoundingClientRect()
      return {
        isWhole:
          box.left >= offsetLeft - 1 &&
          box.right <= offsetLeft + width + 1 &&
          box.top >= offsetTop - 1 &&
          box.bottom <= offsetTop + height + 1,
        isAtTheEdge: Math.abs(box.bottom - offsetTop - height) <= 1 && Math.abs(box.width - width) <= 1,
        width,
      }
    })

  test('shows the sheet and the embedded wallet’s frame in the visual viewport', async ({ page, world }) => {
    const host = new URL(`http://shop.localhost:${world.port}/hostPage.html`)
    host.searchParams.set('frame', world.facts.keys)
    await page.goto(host.href)
    await page.evaluate(() => {
      const wide = document.createElement('div')
      wide.style.cssText = 'width: 700px; height: 2000px'
      document.body.append(wide)
    })
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const seen = { isWhole: true, isAtTheEdge: true, width: 390 }
    await expect.poll(() => inSight(page.locator('latchkey-modal .card'))).toMatchObject(seen)

    await dialog.getByRole('textbox', { name: /mail/i }).fill('wide@bakery.example')
    await page.keyboard.press('Enter')
    const frame = page.locator('iframe')
    await expect(frame).toBeVisible()
    await expect.poll(() => inSight(frame)).toMatchObject(seen)
  })
})
