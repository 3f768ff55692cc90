import type { OnrampOffer, OnrampPurchase, OnrampState } from '@latchkey/core'
import { fakeFailure, fakeOnramp } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { button, renderView } from '../testing/renderView.tsx'
import { withConnection } from '../testing/samples.ts'
import { BuyInProgress } from './BuyInProgress.tsx'
import { OnRampFiatSelect } from './OnRampFiatSelect.tsx'
import { OnRampProviders } from './OnRampProviders.tsx'
import { OnRampTokenSelect } from './OnRampTokenSelect.tsx'

const unreachable = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
const usd = (amount: string) => ({ amount, currency: 'USD' })
const quote: OnrampOffer['quote'] = {
  status: 'ready',
  value: {
    paymentTotal: usd('100'),
    paymentSubtotal: usd('98.40'),
    purchaseAmount: { amount: '98.39660499', currency: 'USDC' },
    coinbaseFee: usd('1.50'),
    networkFee: usd('0.10'),
    quoteId: 'q',
  },
}
const purchase: OnrampPurchase = {
  provider: 'coinbase',
  account: 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  chain: 'eip155:1',
  symbol: 'USDC',
  amount: '100',
  currency: 'USD',
  startedAt: 0,
  status: 'waiting',
}
const transaction: OnrampPurchase['transaction'] = {
  id: 'p',
  metadata: {
    operationType: 'buy',
    hash: '0xabc0',
    minedAt: '2026-11-28T06:00:00Z',
    sentFrom: 'Coinbase',
    sentTo: '0x8b',
    status: '',
  },
  transfers: [{ direction: 'in', quantity: { numeric: '97.5' }, fungible_info: { symbol: 'USDC' } }],
}
const amountField = () => page.getByRole('textbox', { name: 'Amount to pay' })

async function providers(state: Partial<OnrampState> = {}, coinbase: Partial<OnrampOffer> = {}, actions = {}) {
  const { offer } = fakeOnramp(state)
  const onramp = fakeOnramp({ offers: [offer('coinbase', coinbase), offer('meld')], ...state }, actions)
  const latchkey = await renderView(OnRampProviders, undefined, { state: withConnection, onramp })
  return { latchkey, onramp, views: () => latchkey.state.get().modal.stack.map(({ view }) => view) }
}

async function progress(change: Partial<OnrampPurchase>) {
  const onramp = fakeOnramp({ purchase: { ...purchase, ...change } })
  const latchkey = await renderView(BuyInProgress, { provider: 'coinbase' }, { state: withConnection, onramp })
  return { latchkey, onramp }
}

test('the form shows the providers with their fees and limits, and passes on the amount [R1.9]', async () => {
  const { onramp } = await providers()
  await expect.element(button(/^Coinbase/)).toHaveTextContent('Usual fee 1–2%Card $10–$7,500Bank account $10–$25,000')
  await expect.element(button(/^Meld\.io/)).toHaveTextContent('Usual fee 1–2%')
  await expect.element(button(/^Coinbase/)).toBeDisabled()
  expect(onramp.calls).toContainEqual(['opened'])
  expect(onramp.calls.filter(([name]) => name === 'opened')).toHaveLength(1)
  await amountField().fill('100,5')
  expect(onramp.calls).toContainEqual(['setAmount', '100.5'])
  expect(await axeFindings()).toEqual([])
})

test('a quote shows the received amount and all fees, and choosing the provider opens its window and the progress', async () => {
  const { onramp, latchkey } = await providers(
    { amount: '100' },
    { quote },
    {
      buy(this: unknown, provider: string) {
        bought.push(provider)
        onramp.state.set({ ...onramp.state.get(), purchase })
      },
    },
  )
  await expect.element(button(/^Coinbase/)).toHaveTextContent('About 98.396604 USDC, including $1.60 in fees')
  await expect.element(page.getByText('The provider shows the final price before you pay.')).toBeVisible()
  await button(/^Coinbase/).click()
  expect(bought).toEqual(['coinbase'])
  expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'BuyInProgress', data: { provider: 'coinbase' } })
})
const bought: string[] = []

