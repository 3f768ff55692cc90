import { accountButton, connectWith, disconnect, expect, test } from './support/fixtures.ts'

test('under a strict CSP, a user connects, pays, signs, switches networks and disconnects [R1.13] [R3.15] [R3.17]', async ({
  page,
  world,
  withWallets,
  wallet,
}) => {
  await withWallets({ name: 'Ada Wallet' })
  const answer = await page.goto(world.facts.demo)
  expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'")
  expect(answer?.headers()['cross-origin-opener-policy']).toBe('same-origin')

  await page.getByRole('button', { name: 'Add Country sourdough' }).click()
  await connectWith(page, 'Ada Wallet')
  await expect(accountButton(page)).toContainText('0xf39F')

  await page.getByRole('link', { name: 'To the order' }).click()
  await page.getByRole('button', { name: 'Pay 6.80 TUSD' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await expect(page.getByText('6.80 TUSD reached the bakery.')).toBeVisible()

  await page.getByRole('button', { name: 'Sign the pickup slip' }).click()
  await expect(page.getByText('Signed and checked: this order is yours.')).toBeVisible()

  await page.getByRole('button', { name: 'Network: Bakery Chain' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Market Chain/ })
    .click()
  await expect(page.getByRole('button', { name: 'Network: Market Chain' })).toBeVisible()
  expect((await wallet('Ada Wallet').requests()).map(({ method }) => method)).toContain('wallet_switchEthereumChain')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Network: Market Chain' })).toBeVisible()
  await expect(accountButton(page)).toContainText('0xf39F')
  const methods = (await wallet('Ada Wallet').requests()).map(({ method }) => method)
  expect(methods).not.toContain('eth_requestAccounts')

  await accountButton(page).click()
  await disconnect(page)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  expect((await wallet('Ada Wallet').requests()).map(({ method }) => method)).not.toContain('eth_requestAccounts')
})

test('a user without a wallet pays in ether with the test wallet [R1.13]', async ({ page, world }) => {
  await page.goto(world.facts.demo)
  await page.getByRole('button', { name: 'Add Croissant' }).click()
  await page.getByRole('button', { name: 'Try with a test wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Test Wallet/ })
    .click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(accountButton(page)).toBeVisible()
  await page.getByRole('link', { name: 'To the order' }).click()
  await page.getByRole('radio', { name: /^ETH/ }).check()
  await page.getByRole('button', { name: /^Pay .* ETH$/ }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('You declined the payment in your wallet. Nothing was paid.')).toBeVisible()
  await page.getByRole('button', { name: /^Pay .* ETH$/ }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('ETH reached the bakery.')).toBeVisible()
})
