import type { PendingTransaction, State, Token } from '@latchkey/core'
import {
  fakeClock,
  fakeFailure,
  fakeLatchkey,
  fakeNetwork,
  fakePortfolio,
  fakeTransactions,
  withAccount,
} from '@latchkey/core/testing'
import type { AccountId } from '@latchkey/protocol/caip'
import { createStyleAdopter, StyleSheetContext } from '@latchkey/ui'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../../LatchkeyProvider.tsx'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, server, withConnection } from '../testing/samples.ts'
import { mined, moved } from '../testing/transactionSamples.ts'
import { Account } from './Account.tsx'

const account: AccountId = `eip155:1:${address}`
const now = Date.parse('2026-11-28T12:00:00Z')

const token = (symbol: string, more: Partial<Token> = {}): Token => ({
  id: `eip155:1:${symbol}`,
  chain: 'eip155:1',
  address: `0x${symbol}`,
  name: `${symbol} Token`,
  symbol,
  decimals: 6,
  amount: 2_500_000n,
  price: { amount: '2', source: 'uniswap-v3', at: now - 120_000 },
  fiat: '5',
  ...more,
})
const ready = (...tokens: readonly Token[]) => fakePortfolio({ account, tokens: { status: 'ready', value: tokens } })
const history = (count: number) =>
  fakeTransactions({
    account,
    chain: 'eip155:1',
    transactions: Array.from({ length: count }, (_, at) => mined(`0x${at}`, { minedAt: '2026-11-28T10:00:00Z' })),
    empty: count === 0,
  })
const show = (setup: Parameters<typeof renderView>[2] = {}) =>
  renderView(Account, undefined, {
    state: withConnection,
    portfolio: ready(),
    transactions: history(0),
    ...setup,
    options: { ...server, clock: fakeClock(now), ...setup.options },
  })

afterEach(async () => {
  await cleanup()
})

