import { webcrypto } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { getAddress, parseEther, toHex } from 'viem'
import { createTestToken, createTestWallet } from '../packages/adapters/src/solana/testing/testToken.ts'
import { logInToHostPage, logInWithModal } from './support/embeddedLogin.ts'
import { accountButton, connectWith, expect, test } from './support/fixtures.ts'
import { approve } from './support/framePage.ts'
import { chainOf, payToken, tokenBalance } from './support/localChain.ts'
import { scan } from './support/readQrCode.ts'
import { lamportsOf, tokenAmountOf } from './support/solanaTransfer.ts'

// Sending on the local chains, from the account view to the receipt.

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const anybody = () => getAddress(toHex(webcrypto.getRandomValues(new Uint8Array(20))))
const someone = (name: string) => `${name}-${Date.now().toString(36)}@send.example`
/** Opens the form from the account view. */
async function openForm(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  // The dialog can be closing.
  await expect(async () => {
    if (!(await dialog.isVisible())) await accountButton(page).click({ timeout: 5_000 })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 5_000 })
  }).toPass()
  await expect(dialog.getByRole('heading', { name: 'Send' })).toBeVisible()
  return dialog
}

async function enter(dialog: Locator, amount: string, recipient: string): Promise<void> {
  await dialog.getByRole('textbox', { name: /^Amount in/ }).fill(amount)
  await dialog.getByRole('textbox', { name: 'Recipient' }).fill(recipient)
  await dialog.getByRole('button', { name: 'Review send' }).click()
  await expect(dialog.getByRole('heading', { name: 'Review send' })).toBeVisible()
}

test('with an injected wallet, ether and a token whose transfer returns nothing arrive, and the recipient is remembered [R1.11]', async ({
  page,
  pages,
  world,
  withWallets,
}) => {
  test.setTimeout(120_000)
  const chain = chainOf(world)
  const recipient = anybody()
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')

  const dialog = await openForm(page)
  await enter(dialog, '0.25', recipient.toLowerCase())
  await expect(dialog.getByText(/^Send 0\.25.ETH$/)).toBeVisible()
  await expect(dialog.getByText('No earlier transfer to this address was found.', { exact: false })).toBeVisible()
  await expect(dialog.getByText(/^About 0\.0/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText(/^0\.25.ETH sent$/)).toBeVisible({ timeout: 30_000 })
  expect(await chain.getBalance({ address: recipient })).toBe(parseEther('0.25'))
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openForm(page)
  await dialog.getByRole('button', { name: /^Token: / }).click()
  await dialog.getByRole('button', { name: /tUSDT/ }).click()
  await dialog.getByRole('textbox', { name: 'Amount in tUSDT' }).fill('12.5')
  await dialog.getByRole('list', { name: 'Recent recipients' }).getByRole('button').click()
  await dialog.getByRole('button', { name: 'Review send' }).click()
  await expect(dialog.getByText(/^Send 12\.5.tUSDT$/)).toBeVisible()
  await expect(dialog.getByText('No earlier transfer', { exact: false })).toBeHidden()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText(/^12\.5.tUSDT sent$/)).toBeVisible({ timeout: 30_000 })
  expect(await tokenBalance(world, 'usdt', recipient)).toBe(12_500_000n)
})