test('if the account has changed, nothing is bought and the form stays open', async () => {
  const { views } = await providers({ amount: '100' }, { quote })
  await button(/^Coinbase/).click()
  expect(views()).not.toContain('BuyInProgress')
})

test('a provider that does not support the amount, currency or token is shown with the reason and cannot be chosen', async () => {
  for (const [problem, sentence] of [
    ['too-little', 'The amount is below the minimum.'],
    ['too-much', 'The amount is above the maximum.'],
    ['currency', 'Does not accept USD.'],
    ['token', 'Does not sell USDC on this network.'],
  ] as const) {
    await providers({ amount: '100' }, { problem })
    await expect.element(button(/^Coinbase/)).toHaveTextContent(sentence)
    await expect.element(button(/^Coinbase/)).toBeDisabled()
  }
})

test('a failed quote is not replaced by an estimate, and the purchase is still possible', async () => {
  await providers({ amount: '100' }, { quote: { status: 'failed', error: unreachable } })
  await expect.element(button(/^Coinbase/)).toHaveTextContent('No quote at the moment. Coinbase shows the price.')
  await expect.element(button(/^Coinbase/)).not.toHaveTextContent('About')
  await expect.element(button(/^Coinbase/)).toBeEnabled()
})

test('an unavailable server, no provider and an unsupported network have different messages, each with a next step', async () => {
  const nothing = { offers: [], tokens: [], currencies: [] }
  const dead = await providers({ status: 'failed', error: unreachable, amount: '100' })
  await expect.element(page.getByText('Could not load the providers. Only usual limits are shown.')).toBeVisible()
  await expect.element(amountField()).toHaveValue('100')
  await button('Try again').click()
  expect(dead.onramp.calls).toContainEqual(['retry'])

  await providers({ status: 'none', ...nothing })
  await expect.element(page.getByText('no provider for buying crypto')).toBeVisible()
  expect(await axeFindings()).toEqual([])

  const elsewhere = await providers({ status: 'unsupported', ...nothing })
  await button('Switch network').click()
  expect(elsewhere.views()).toContain('Networks')

  await renderView(OnRampProviders, undefined, { state: withConnection })
  await expect.element(page.getByText('no provider for buying crypto')).toBeVisible()
})

test('a purchase in progress can be shown again', async () => {
  const { latchkey } = await providers({ purchase })
  await button(/Purchase in progress/).click()
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('BuyInProgress')
})

test('selecting a currency or a token returns to the form without closing the modal', async () => {
  const setup = () => ({ state: withConnection, onramp: fakeOnramp() })
  for (const [view, show, label, call] of [
    [
      'OnRampFiatSelect',
      (now: ReturnType<typeof setup>) => renderView(OnRampFiatSelect, undefined, now),
      /Euro/,
      ['setCurrency', 'EUR'],
    ],
    [
      'OnRampTokenSelect',
      (now: ReturnType<typeof setup>) => renderView(OnRampTokenSelect, undefined, now),
      /^ETH/,
      ['setToken', { symbol: 'ETH', name: 'Ether', chain: 'eip155:1' }],
    ],
  ] as const) {
    const now = setup()
    const { onramp } = now
    const latchkey = await show(now)
    latchkey.modal.reset('Account')
    latchkey.modal.push('OnRampProviders')
    latchkey.modal.push(view)
    await expect.element(page.getByRole('listitem').nth(0).getByRole('button')).toHaveAttribute('aria-current', 'true')
    expect(page.getByRole('listitem').elements()).toHaveLength(2)
    expect(await axeFindings()).toEqual([])
    await button(label).click()
    expect(onramp.calls).toContainEqual(call)
    expect(latchkey.state.get().modal.stack.map((item) => item.view)).toEqual(['Account', 'OnRampProviders'])
    expect(latchkey.state.get().modal.open).toBe(true)
  }
})

