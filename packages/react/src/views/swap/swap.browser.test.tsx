import type { SwapQuote, SwapReview, SwapState, SwapToken } from '@latchkey/core'
import { fakeFailure, fakeSwap } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, withConnection } from '../testing/samples.ts'
import { Swap } from './Swap.tsx'
import { SwapPreview } from './SwapPreview.tsx'
import { SwapSelectToken } from './SwapSelectToken.tsx'

const account = `eip155:1:${address}` as const
const hash = `0x${'ab'.repeat(32)}`
const ether: SwapToken = {
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  balance: 2n * 10n ** 18n,
  price: { amount: '3000', at: 0 },
}
const contract = '0x1111111111111111111111111111111111111111'
const coin: SwapToken = {
  id: `eip155:1:${contract}`,
  chain: 'eip155:1',
  address: contract,
  name: 'US Dollar',
  symbol: 'USDC',
  decimals: 6,
  balance: 0n,
  price: { amount: '1', at: 0 },
}
const quote: SwapQuote = {
  from: ether,
  to: coin,
  amount: 10n ** 18n,
  received: 2_995_123_456n,
  minimum: 2_965_172_221n,
  rate: '2995.123456',
  impactBps: 16,
  fee: { bps: 30, amount: 9_000_000n, recipient: contract },
  networkFee: 2n * 10n ** 15n,
  networkFeeFiat: '6',
  at: 0,
}
const form = {
  account,
  chain: 'eip155:1',
  supported: true,
  tokens: { status: 'ready', value: { all: [ether, coin], own: [ether], suggested: [ether, coin] } },
  from: ether,
  to: coin,
  amount: '1',
  quote: { status: 'ready', value: quote },
} as const satisfies Partial<SwapState>
const review: SwapReview = {
  account,
  quote,
  status: 'ready',
  step: 'swap',
  hasApproval: false,
  contract,
  unverified: [],
  unverifiedConfirmed: false,
  hasWorsened: false,
  error: undefined,
}

async function showForm(state: Partial<SwapState> = {}) {
  const swap = fakeSwap({ ...form, ...state })
  return { swap, latchkey: await renderView(Swap, undefined, { state: withConnection, swap }) }
}
async function showReview(change: Partial<SwapReview> = {}, state: Partial<SwapState> = {}) {
  const swap = fakeSwap({ ...form, ...state, review: { ...review, ...change } })
  const latchkey = await renderView(SwapPreview, undefined, { state: withConnection, swap })
  const set = (next: Partial<SwapReview>) =>
    swap.state.set({ ...swap.state.get(), review: { ...review, ...change, ...next } })
  return { swap, latchkey, set }
}

