import type { PendingTransaction, TransactionsState } from '@latchkey/core'
import { fakeClock, fakeFailure, fakeTransactions } from '@latchkey/core/testing'
import type { AccountId } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, server, withConnection } from '../testing/samples.ts'
import { mined, moved } from '../testing/transactionSamples.ts'
import { ReplaceActions } from './ReplaceActions.tsx'
import { Transactions } from './Transactions.tsx'

const account: AccountId = `eip155:1:${address}`
const now = Date.parse('2026-11-28T12:00:00Z')

/** Returns a state with the given months, newest first. */
function months(
  ...groups: readonly [year: number, month: number, transactions: readonly HistoryTransaction[]][]
): Partial<TransactionsState> {
  const years = [...new Set(groups.map(([year]) => year))]
  return {
    account,
    chain: 'eip155:1',
    empty: false,
    transactions: groups.flatMap(([, , transactions]) => transactions),
    transactionsByYear: years.map((year) => ({
      year,
      months: groups.flatMap(([of, month, transactions]) => (of === year ? [{ month, transactions }] : [])),
    })),
  }
}
const show = async (
  state: Partial<TransactionsState>,
  { activity = [], locale }: { activity?: readonly PendingTransaction[]; locale?: 'ar' } = {},
) => {
  const transactions = fakeTransactions({ account, chain: 'eip155:1', ...state })
  const latchkey = await renderView(Transactions, undefined, {
    transactions,
    state: (initialState) => ({ ...withConnection(initialState), activity }),
    options: { ...server, clock: fakeClock(now) },
    ...(locale && { locale }),
  })
  return { latchkey, transactions }
}
const row = (name: RegExp) => page.getByRole('link', { name })

afterEach(async () => {
  await cleanup()
})

describe('Transactions', () => {
  test('lists the transactions by year and month, with quantities of three decimals and short relative times [R1.7]', async () => {
    await show(
      months(
        [2026, 10, [mined('0x1', { minedAt: '2026-11-28T11:55:00Z' }, [moved('out', '12.56789', 'USDC')])]],
        [
          2026,
          9,
          [mined('0x2', { operationType: 'receive', minedAt: '2026-10-01T12:00:00Z' }, [moved('in', '0.5', 'ETH')])],
        ],
        [
          2025,
          11,
          [
            mined('0x3', { operationType: 'trade', minedAt: '2025-12-01T12:00:00Z' }, [
              moved('out', '1', 'ETH'),
              moved('in', '3000', 'USDC'),
            ]),
          ],
        ],
      ),
    )
    expect(
      page
        .getByRole('heading', { level: 3 })
        .elements()
        .map((heading) => heading.textContent),
    ).toEqual(['2026', '2025'])
    expect(
      page
        .getByRole('heading', { level: 4 })
        .elements()
        .map((heading) => heading.textContent),
    ).toEqual(['November', 'October', 'December'])
    await expect.element(row(/^Sent.*To 0x1aE0…454C.*−12\.567.USDC.*5 min ago/)).toBeVisible()
    await expect.element(row(/^Received.*From 0x8ba1…BA72.*\+0\.5.ETH.*1 mo ago/)).toBeVisible()
    await expect.element(row(/^Swapped.*−1.ETH.*\+3,000.USDC/)).toBeVisible()
    await expect.element(row(/^Sent/)).toHaveAttribute('href', 'https://etherscan.io/tx/0x1')
    expect(await axeFindings()).toEqual([])
  })

  test('shows the status of failed and pending transactions, and those that the page sent above the history', async () => {
    const sent: PendingTransaction = {
      hash: '0xbeef',
      label: 'Order 1042',
      chain: 'eip155:1',
      account,
      addedAt: now,
      status: 'failed',
    }
    await show(
      months([
        2026,
        10,
        [mined('0x1', { status: 'failed' }), mined('0x2', { status: 'pending', operationType: 'execute' })],
      ]),
      {
        activity: [
          sent,
          { ...sent, hash: '0xcafe', label: 'Received 5 ETH', isFromHost: true },
          { ...sent, hash: '0xfade', label: 'Order 1043', status: 'replaced' },
        ],
      },
    )
    await expect.element(row(/^Order 1043.*Replaced or dropped/)).toBeVisible()
    await expect.element(row(/^Order 1042.*Failed/)).toHaveAttribute('href', 'https://etherscan.io/tx/0xbeef')
    await expect.element(row(/^Received 5 ETH.*Added by this app/)).toBeVisible()
    expect(row(/^Order 1042.*Added by/).elements()).toEqual([])
    await expect.element(row(/^Sent.*Failed/)).toBeVisible()
    await expect.element(row(/^Contract call.*Pending/)).toBeVisible()
  })

  test('hides suspicious transactions until the user asks for them, and then shows them with a warning and without amounts', async () => {
    const poison = mined(
      '0xbad',
      { operationType: 'receive', sentFrom: '0x1aE0000000000000000000000000000000069E454C' },
      [moved('in', '0', 'USDC', { isSpam: true })],
    )
    await show({ ...months([2026, 10, [mined('0x1')]]), spam: [poison] })
    await expect.element(page.getByText('1 suspicious transaction is hidden')).toBeVisible()
    expect(row(/Suspicious/).elements()).toEqual([])
    await button('Show').click()
    await expect.element(row(/^Received.*Suspicious/)).toBeVisible()
    await expect.element(page.getByText(/Do not use addresses or links/)).toBeVisible()
    expect(row(/Suspicious.*USDC/).elements()).toEqual([])
    expect(await axeFindings()).toEqual([])
  })

  test('the next page is loaded on scroll and reported once per page', async () => {
    const many = Array.from({ length: 50 }, (_, at) => mined(`0x${at}`))
    const { latchkey, transactions } = await show({ ...months([2026, 10, many]), next: '2' })
    await expect.element(row(/^Sent/).first()).toBeVisible()
    expect(callsTo(latchkey.calls, 'track')).toEqual([])
    document.querySelector('.virtual')?.scrollTo(0, 100_000)
    await expect.poll(() => transactions.calls).toEqual([['fetch'], ['fetchNext']])
    transactions.state.set((state) => ({ ...state, loading: true }))
    transactions.state.set((state) => ({ ...state, loading: false, next: undefined }))
    expect(callsTo(latchkey.calls, 'track')).toEqual([['track', { event: 'LOAD_MORE_TRANSACTIONS' }]])
    expect(await axeFindings()).toEqual([])
  })

  test('renders only the visible ones of ten thousand transactions', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => mined(`0x${at}`))
    await show(months([2026, 10, many]))
    await expect.element(row(/^Sent/).first()).toBeVisible()
    expect(page.getByRole('listitem').elements().length).toBeLessThan(30)
  })

  test('shows placeholders while loading, then that there is no activity', async () => {
    const { transactions } = await show({ loading: true, empty: false })
    await expect.element(page.getByRole('status')).toHaveTextContent('Loading activity…')
    transactions.state.set((state) => ({ ...state, loading: false, empty: true }))
    await expect.element(page.getByText('No activity yet')).toBeVisible()
    await expect.element(page.getByText('Transactions of this account on Ethereum are listed here.')).toBeVisible()
  })

  test('if the first page fails to load, the reason is shown and the user can retry', async () => {
    const cause = fakeFailure('http/unreachable', { url: 'https://connect.example' })
    const error = Object.assign(fakeFailure('transactions/failed', undefined), { cause })
    const { transactions } = await show({ error })
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent(/Could not load the activity.*The server did not respond/)
    await button('Try again').click()
    expect(transactions.calls).toEqual([['fetch'], ['fetch']])
    expect(page.getByText('No activity yet').elements()).toEqual([])
    expect(await axeFindings()).toEqual([])
  })

  test('if a further page fails to load, the list is kept and the user can retry that page', async () => {
    const error = fakeFailure('transactions/failed', undefined)
    const { transactions } = await show({ ...months([2026, 10, [mined('0x1')]]), error })
    await expect.element(page.getByText('Could not load more activity.')).toBeVisible()
    await expect.element(row(/^Sent/)).toBeVisible()
    await button('Try again').click()
    expect(transactions.calls).toEqual([['fetch'], ['fetchNext']])
  })

  test('shows that payments can be missing if the node only finds token transfers', async () => {
    await show({ ...months([2026, 10, [mined('0x1')]]), isPartial: true })
    await expect.element(page.getByText(/^Payments in COIN might be missing/)).toBeVisible()
  })
})