test('what was entered survives a reload and a declined request, and a changed network sends nothing [R1.11]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  test.setTimeout(120_000)
  const recipient = anybody()
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Ada Wallet')
  let dialog = await openForm(page)
  await dialog.getByRole('textbox', { name: /^Amount in/ }).fill('0.125')
  await dialog.getByRole('textbox', { name: 'Recipient' }).fill(recipient)
  await expect(dialog.getByRole('button', { name: 'Review send' })).toBeEnabled()

  await page.reload()
  await expect(accountButton(page)).toBeVisible()
  dialog = await openForm(page)
  await expect(dialog.getByRole('textbox', { name: /^Amount in/ })).toHaveValue('0.125')
  await expect(dialog.getByRole('textbox', { name: 'Recipient' })).toHaveValue(recipient)

  await wallet('Ada Wallet').script('decline', 'eth_sendTransaction')
  await dialog.getByRole('button', { name: 'Review send' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('You declined')).toBeVisible()
  await dialog.getByRole('button', { name: 'Edit transfer' }).click()
  await expect(dialog.getByRole('textbox', { name: /^Amount in/ })).toHaveValue('0.125')

  await dialog.getByRole('button', { name: 'Review send' }).click()
  await expect(dialog.getByText(/^Send 0\.125.ETH$/)).toBeVisible()
  await wallet('Ada Wallet').script('setChain', world.facts.chains[1])
  await expect(dialog.getByText('Nothing was sent')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Send', exact: true })).toBeHidden()
  expect(await chainOf(world).getBalance({ address: recipient })).toBe(0n)
})

for (const [account, type] of [
  ['key', 'eoa'],
  ['smart account', 'smartAccount'],
] as const)
  test(`with the embedded wallet’s ${account}, ether and a token arrive after the approval in the frame [R1.11]`, async ({
    page,
    world,
  }) => {
    // The first request of a smart account starts the bundler.
    test.setTimeout(240_000)
    const chain = chainOf(world)
    const recipient = anybody()
    const address = await logInToHostPage(page, world, { name: 'sender', type })
    await chain.setBalance({ address, value: parseEther('3') })
    await payToken(world, { token: 'usdt', to: address, amount: 50_000_000n })
    let isDelayed = true
    await page.route('**/v1/account/*/history*', async (route) =>
      isDelayed ? route.fulfill({ json: { data: [], next: null } }) : route.continue(),
    )
    await page.reload()
    await expect(accountButton(page)).toContainText(/3\u2009ETH/, { timeout: 30_000 })

    const frame = page.frameLocator('iframe')
    const dialog = await openForm(page)
    await enter(dialog, '0.5', recipient)
    await expect(dialog.getByText(type === 'eoa' ? /^About 0\.0/ : /^Up to 0\.0/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(frame.getByText('0.5 ETH').first()).toBeVisible({ timeout: 90_000 })
    await approve(frame, 'Approve')
    await expect(dialog.getByText(/^0\.5.ETH sent$/)).toBeVisible({ timeout: 90_000 })
    expect(await chain.getBalance({ address: recipient })).toBe(parseEther('0.5'))
    await dialog.getByRole('button', { name: 'Done' }).click()

    await openForm(page)
    await dialog.getByRole('button', { name: /^Token: / }).click()
    await dialog.getByRole('button', { name: /tUSDT/ }).click()
    await enter(dialog, '7', recipient)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await approve(frame, 'Approve')
    await expect(dialog.getByText(/^7.tUSDT sent$/)).toBeVisible({ timeout: 90_000 })
    expect(await tokenBalance(world, 'usdt', recipient)).toBe(7_000_000n)

    // The transaction is in the activity before the server’s history has it, and only once afterwards.
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.getByRole('tab', { name: 'Activity' }).click()
    await expect(dialog.getByText(/^Send 7.tUSDT$/)).toBeVisible()
    isDelayed = false
    await page.reload()
    await accountButton(page).click()
    await dialog.getByRole('tab', { name: 'Activity' }).click()
    await expect(dialog.getByText(/−7.tUSDT/)).toBeVisible({ timeout: 30_000 })
    await expect(dialog.getByText(/^Send 7.tUSDT$/)).toBeHidden()
    await expect(dialog.getByText(/−0\.5.ETH/)).toBeVisible()
  })

test('with the embedded wallet’s key, a pending transfer is sped up and another one cancelled, and each is executed once at most', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000)
  const chain = chainOf(world)
  const recipient = anybody()
  const address = await logInToHostPage(page, world, { name: 'hasty' })
  await chain.setBalance({ address, value: parseEther('3') })
  await page.reload()
  await expect(accountButton(page)).toContainText(/3\u2009ETH/, { timeout: 30_000 })
  const frame = page.frameLocator('iframe')
  await chain.setAutomine(false)
  try {
    const dialog = await openForm(page)
    const sendAndClose = async (amount: string): Promise<void> => {
      await enter(dialog, amount, recipient)
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await approve(frame, 'Approve')
      await expect(dialog.getByText(new RegExp(`^Sending ${amount.replace('.', '\\.')}`))).toBeVisible()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await dialog.getByRole('tab', { name: 'Activity' }).click()
    }
    await sendAndClose('0.5')
    await dialog.getByRole('button', { name: 'Speed up' }).click({ timeout: 30_000 })
    await expect(frame.getByText('This replaces a pending transaction')).toBeVisible()
    await expect(frame.getByText('0.5 ETH').first()).toBeVisible()
    await approve(frame, 'Approve')
    await dialog.getByRole('tab', { name: 'Activity' }).click()
    await expect(dialog.getByText(/^Send 0\.5.ETH$/)).toHaveCount(2)
    await chain.mine({ blocks: 1 })
    expect(await chain.getBalance({ address: recipient })).toBe(parseEther('0.5'))
    expect(await chain.getTransactionCount({ address })).toBe(1)

    await dialog.getByRole('tab', { name: 'Tokens' }).click()
    await openForm(page)
    await sendAndClose('0.25')
    // The transaction that was replaced is also pending until the page has found out.
    const row = dialog.getByRole('listitem').filter({ hasText: /^Send 0\.25.ETH/ })
    await row.getByRole('button', { name: 'Cancel transaction' }).click({ timeout: 30_000 })
    await expect(frame.getByText('This replaces a pending transaction')).toBeVisible()
    await approve(frame, 'Approve')
    await dialog.getByRole('tab', { name: 'Activity' }).click()
    await expect(dialog.getByText(/^Cancel: Send 0\.25.ETH$/)).toBeVisible()
    await chain.mine({ blocks: 1 })
    expect(await chain.getBalance({ address: recipient })).toBe(parseEther('0.5'))
    expect(await chain.getTransactionCount({ address })).toBe(2)
    await expect(dialog.getByText('Replaced or dropped').first()).toBeVisible({ timeout: 60_000 })
  } finally {
    await chain.setAutomine(true)
  }
})

test('on Solana, the embedded wallet sends SOL and a token to a recipient without a token account, the server has both in the history, and a camera reads the address [R1.10] [R1.11]', async ({
  page,
  pages,
  world,
}) => {
  test.setTimeout(240_000)
  const { url } = world.facts.solana
  const recipient = base58.encode(webcrypto.getRandomValues(new Uint8Array(32)))
  await page.goto(`${pages}/solana.html`)
  await logInWithModal(page, world, someone('solana'))
  const owner = (await page.getByLabel('Address').textContent()) ?? ''
  const mint = await createTestToken(url, {
    owner: await createTestWallet(url, 1_000_000_000n),
    amount: 40_000_000n,
    recipient: owner,
  })
  await page.getByRole('button', { name: 'Get test money' }).click()
  await expect(accountButton(page)).toHaveAccessibleName(/, 2 SOL$/, { timeout: 40_000 })

  const frame = page.frameLocator('iframe')
  const dialog = await openForm(page)
  await enter(dialog, '0.75', recipient)
  await expect(dialog.getByText(/^Send 0\.75.SOL$/)).toBeVisible()
  await expect(dialog.getByText('No earlier transfer to this address was found.', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await approve(frame, 'Approve')
  await expect(dialog.getByText(/^0\.75.SOL sent$/)).toBeVisible({ timeout: 40_000 })
  expect(await lamportsOf(url, recipient)).toBe(750_000_000)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openForm(page)
  await dialog.getByRole('button', { name: /^Token: / }).click()
  await dialog.getByRole('button', { name: 'Show hidden tokens' }).click()
  await dialog.getByRole('button', { name: new RegExp(mint.slice(0, 4)) }).click()
  await enter(dialog, '2.5', recipient)
  await expect(dialog.getByText('to open the recipient’s token account', { exact: false })).toBeVisible()
  await expect(dialog.getByText('No earlier transfer', { exact: false })).toBeHidden()
  // The token has no metadata that says its symbol.
  await dialog.getByRole('checkbox', { name: 'I will check the token', exact: false }).check()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await approve(frame, 'Approve')
  await expect(dialog.getByText(/^2\.5.* sent$/)).toBeVisible({ timeout: 90_000 })
  expect(await tokenAmountOf(url, { owner: recipient, mint })).toBe('2500000')
  expect(await tokenAmountOf(url, { owner, mint })).toBe('37500000')
  await dialog.getByRole('button', { name: 'Done' }).click()

  // The QR code of the address is read from the screen.
  await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
  await expect(dialog.getByRole('img', { name: /QR code of your address/ })).toBeVisible()
  expect(await scan(page)).toBe(owner)
  await expect(dialog.locator('.receive-address')).toHaveText(owner)
  await dialog.getByRole('button', { name: 'Back' }).click()

  // The modal shows no activity on Solana, but the server has the history.
  await expect(dialog.getByRole('button', { name: '1 hidden token' })).toBeVisible()
  const query = new URLSearchParams({ projectId: 'local', chainId: world.facts.solana.chainId })
  const answer = await fetch(`http://127.0.0.1:${world.port}/v1/account/${owner}/history?${query}`)
  const { data } = (await answer.json()) as { data: { metadata: object; transfers: object[] }[] }
  expect(data).toMatchObject([
    {
      metadata: { sentFrom: owner, status: 'confirmed' },
      transfers: expect.arrayContaining([expect.objectContaining({ direction: 'out', quantity: { numeric: '2.5' } })]),
    },
    { metadata: { sentFrom: owner, sentTo: recipient }, transfers: [{ quantity: { numeric: '0.75' } }] },
    { transfers: [{ direction: 'in', quantity: { numeric: '2' } }] },
    // The deposit of the token account is a separate transfer.
    { transfers: expect.arrayContaining([expect.objectContaining({ direction: 'in', quantity: { numeric: '40' } })]) },
  ])
})