describe('the form', () => {
  test('shows both amounts, their values, the balances and the details, and opens the review', async () => {
    const { swap, latchkey } = await showForm()
    await expect.element(page.getByRole('textbox', { name: 'You pay' })).toHaveValue('1')
    await expect.element(page.getByRole('textbox', { name: 'You receive' })).toHaveValue('2,995.123456')
    await expect.element(page.getByText('≈ $3,000.00')).toBeVisible()
    await expect.element(page.getByText('Balance: 2')).toBeVisible()
    await page.getByText('1\u2009ETH = 2,995.12\u2009USDC').click()
    for (const fact of ['0.16%', '2,965.172221\u2009USDC', '9\u2009USDC (0.3%)', '≈ 0.002\u2009COIN ($6.00)'])
      await expect.element(page.getByText(fact)).toBeVisible()
    expect(await axeFindings()).toEqual([])
    swap.state.set({ ...swap.state.get(), review })
    await button('Review swap').click()
    expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('SwapPreview')
  })

  test.each([
    ['no-token', 'Select token'],
    ['no-amount', 'Enter amount'],
    ['insufficient-balance', 'Insufficient balance'],
    ['insufficient-gas', 'Insufficient COIN for network fees'],
    ['no-liquidity', 'Insufficient liquidity'],
  ] as const)('with the problem %s, the button is disabled and says "%s"', async (problem, label) => {
    await showForm({ problem, ...(problem === 'no-token' && { to: undefined }) })
    await expect.element(page.getByRole('button', { name: label, exact: true }).last()).toBeDisabled()
  })

  test('the amount, the tokens, the maximum and the direction are passed on', async () => {
    const { swap, latchkey } = await showForm()
    await page.getByRole('textbox', { name: 'You pay' }).fill('1,5')
    expect(swap.calls).toContainEqual(['setAmount', '1.5'])
    await button('Max').click()
    await button('Switch the two tokens').click()
    expect(swap.calls.map(([name]) => name)).toEqual(expect.arrayContaining(['setMax', 'flip']))
    await button('You receive: USDC').click()
    expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'SwapSelectToken', data: { side: 'to' } })
    expect(callsTo(latchkey.calls, 'track')).toContainEqual(['track', { event: 'CLICK_SELECT_TOKEN_TO_SWAP' }])
  })

  test('if the quote fails, it can be requested again, and the amount is kept', async () => {
    const error = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
    const { swap } = await showForm({ quote: { status: 'failed', error }, problem: 'no-quote' })
    await button('Try again').click()
    expect(swap.calls).toContainEqual(['retry'])
    await expect.element(page.getByRole('textbox', { name: 'You pay' })).toHaveValue('1')
    await expect.element(page.getByRole('textbox', { name: 'You receive' })).toHaveValue('')
  })

  test('an unlisted token is marked as such, with its full address', async () => {
    await showForm({ to: { ...coin, unlisted: true } })
    await expect.element(page.getByText('USDC is on no token list', { exact: false })).toBeVisible()
    const shown = [...document.querySelectorAll('.address')].map((element) => element.textContent?.replace(/\s/g, ''))
    expect(shown).toContain(contract)
    expect(await axeFindings()).toEqual([])
  })

  test.each([
    [99, 'You get about', false],
    [100, 'You get about 1% less', true],
  ])('a price impact of %s basis points shows the notice "%s": %s', async (impactBps, notice, isShown) => {
    await showForm({ to: { ...coin, unlisted: true }, quote: { status: 'ready', value: { ...quote, impactBps } } })
    await expect.element(button('Review swap')).toBeEnabled()
    // Once one notice is displayed, the others are as well.
    await expect.element(page.getByText('USDC is on no token list', { exact: false })).toBeVisible()
    expect(page.getByText(notice).elements().length > 0).toBe(isShown)
  })

  test('on a network without swaps, the user can choose another network', async () => {
    const { latchkey } = await showForm({ supported: false, tokens: { status: 'idle' } })
    await button('Choose another network').click()
    expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('Networks')
  })

  test('if a transaction may already have been sent, the user can confirm having checked it', async () => {
    const { swap } = await showForm({ unconfirmed: true })
    await button('I have checked').click()
    expect(swap.calls).toContainEqual(['dismissUnconfirmed'])
  })

  test('a swap in progress can be shown, and the form cannot be changed', async () => {
    const { latchkey } = await showForm({ review: { ...review, status: 'pending' } })
    await expect.element(page.getByRole('textbox', { name: 'You pay' })).toHaveAttribute('readonly')
    await button('A swap is in progress').click()
    expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('SwapPreview')
  })
})

describe('the list of tokens', () => {
  const listed = async (state: Partial<SwapState> = {}) => {
    const swap = fakeSwap({ ...form, ...state })
    return { swap, latchkey: await renderView(SwapSelectToken, { side: 'to' }, { state: withConnection, swap }) }
  }

  test('finds tokens by name, symbol and whole address, and sets the chosen token', async () => {
    const { swap } = await listed()
    expect(await axeFindings()).toEqual([])
    const search = page.getByRole('searchbox')
    for (const text of ['dollar', 'usd', contract.toUpperCase().replace('0X', '0x')]) {
      await search.fill(text)
      await expect.element(button(/^US Dollar/)).toBeVisible()
    }
    await button(/^US Dollar/).click()
    expect(swap.calls).toContainEqual(['setToken', 'to', coin.id])
    await renderView(SwapSelectToken, { side: 'to' }, { state: withConnection, swap })
    await search.fill('nothing')
    await expect.element(page.getByText('No token found')).toBeVisible()
  })

  test('marks unlisted tokens, and does not load their logo', async () => {
    const fake: SwapToken = { ...coin, id: 'eip155:1:0x2', unlisted: true, iconUrl: 'https://images.example/usdc.png' }
    await listed({ tokens: { status: 'ready', value: { all: [coin, fake], own: [], suggested: [] } } })
    await expect.element(page.getByText('Unlisted')).toBeVisible()
    expect(document.querySelector('img')).toBeNull()
  })
})

