import type { Locator, Page } from '@playwright/test'
import { type Hex, parseEther } from 'viem'
import { logInToHostPage } from './support/embeddedLogin.ts'
import { accountButton, connectWith, expect, test, type World } from './support/fixtures.ts'
import { approve, approveIn, openApproval } from './support/framePage.ts'
import { approveToken, chainOf, payToken, tokenBalance } from './support/localChain.ts'

// Swaps through the contracts of Uniswap on the local chain, from the form to the balances after it.

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })
test.setTimeout(180_000)

const address = ({ facts }: World, index: number): Hex => facts.accounts[index]?.address as Hex
const field = (dialog: Locator, side: 'pay' | 'receive') => dialog.getByRole('textbox', { name: `You ${side}` })
const approval = (dialog: Locator, symbol: string) => dialog.getByRole('button', { name: `Approve ${symbol}` })
const confirm = (dialog: Locator) => dialog.getByRole('button', { name: 'Swap', exact: true })
const isComplete = (dialog: Locator) => expect(dialog.getByText('Swap complete')).toBeVisible({ timeout: 30_000 })
const transactionsOf = (world: World, owner: Hex) => chainOf(world).getTransactionCount({ address: owner })

const exchangeOf = ({ facts }: World) => {
  if (!facts.exchange) throw new Error('The environment has no exchange.')
  return facts.exchange.contracts
}
/** The options of a host that trusts the local exchange. */
const trusting = (world: World) => {
  const { router, wrappedNative } = exchangeOf(world)
  return { swapExchanges: { 'eip155:31337': { router, wrappedNative } } }
}

/** Resolves to the receipt of the latest transaction from `owner`, which is in one of the latest blocks. */
async function lastReceipt(world: World, owner: Hex) {
  const chain = chainOf(world)
  for (let number = await chain.getBlockNumber(); ; number--) {
    const { transactions } = await chain.getBlock({ blockNumber: number, includeTransactions: true })
    const own = transactions.find(({ from }) => from === owner.toLowerCase())
    if (own) return chain.getTransactionReceipt({ hash: own.hash })
  }
}

async function openSwap(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  // The dialog can be closing.
  await expect(async () => {
    if (!(await dialog.isVisible())) await accountButton(page).click({ timeout: 5_000 })
    await dialog.getByRole('button', { name: 'Swap', exact: true }).click({ timeout: 5_000 })
  }).toPass()
  await expect(dialog.getByRole('heading', { name: 'Swap' })).toBeVisible()
  return dialog
}

async function choose(dialog: Locator, side: 'pay' | 'receive', symbol: string): Promise<void> {
  await dialog
    .getByRole('button', { name: new RegExp(`^You ${side}: |^Select token$`) })
    .first()
    .click()
  await dialog.getByRole('list', { name: 'Common tokens' }).getByRole('button', { name: symbol, exact: true }).click()
  await expect(dialog.getByRole('button', { name: `You ${side}: ${symbol}` })).toBeVisible()
}

/** Enters a swap and opens its review. Resolves to the least amount that is received, in base units. */
async function review(
  dialog: Locator,
  swap: { readonly from: string; readonly to: string; readonly amount: string; readonly decimals: number },
): Promise<bigint> {
  await choose(dialog, 'pay', swap.from)
  await choose(dialog, 'receive', swap.to)
  await field(dialog, 'pay').fill(swap.amount)
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByRole('heading', { name: 'Review swap' })).toBeVisible()
  return minimumIn(dialog, swap.decimals)
}