const [transfer] = transaction.transfers
const withoutAmount = { ...transaction, transfers: transfer ? [{ ...transfer, quantity: { numeric: '0' } }] : [] }

test('each step of a purchase only states what is known', async () => {
  for (const [change, title, body] of [
    [{ status: 'opening' }, 'Opening Coinbase…', undefined],
    [{ status: 'waiting' }, 'Continue in the Coinbase window', 'Already paid?'],
    [{ status: 'waiting', isUnreachable: true }, 'Continue in the Coinbase window', 'The server is not responding.'],
    [{ status: 'paid', transaction }, 'Payment received', 'Coinbase is sending 97.5 USDC.'],
    [{ status: 'arrived', transaction }, '97.5 USDC sent', 'Coinbase has sent it to your account.'],
    [{ status: 'paid' }, 'Payment received', 'Coinbase is sending USDC.'],
    [{ status: 'paid', transaction: withoutAmount }, 'Payment received', 'Coinbase is sending USDC.'],
    [{ status: 'arrived', transaction: withoutAmount }, 'USDC sent', 'Coinbase has sent it to your account.'],
    [{ status: 'refused', transaction }, 'Purchase failed', 'Nothing was sent to you.'],
    [{ status: 'slow' }, 'No payment yet', 'If you paid, USDC can still arrive.'],
    [{ status: 'failed', error: unreachable }, 'Could not open Coinbase', 'The server did not respond.'],
  ] as const) {
    await progress(change)
    await expect.element(page.getByText(title, { exact: true })).toBeVisible()
    if (body) await expect.element(page.getByText(body).first()).toBeVisible()
    expect(await axeFindings()).toEqual([])
  }
})

test('if the window is blocked, a link opens the provider, which gets no access to the page', async () => {
  const { onramp } = await progress({ status: 'blocked', url: 'https://pay.coinbase.com/?sessionToken=t' })
  const link = page.getByRole('link', { name: /Open Coinbase/ })
  await expect.element(link).toHaveAttribute('href', 'https://pay.coinbase.com/?sessionToken=t')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  ;(link.element() as HTMLElement).addEventListener('click', (event) => event.preventDefault())
  await link.click()
  expect(onramp.calls).toContainEqual(['resume'])
})

test('a purchase can be retried, checked, reopened and cancelled', async () => {
  const failed = await progress({ status: 'failed', error: unreachable })
  await button('Try again').click()
  expect(failed.onramp.calls).toContainEqual(['buy', 'coinbase'])

  const slow = await progress({ status: 'slow' })
  await button('Check again').click()
  await button('Open the window again').click()
  expect(slow.onramp.calls.slice(-2)).toEqual([['resume'], ['buy', 'coinbase']])

  const waiting = await progress({ status: 'waiting' })
  waiting.latchkey.modal.reset('OnRampProviders')
  waiting.latchkey.modal.push('BuyInProgress', { provider: 'coinbase' })
  await button('Stop waiting').click()
  expect(waiting.onramp.calls).toContainEqual(['dismiss'])
  expect(waiting.latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['OnRampProviders'])
})

test('a paid purchase cannot be started again by accident, and is still tracked after the user leaves the view', async () => {
  const paid = await progress({ status: 'paid', transaction })
  await expect.element(button('Open the window again')).not.toBeInTheDocument()
  await button('Close').click()
  expect(paid.onramp.calls).not.toContainEqual(['dismiss'])
  expect(paid.latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account'])

  const arrived = await progress({ status: 'arrived', transaction })
  await button('Done').click()
  expect(arrived.onramp.calls).toContainEqual(['dismiss'])
})

test('without a purchase, the progress view links to the providers', async () => {
  const latchkey = await renderView(
    BuyInProgress,
    { provider: 'coinbase' },
    { state: withConnection, onramp: fakeOnramp() },
  )
  await button('Choose a provider').click()
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('OnRampProviders')
})