describe('the review', () => {
  test('shows the whole amounts, the minimum, the fees and the contract, and confirms', async () => {
    const { swap } = await showReview()
    for (const fact of ['1\u2009ETH', '≈ 2,995.123456\u2009USDC', '2,965.172221\u2009USDC', '9\u2009USDC (0.3%)'])
      await expect.element(page.getByText(fact, { exact: true })).toBeVisible()
    const shown = [...document.querySelectorAll('.address')].map((element) => element.textContent?.replace(/\s/g, ''))
    expect(shown).toContain(contract)
    expect(await axeFindings()).toEqual([])
    await page.getByRole('button', { name: 'Swap', exact: true }).click()
    expect(swap.calls).toContainEqual(['confirm', { label: 'Swap 1\u2009ETH for USDC' }])
  })

  test('a loss of 5% or more must be accepted, and must be accepted again if it becomes much larger', async () => {
    const { swap, set } = await showReview({ quote: { ...quote, impactBps: 500 } })
    const confirm = page.getByRole('button', { name: 'Swap', exact: true })
    await expect.element(confirm).toBeDisabled()
    await page.getByRole('checkbox', { name: 'I accept losing about 5% of the value.' }).click()
    await expect.element(confirm).toBeEnabled()
    set({ quote: { ...quote, impactBps: 2_000 } })
    await expect.element(confirm).toBeDisabled()
    expect(swap.calls).toEqual([])
  })

  test('a loss that is unknown, because the server reports no price, must be accepted', async () => {
    const { set } = await showReview({ quote: { ...quote, impactBps: undefined } })
    const confirm = page.getByRole('button', { name: 'Swap', exact: true })
    await expect.element(page.getByText('The value of these tokens is unknown.', { exact: false })).toBeVisible()
    await expect.element(confirm).toBeDisabled()
    await page.getByRole('checkbox', { name: 'I have compared the price elsewhere.' }).click()
    await expect.element(confirm).toBeEnabled()
    // Confirming that the price was compared elsewhere does not accept a loss that becomes known later.
    set({ quote: { ...quote, impactBps: 2_000 } })
    await expect.element(confirm).toBeDisabled()
    expect(await axeFindings()).toEqual([])
  })

  test('a worse price must be accepted', async () => {
    const { swap } = await showReview({ hasWorsened: true })
    await expect.element(page.getByRole('button', { name: 'Swap', exact: true })).toBeDisabled()
    await button('Accept the new price').click()
    expect(swap.calls).toEqual([['accept']])
  })

  test.each([
    ['approve', 'Approve ETH', 'First, you allow the exchange to take exactly 1\u2009ETH'],
    ['reset', 'Reset the approval of ETH', 'This takes three confirmations'],
  ] as const)('the step %s is explained', async (step, label, explanation) => {
    const { swap } = await showReview({ step })
    await expect.element(page.getByText(explanation, { exact: false })).toBeVisible()
    await button(label).click()
    expect(swap.calls).toEqual([['confirm', { label }]])
  })

  test.each([
    ['contract', 'This page does not know the exchange contract'],
    ['call', 'This page cannot read the transaction'],
  ] as const)(
    'if the %s of a swap could not be verified, the user is warned and must confirm',
    async (unverified, sentence) => {
      const { swap, set } = await showReview({ unverified: [unverified] })
      await expect.element(page.getByText(`${sentence}. It could take 1\u2009ETH`, { exact: false })).toBeVisible()
      await expect.element(button('Swap')).toBeDisabled()
      await page.getByRole('checkbox', { name: 'I trust this exchange contract.' }).click()
      expect(swap.calls).toEqual([['confirmUnverified', true]])
      set({ unverifiedConfirmed: true })
      await expect.element(button('Swap')).toBeEnabled()
      expect(await axeFindings()).toEqual([])
    },
  )

  test('tokens that could not be compared with their contracts are named, and must be confirmed', async () => {
    const { swap } = await showReview({ unverified: ['decimals', 'symbol'] })
    await expect.element(page.getByText('The decimal places of a token', { exact: false })).toBeVisible()
    await expect.element(page.getByText('The symbol of a token', { exact: false })).toBeVisible()
    await expect.element(button('Swap')).toBeDisabled()
    await page.getByRole('checkbox', { name: 'I will check the tokens and the amounts in my wallet.' }).click()
    expect(swap.calls).toEqual([['confirmUnverified', true]])
  })

  test('after a declined swap, the remaining approval can be removed', async () => {
    const error = fakeFailure('user/rejected', { request: 'eth_sendTransaction' })
    const { swap } = await showReview({ step: 'swap', hasApproval: true, error })
    await expect.element(page.getByText('The exchange can still take 1\u2009ETH', { exact: false })).toBeVisible()
    await button('Remove approval').click()
    expect(swap.calls).toEqual([['revoke', { label: 'Remove the approval of ETH' }]])
  })

  test('every failure is explained, and a retry is prevented if a balance is insufficient or no transaction could be prepared', async () => {
    const { set } = await showReview()
    const failures = [
      [fakeFailure('user/rejected', { request: 'eth_sendTransaction' }), 'You declined in your wallet', true],
      [fakeFailure('swap/build-failed', undefined), 'Could not prepare the transaction.', false],
      [fakeFailure('swap/allowance-failed', undefined), 'Could not prepare the transaction.', false],
      [fakeFailure('swap/unsupported-network', undefined), 'Swaps are not available on this network.', true],
      [fakeFailure('swap/outdated', undefined), 'The price was too old', true],
      [fakeFailure('swap/insufficient-balance', undefined), 'Insufficient balance', false],
      [fakeFailure('swap/insufficient-gas', { symbol: 'ETH' }), 'for network fees', false],
      [fakeFailure('swap/reverted', { hash }), 'did not execute the approval', true],
      [fakeFailure('wallet/unsupported', { method: 'eth_sendTransaction' }), 'cannot send this transaction', true],
      [fakeFailure('wallet/failed', { message: 'nonce too low' }), 'nonce too low', true],
    ] as const
    for (const [error, sentence, canConfirm] of failures) {
      set({ error })
      await expect.element(page.getByText(sentence, { exact: false })).toBeVisible()
      const confirm = page.getByRole('button', { name: 'Swap', exact: true })
      await (canConfirm ? expect.element(confirm).toBeEnabled() : expect.element(confirm).toBeDisabled())
    }
  })

  test('shows the progress in the same view, and ends with a receipt that links to the transaction', async () => {
    const { swap, latchkey, set } = await showReview({ status: 'confirming' })
    await expect.element(page.getByText('Confirm in your wallet')).toBeVisible()
    set({ status: 'pending', step: 'approve', hash })
    await expect.element(page.getByText('Approving ETH…')).toBeVisible()
    set({ status: 'pending', hash })
    await expect.element(page.getByText('Swapping…')).toBeVisible()
    const link = page.getByRole('link', { name: /View on Etherscan/ })
    await expect.element(link).toHaveAttribute('href', `https://etherscan.io/tx/${hash}`)
    set({ status: 'done', hash })
    await expect.element(page.getByText('Swap complete')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Done').click()
    expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account'])
    expect(swap.calls).toContainEqual(['cancelReview'])
  })

  test.each([
    ['failed', fakeFailure('swap/reverted', { hash }), 'Swap failed'],
    ['stopped', fakeFailure('swap/changed', undefined), 'The account or network has changed'],
    [
      'stopped',
      fakeFailure('swap/mismatch', { reason: 'it pays another account' }),
      'It was not passed to your wallet',
    ],
  ] as const)('%s (%s) returns to the form', async (status, error, sentence) => {
    const { swap } = await showReview({ status, error })
    await expect.element(page.getByText(sentence, { exact: false })).toBeVisible()
    await button('Edit swap').click()
    expect(swap.calls).toEqual([['cancelReview']])
  })

  test('without a swap to review, shows a message and a link to the form', async () => {
    const latchkey = await renderView(SwapPreview, undefined, { state: withConnection, swap: fakeSwap(form) })
    await expect.element(page.getByText('There is no swap to review.')).toBeVisible()
    await button('Edit swap').click()
    expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('Swap')
  })
})