test('ReplaceActions speeds up and cancels a transaction, and shows an error for a failure unless the user declined', async () => {
  const sent: PendingTransaction = {
    hash: `0x${'ab'.repeat(32)}`,
    label: 'Send 1 ETH',
    chain: 'eip155:1',
    account,
    addedAt: now,
    status: 'pending',
    nonce: 7,
  }
  const results = [
    async () => ({ hash: '0x2' }),
    async () => Promise.reject(fakeFailure('user/rejected', { request: 'eth_sendTransaction' })),
  ]
  const requested: unknown[] = []
  await renderView(
    () => (
      <ReplaceActions
        sent={sent}
        failed={false}
        replace={(params) => {
          requested.push(params)
          return results.shift()?.() ?? Promise.reject(fakeFailure('send/not-pending', undefined))
        }}
      />
    ),
    undefined,
  )
  await button('Speed up').click()
  await button('Cancel transaction').click()
  expect(page.getByText('was not replaced', { exact: false }).elements()).toEqual([])
  await button('Cancel transaction').click()
  await expect.element(page.getByText('The transaction was not replaced.', { exact: false })).toBeVisible()
  expect(requested).toEqual([
    { transaction: sent, cancels: false, label: 'Send 1 ETH' },
    ...Array(2).fill({ transaction: sent, cancels: true, label: 'Cancel: Send 1 ETH' }),
  ])
  expect(await axeFindings()).toEqual([])
})

test('ReplaceActions shows that the last attempt has failed when it is rendered again', async () => {
  const sent: PendingTransaction = {
    hash: `0x${'ab'.repeat(32)}`,
    label: 'Send 1 ETH',
    chain: 'eip155:1',
    account,
    addedAt: now,
    status: 'pending',
    nonce: 7,
  }
  await renderView(() => <ReplaceActions sent={sent} failed replace={async () => ({ hash: '0x2' })} />, undefined)
  await expect.element(page.getByText('The transaction was not replaced.', { exact: false })).toBeVisible()
  await button('Speed up').click()
  await expect.element(page.getByText('The transaction was not replaced.', { exact: false })).not.toBeInTheDocument()
})
