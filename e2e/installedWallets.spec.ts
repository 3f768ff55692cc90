import { connectWith, expect, test } from './support/fixtures.ts'

test('a user who declines sees a message and can try again [R4.3]', async ({ page, pages, withWallets, wallet }) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await wallet('Ada Wallet').script('decline')
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Ada Wallet/ }).click()
  await expect(dialog.getByText('You declined')).toBeVisible()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  await wallet('Ada Wallet').script('approve')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Status')).toContainText('connected 0xf39F')
})

test('a declined signature rejects the host’s request and keeps the session [R4.3]', async ({
  page,
  pages,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  await wallet('Ada Wallet').script('decline')
  await page.getByRole('button', { name: 'Sign' }).click()
  await expect(page.getByLabel('Signature')).toHaveText('refused 4001')
  await expect(page.getByLabel('Status')).toContainText('connected')
})

test('closing the modal while the wallet is waiting for approval cancels the connection attempt [R4.3]', async ({
  page,
  pages,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await wallet('Ada Wallet').script('hold')
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Ada Wallet/ }).click()
  await expect(page.getByLabel('Status')).toContainText('connecting')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
  // An approval that arrives late does not connect the wallet.
  await wallet('Ada Wallet').script('release')
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await expect(page.getByLabel('Status')).toContainText('disconnected')
})

test('changes in the wallet are reflected on the page [R3.15] [R4.3]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  const [ada, bob] = world.facts.accounts
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  const status = page.getByLabel('Status')
  await wallet('Ada Wallet').script('setAccounts', [1])
  await expect(status).toContainText(`connected ${bob?.address}`)
  await wallet('Ada Wallet').script('setChain', 31338)
  await expect(status).toContainText('eip155:31338')
  await wallet('Ada Wallet').script('setAccounts', [0])
  await expect(status).toContainText(`connected ${ada?.address}`)
  await wallet('Ada Wallet').script('forget')
  await expect(status).toContainText('disconnected')
})

test('a view opens while the wallet is on a network that the host does not support [R2.9 R1.13]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  await wallet('Ada Wallet').script('setChain', { ...world.facts.chains[0], id: 999, name: 'Elsewhere' })
  const dialog = page.getByRole('dialog', { name: 'Switch network' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: /Market Chain/ }).click()
  await expect(page.getByLabel('Status')).toContainText('eip155:31338')
  await expect(dialog).toBeHidden()
})

test('the modal reports a wallet that stops responding, and checking again clears the report once it responds [R4.3]', async ({
  page,
  pages,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.clock.install()
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  await wallet('Ada Wallet').script('die')
  await page.getByRole('button', { name: /^Account / }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  // The host sends a request that needs no approval. If the wallet does not respond within ten seconds, it is probed.
  await page.evaluate(() => (window as unknown as { askBlock: () => void }).askBlock())
  await page.clock.fastForward(21_000)
  await page.clock.fastForward(21_000)
  await expect(dialog.getByText('Ada Wallet stopped responding')).toBeVisible()
  await expect(page.getByLabel('Status')).toContainText('silent')
  await wallet('Ada Wallet').script('revive')
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByLabel('Status')).toContainText('ok')
})

test('if multiWallet is enabled, connecting a second wallet keeps the first connected, and the user can switch between them', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' }, { name: 'Bob Wallet', account: 1 })
  await page.goto(`${pages}/hostPage.html?options=${encodeURIComponent(JSON.stringify({ multiWallet: true }))}`)
  await connectWith(page, 'Ada Wallet')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: /^Account / }).click()
  await dialog.getByRole('button', { name: /^Wallets/ }).click()
  await dialog.getByRole('button', { name: 'Connect another wallet' }).click()
  await dialog.getByRole('button', { name: /^Bob Wallet/ }).click()
  await expect(page.getByLabel('Status')).toContainText('0x7099')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account / }).click()
  await dialog.getByRole('button', { name: /^Wallets/ }).click()
  await dialog.getByRole('button', { name: /Switch to Ada Wallet/ }).click()
  await expect(page.getByLabel('Status')).toContainText('0xf39F')
})

test('malicious wallet announcements with scripts, oversized values or duplicates cause no harm [R3.13]', async ({
  page,
  pages,
  withWallets,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  await page.addInitScript(() => {
    const provider = window.wallets?.['Ada Wallet']?.provider
    const info = window.wallets?.['Ada Wallet']?.info
    const say = (detail: unknown): void => {
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
    const trap = {
      get info(): never {
        throw new Error('trap')
      },
    }
    addEventListener('eip6963:requestProvider', () => {
      say(undefined)
      say(null)
      say(trap)
      say({ info: 'text', provider })
      say({ info: { ...info, name: 'No provider', uuid: 'a', rdns: 'no.provider' } })
      say({
        info: { ...info, icon: 'javascript:alert(1)', name: 'Script Icon', uuid: 'b', rdns: 'script.icon' },
        provider,
      })
      say({ info: { ...info, name: 'Twin Wallet' }, provider: Object.freeze({ request: async () => [] }) })
      say({ info: { ...info, name: 'x'.repeat(5000), uuid: 'c', rdns: 'long.name' }, provider })
      say({
        info: {
          ...info,
          icon: `data:image/png;base64,${'A'.repeat(4_000_000)}`,
          uuid: 'd',
          rdns: 'huge.icon',
          name: 'Huge Icon',
        },
        provider,
      })
    })
  })
  await page.goto(`${pages}/hostPage.html`)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /^Ada Wallet/ })).toHaveCount(1)
  await expect(dialog.getByText('Twin Wallet')).toHaveCount(0)
  await expect(dialog.getByText('No provider')).toHaveCount(0)
  expect(await dialog.locator('img[src^="javascript"]').count()).toBe(0)
  const box = await dialog.locator('.card').boundingBox()
  expect(box?.width).toBeLessThanOrEqual(360)
  await dialog.getByRole('button', { name: /^Ada Wallet/ }).click()
  await expect(page.getByLabel('Status')).toContainText('connected 0xf39F')
})