async function minimumIn(dialog: Locator, decimals: number): Promise<bigint> {
  const text = await dialog.locator('dt', { hasText: 'Minimum received' }).locator('+ dd bdi').textContent()
  const [whole = '', fraction = ''] = (text ?? '').replace(/,|\u2009\w+$/g, '').split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

test('with an injected wallet, a token is approved and swapped for ether, and ether for a token; declined requests lose nothing [R1.8]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  const owner = address(world, 0)
  const chain = chainOf(world)
  const before = { token: await tokenBalance(world, 'usdc', owner), sent: await transactionsOf(world, owner) }
  await withWallets({ name: 'Ada Wallet' })
  await page.goto(`${pages}/hostPage.html?options=${encodeURIComponent(JSON.stringify(trusting(world)))}`)
  await connectWith(page, 'Ada Wallet')
  const { script } = wallet('Ada Wallet')

  const dialog = await openSwap(page)
  const atLeast = await review(dialog, { from: 'tUSDC', to: 'ETH', amount: '29.5', decimals: 18 })
  await script('decline', 'eth_sendTransaction')
  await approval(dialog, 'tUSDC').click()
  await expect(dialog.getByText('You declined in your wallet. Nothing was sent.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).last().click()
  await expect(field(dialog, 'pay')).toHaveValue('29.5')
  await dialog.getByRole('button', { name: 'Review swap' }).click()

  await script('approve')
  await approval(dialog, 'tUSDC').click()
  await expect(confirm(dialog)).toBeEnabled({ timeout: 30_000 })
  await script('decline', 'eth_sendTransaction')
  await confirm(dialog).click()
  await expect(dialog.getByText('The exchange can still take 29.5', { exact: false })).toBeVisible()
  expect(await tokenBalance(world, 'usdc', owner)).toBe(before.token)
  await script('approve')
  const etherBefore = await chain.getBalance({ address: owner })
  await confirm(dialog).click()
  await isComplete(dialog)
  expect(await tokenBalance(world, 'usdc', owner)).toBe(before.token - 29_500_000n)
  const { gasUsed, effectiveGasPrice } = await lastReceipt(world, owner)
  const received = (await chain.getBalance({ address: owner })) - etherBefore + gasUsed * effectiveGasPrice
  expect(received).toBeGreaterThanOrEqual(atLeast)
  // About 2,961 dollars per ether.
  expect(received).toBeLessThan(parseEther('0.00997'))
  expect(await transactionsOf(world, owner)).toBe(before.sent + 2)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const middle = await tokenBalance(world, 'usdc', owner)
  await openSwap(page)
  await expect(field(dialog, 'pay')).toHaveValue('')
  const atLeastTokens = await review(dialog, { from: 'ETH', to: 'tUSDC', amount: '0.5', decimals: 6 })
  await confirm(dialog).click()
  await isComplete(dialog)
  const bought = (await tokenBalance(world, 'usdc', owner)) - middle
  expect(bought).toBeGreaterThanOrEqual(atLeastTokens)
  expect(bought).toBeLessThan(1_480_500_000n)
  expect(await transactionsOf(world, owner)).toBe(before.sent + 3)
})

test('an approval of Tether that is too small is reset first, and a reload in each step sends nothing twice [R1.8]', async ({
  page,
  pages,
  world,
  withWallets,
  wallet,
}) => {
  const owner = address(world, 2)
  await approveToken(world, { token: 'usdt', spender: exchangeOf(world).router, amount: 1_000_000n, index: 2 })
  const before = { token: await tokenBalance(world, 'usdt', owner), sent: await transactionsOf(world, owner) }
  await withWallets({ name: 'Cleo Wallet', account: 2 })
  await page.goto(`${pages}/hostPage.html`)
  await connectWith(page, 'Cleo Wallet')
  const { script } = wallet('Cleo Wallet')
  const reopen = async (): Promise<void> => {
    await page.reload()
    await expect(accountButton(page)).toBeVisible()
    await openSwap(page)
    await expect(field(dialog, 'pay')).toHaveValue('40')
    await expect(dialog.getByRole('button', { name: 'You pay: tUSDT' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'You receive: tUSDC' })).toBeVisible()
  }
  const dialog = await openSwap(page)
  await review(dialog, { from: 'tUSDT', to: 'tUSDC', amount: '40', decimals: 6 })
  // This page does not know the contract of the local exchange.
  const reset = dialog.getByRole('button', { name: 'Reset the approval of tUSDT' })
  await expect(dialog.getByText('This swap could not be verified')).toBeVisible()
  await expect(reset).toBeDisabled()
  const trust = dialog.getByRole('checkbox', { name: 'I trust this exchange contract.' })
  await trust.check()
  await reset.click()
  await expect(approval(dialog, 'tUSDT')).toBeEnabled({ timeout: 30_000 })

  // The approval is not needed again after a reload.
  await approval(dialog, 'tUSDT').click()
  await expect(dialog.getByText('Approving tUSDT…').or(confirm(dialog))).toBeVisible()
  await reopen()
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(confirm(dialog)).toBeDisabled()
  await trust.check()
  await expect(confirm(dialog)).toBeEnabled()

  // The wallet asks while the page is reloaded.
  await script('hold')
  await confirm(dialog).click()
  await expect(dialog.getByText('Confirm in your wallet')).toBeVisible()
  await reopen()
  await expect(dialog.getByText('A transaction may have been sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await trust.check()
  await expect(confirm(dialog)).toBeDisabled()
  expect(await transactionsOf(world, owner)).toBe(before.sent + 2)
  await dialog.getByRole('button', { name: 'I have checked' }).click()
  const received = await tokenBalance(world, 'usdc', owner)
  const atLeast = await minimumIn(dialog, 6)
  await confirm(dialog).click()
  await isComplete(dialog)
  expect(await tokenBalance(world, 'usdt', owner)).toBe(before.token - 40_000_000n)
  expect((await tokenBalance(world, 'usdc', owner)) - received).toBeGreaterThanOrEqual(atLeast)
  expect(await transactionsOf(world, owner)).toBe(before.sent + 3)
  await page.reload()
  await openSwap(page)
  await expect(field(dialog, 'pay')).toHaveValue('')
})

test('with the embedded wallet’s smart account, a token is approved and swapped for ether by user operations, and ether for a token [R1.8]', async ({
  page,
  world,
}) => {
  // The first request of a smart account starts the bundler.
  test.setTimeout(300_000)
  const slow = { timeout: 90_000 }
  const options = trusting(world)
  const owner = await logInToHostPage(page, world, { name: 'smart-swap', type: 'smartAccount', options })
  const chain = chainOf(world)
  await chain.setBalance({ address: owner, value: parseEther('2') })
  await payToken(world, { token: 'usdc', to: owner, amount: 80_000_000n })
  const frame = page.frameLocator('iframe')
  /** Approves the swap once the bundler has responded, because the screen changes until then. */
  const approveSwap = async (): Promise<void> => {
    const approval = await openApproval(frame)
    await expect(approval.getByText('Leaves your account')).toBeVisible(slow)
    await approveIn(approval, 'Approve')
  }
  const dialog = await openSwap(page)
  const atLeast = await review(dialog, { from: 'tUSDC', to: 'ETH', amount: '59', decimals: 18 })
  await approval(dialog, 'tUSDC').click()
  await expect(frame.getByText('A contract owned by your key')).toBeVisible(slow)
  await approve(frame, 'Approve')
  await expect(confirm(dialog)).toBeEnabled(slow)
  // The first user operation has deployed the account.
  expect(await chain.getCode({ address: owner })).toMatch(/^0x[0-9a-f]{100}/)
  const before = await chain.getBalance({ address: owner })
  await confirm(dialog).click()
  await approveSwap()
  await expect(dialog.getByText('Swap complete')).toBeVisible(slow)
  expect(await tokenBalance(world, 'usdc', owner)).toBe(21_000_000n)
  // The account pays the fee of the user operation from what it receives.
  const received = (await chain.getBalance({ address: owner })) - before
  expect(received).toBeGreaterThan((atLeast * 3n) / 4n)
  expect(received).toBeLessThan(parseEther('0.02'))
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openSwap(page)
  const atLeastTokens = await review(dialog, { from: 'ETH', to: 'tUSDC', amount: '0.25', decimals: 6 })
  await confirm(dialog).click()
  await approveSwap()
  await expect(dialog.getByText('Swap complete')).toBeVisible(slow)
  expect(await tokenBalance(world, 'usdc', owner)).toBeGreaterThanOrEqual(21_000_000n + atLeastTokens)
})

test('with the embedded wallet, a token is approved and swapped for ether after approvals in the frame, and ether for a token [R1.8]', async ({
  page,
  world,
}) => {
  const owner = await logInToHostPage(page, world, { name: 'swap', options: trusting(world) })
  const chain = chainOf(world)
  await chain.setBalance({ address: owner, value: parseEther('2') })
  await payToken(world, { token: 'usdt', to: owner, amount: 80_000_000n })
  const frame = page.frameLocator('iframe')
  const dialog = await openSwap(page)
  const atLeast = await review(dialog, { from: 'tUSDT', to: 'ETH', amount: '59', decimals: 18 })
  await approval(dialog, 'tUSDT').click()
  await approve(frame, 'Approve')
  await expect(confirm(dialog)).toBeEnabled({ timeout: 30_000 })
  const before = await chain.getBalance({ address: owner })
  await confirm(dialog).click()
  await approve(frame, 'Approve')
  await isComplete(dialog)
  const { gasUsed, effectiveGasPrice } = await lastReceipt(world, owner)
  expect(await tokenBalance(world, 'usdt', owner)).toBe(21_000_000n)
  const received = (await chain.getBalance({ address: owner })) - before + gasUsed * effectiveGasPrice
  expect(received).toBeGreaterThanOrEqual(atLeast)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openSwap(page)
  const atLeastTokens = await review(dialog, { from: 'ETH', to: 'tUSDC', amount: '0.25', decimals: 6 })
  await confirm(dialog).click()
  await approve(frame, 'Approve')
  await isComplete(dialog)
  expect(await tokenBalance(world, 'usdc', owner)).toBeGreaterThanOrEqual(atLeastTokens)
  expect(await transactionsOf(world, owner)).toBe(3)
})
