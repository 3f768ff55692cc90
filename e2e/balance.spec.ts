import { createTestClient, http, parseEther, publicActions } from 'viem'
import { accountButton, connectWith, expect, test, type World } from './support/fixtures.ts'

// The displayed balance is updated without user interaction.

const chainOf = (world: World) => {
  const [chain] = world.facts.chains
  return createTestClient({ mode: 'anvil', chain, transport: http() }).extend(publicActions)
}

const thousands = (value: bigint): string => new Intl.NumberFormat('en').format(value / 10n ** 18n)

test('after a payment, the button shows the new balance within 30 seconds, and the account view within ten seconds [R9.4 R9.14]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  const chain = chainOf(world)
  const address = world.facts.accounts[2]?.address as `0x${string}`
  await withWallets({ name: 'Cleo Wallet', account: 2 })
  await chain.setBalance({ address, value: parseEther('9999.98989') })
  await page.clock.install()
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Cleo Wallet')
  const button = accountButton(page)
  await expect(button).toContainText('9,999.989\u2009ETH')

  await chain.setBalance({ address, value: parseEther('12345.5') })
  await page.clock.runFor(21_000)
  await page.clock.runFor(11_000)
  await expect(button).toContainText('12,345.5\u2009ETH')

  await button.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('12,345.5\u2009ETH')
  await chain.setBalance({ address, value: parseEther('0.00099') })
  await page.clock.runFor(11_000)
  await expect(dialog).toContainText('0.000\u2009ETH')
  await expect(button).toContainText('0.000\u2009ETH')
  await chain.setBalance({ address, value: parseEther('10000') })
})

test('no balance is shown while the wallet is on a chain that the host does not configure [R9.4]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const value = await chainOf(world).getBalance({ address: world.facts.accounts[0]?.address as `0x${string}` })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  const button = accountButton(page)
  await expect(button).toContainText(thousands(value))
  await wallet('Ada Wallet').script('setChain', { ...world.facts.chains[0], id: 4242, name: 'Elsewhere' })
  await expect(button).toHaveAttribute('data-status', 'unsupported')
  await expect(button).not.toContainText('ETH')
  await expect(button).not.toHaveAccessibleName(/ETH/)
})