describe('Account', () => {
  test('shows the value of all tokens, with the source and the age of the prices', async () => {
    await show({ portfolio: ready(token('AAA'), token('BBB', { fiat: '1234.5' })) })
    await expect.element(page.getByText('$1,239.50')).toBeVisible()
    await expect.element(page.getByText('Prices updated 2 min ago (Uniswap v3)')).toBeVisible()
    await expect.element(page.getByText('2.5\u2009AAA')).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('shows the native balance instead of a value if no price is known', async () => {
    const { price: _, fiat: __, ...unpriced } = token('AAA')
    const state = (initialState: State): State => {
      const connected = withConnection(initialState)
      const balance = { status: 'ready', value: { value: 2n * 10n ** 18n, decimals: 18, symbol: 'ETH' } } as const
      return { ...connected, account: { ...connected.account, balance } }
    }
    await show({ state, portfolio: ready(unpriced) })
    await expect.element(page.getByText('No price')).toBeVisible()
    await expect.element(page.getByText(/^2\s*ETH$/)).toBeVisible()
    expect(page.getByText('$', { exact: false }).elements()).toEqual([])
  })

  test('shows four tokens at first, and all of them on demand, rendering only the visible ones of a long list', async () => {
    await show({ portfolio: ready(...Array.from({ length: 500 }, (_, at) => token(`T${at}`))) })
    await expect.element(page.getByText('T3 Token')).toBeVisible()
    expect(page.getByText('T4 Token').elements()).toEqual([])
    await button('Show all 500 tokens').click()
    await expect.element(page.getByText('T4 Token')).toBeVisible()
    expect(page.getByRole('list', { name: 'Tokens' }).element().children.length).toBeLessThan(30)
    expect(await axeFindings()).toEqual([])
    await button('Show less').click()
    expect(page.getByText('T4 Token').elements()).toEqual([])
  })

  test('hides unlisted tokens and spam until the user asks for them, and warns about them', async () => {
    const hidden = [token('SCAM', { hidden: 'spam' }), token('NEW', { hidden: 'unlisted' })]
    await show({ portfolio: ready(token('AAA'), ...hidden) })
    await expect.element(page.getByText('AAA Token')).toBeVisible()
    expect(page.getByText('SCAM Token').elements()).toEqual([])
    await button('2 hidden tokens').click()
    await expect.element(page.getByText('SCAM Token')).toBeVisible()
    await expect.element(page.getByText(/Anyone can send you these/)).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('after a failure, the last tokens are shown with a notice that they might be outdated, and can be refreshed after 30 seconds', async () => {
    const clock = fakeClock(now)
    const cause = fakeFailure('http/unreachable', { url: 'https://connect.example' })
    const error = Object.assign(fakeFailure('balance/unavailable', undefined), { cause })
    const portfolio = fakePortfolio({ account, tokens: { status: 'failed', error, value: [token('AAA')] } })
    await show({ portfolio, options: { clock } })
    await expect.element(page.getByText('Token balances are not available')).toBeVisible()
    await expect
      .element(page.getByText(/The server did not respond.*might be out of date.*in 30 seconds/))
      .toBeVisible()
    await expect.element(page.getByText('AAA Token')).toBeVisible()
    expect(button('Try again').elements()).toEqual([])
    await clock.pass(30_000)
    await button('Try again').click()
    expect(portfolio.calls).toContainEqual(['refresh', { force: [] }])
  })

  test('the tokens are read again every ten seconds while the account view is open', async () => {
    const clock = fakeClock(now)
    const portfolio = ready(token('AAA'))
    await show({ portfolio, options: { clock } })
    await expect.element(page.getByText('AAA Token')).toBeVisible()
    await clock.pass(20_000)
    expect(portfolio.calls.filter(([name]) => name === 'poll')).toEqual([
      ['poll', 10_000],
      ['poll', 10_000],
    ])
  })

  test('the activity tab shows the transactions that the page sent and the latest history, and links to all transactions', async () => {
    const sent: PendingTransaction = {
      hash: '0xbeef',
      label: 'Order 1042',
      chain: 'eip155:1',
      account,
      addedAt: now - 5_000,
      status: 'pending',
    }
    const latchkey = await show({
      state: (initialState) => ({ ...withConnection(initialState), activity: [sent] }),
      transactions: history(10),
    })
    await page.getByRole('tab', { name: 'Activity' }).click()
    await expect
      .element(page.getByRole('link', { name: /Order 1042.*Pending/ }))
      .toHaveAttribute('href', 'https://etherscan.io/tx/0xbeef')
    // The history is loaded after the transactions that the page sent.
    await expect.poll(() => page.getByRole('link', { name: /^Sent/ }).elements().length).toBe(3)
    expect(await axeFindings()).toEqual([])
    await button('All activity').click()
    expect(callsTo(latchkey.calls, 'track')).toEqual([['track', { event: 'CLICK_TRANSACTIONS' }]])
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'Transactions', undefined]])
  })

  test('without a server there are no tokens, and the activity only appears once the page has sent something', async () => {
    await show({ options: { server: undefined as never, projectId: undefined as never } })
    await expect.element(button('Disconnect')).toBeVisible()
    expect(page.getByRole('tab').elements()).toEqual([])
    expect(page.getByText('No activity yet').elements()).toEqual([])
  })

  test('without a server, the transactions that the page sent before it was reloaded are restored', async () => {
    const restored: PendingTransaction = {
      hash: '0xbeef',
      label: 'Order 1042',
      chain: 'eip155:1',
      account,
      addedAt: now,
      status: 'done',
    }
    const latchkey = fakeLatchkey({ state: withConnection })
    const load = async () => {
      latchkey.state.set((state) => ({ ...state, activity: [restored] }))
      return history(0)
    }
    await render(
      <LatchkeyProvider latchkey={{ ...latchkey, transactions: load }}>
        <StyleSheetContext.Provider value={createStyleAdopter(document)}>
          <Account data={undefined} />
        </StyleSheetContext.Provider>
      </LatchkeyProvider>,
    )
    await expect.element(page.getByRole('link', { name: /Order 1042.*Confirmed/ })).toBeVisible()
  })

  test('amounts have two decimals in fiat and three in tokens, and times are short [R9.4]', async () => {
    const times: readonly (readonly [ago: number, text: string])[] = [
      [5_000, 'just now'],
      [300_000, '5 min ago'],
      [7_200_000, '2 hr ago'],
      [3 * 86_400_000, '3 d ago'],
    ]
    const transactions = times.map(([ago], at) =>
      mined(`0x${at}`, { minedAt: new Date(now - ago).toISOString() }, [moved('out', `${at}.98765`, 'USDC')]),
    )
    await show({
      portfolio: ready(token('AAA', { fiat: '1234.567' })),
      transactions: fakeTransactions({ account, chain: 'eip155:1', transactions, empty: false }),
    })
    await expect.element(page.getByRole('list', { name: 'Tokens' }).getByText('$1,234.57')).toBeVisible()
    await page.getByRole('tab', { name: 'Activity' }).click()
    for (const [at, [, text]] of times.entries())
      await expect.element(page.getByRole('link', { name: new RegExp(`−${at}\\.987.USDC.*${text}`) })).toBeVisible()
    const old = (months: number) => mined('0xa', { minedAt: new Date(now - months * 31 * 86_400_000).toISOString() })
    for (const [months, text] of [
      [2, '2 mo ago'],
      [25, '2 yr ago'],
    ] as const) {
      await show({
        portfolio: ready(token('AAA')),
        transactions: fakeTransactions({ account, chain: 'eip155:1', transactions: [old(months)], empty: false }),
      })
      await page.getByRole('tab', { name: 'Activity' }).click()
      await expect.element(page.getByRole('link', { name: new RegExp(text) })).toBeVisible()
    }
  })

  test('the default features are shown where they work, with a server and on supported chains, and `pay` shows nothing [R9.7]', async () => {
    const actions = () =>
      page
        .getByRole('list', { name: 'Actions' })
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent)
    const tabs = () =>
      page
        .getByRole('tab')
        .elements()
        .map(({ textContent }) => textContent)
    const shown = async (setup: Parameters<typeof show>[0]) => {
      await show({ portfolio: ready(token('AAA')), ...setup })
      await expect.element(button('Disconnect')).toBeVisible()
      return { actions: actions(), tabs: tabs() }
    }
    const all = { actions: ['Buy', 'Swap', 'Receive', 'Send'], tabs: ['Tokens', 'Activity'] }
    expect(await shown({})).toEqual(all)
    const text = document.body.textContent
    // The type allows only false. A page without types can pass anything.
    for (const pay of [false, true]) {
      expect(await shown({ options: { features: { pay: pay as false } } })).toEqual(all)
      expect(document.body.textContent).toBe(text)
    }
    const none = { server: undefined as never, projectId: undefined as never }
    expect(await shown({ options: none })).toEqual({ actions: ['Receive', 'Send'], tabs: [] })
    const onChain = (chain: 'eip155:5000') => (state: State) => {
      const connected = withConnection(state)
      return {
        ...withAccount(
          {
            ...connected,
            networks: { ...connected.networks, known: [...connected.networks.known, fakeNetwork(chain)] },
          },
          `${chain}:${address}`,
          'example.marlin',
        ),
      }
    }
    expect((await shown({ state: onChain('eip155:5000') })).actions).toEqual(['Buy', 'Receive', 'Send'])
    for (const [feature, label] of [
      ['onramp', 'Buy'],
      ['swaps', 'Swap'],
      ['receive', 'Receive'],
      ['send', 'Send'],
    ] as const)
      expect(await shown({ options: { features: { [feature]: false } } })).toEqual({
        ...all,
        actions: all.actions.filter((action) => action !== label),
      })
    expect((await shown({ options: { features: { history: false } } })).tabs).toEqual([])
  })

  test('features.history: false removes the activity', async () => {
    await show({ options: { features: { history: false } }, portfolio: ready(token('AAA')) })
    await expect.element(page.getByText('AAA Token')).toBeVisible()
    expect(page.getByRole('tab').elements()).toEqual([])
  })
})
