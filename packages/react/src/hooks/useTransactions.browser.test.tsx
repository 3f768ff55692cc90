import type { PendingTransaction } from '@latchkey/core'
import { fakeFailure, fakeLatchkey, fakeTransactions, withAccount } from '@latchkey/core/testing'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { afterEach, expect, test, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { type UseTransactionsReturnType, useTransactions } from './useTransactions.ts'

afterEach(cleanup)

const account = 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = 'eip155:1:0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'
const sent = (hash: string, from = account): PendingTransaction => ({
  hash,
  label: 'Order 1042',
  chain: 'eip155:1',
  account: from as PendingTransaction['account'],
  addedAt: 1,
  status: 'pending',
})
const mined = (hash: string): HistoryTransaction => ({
  id: hash,
  metadata: {
    operationType: 'send',
    hash,
    minedAt: '2026-11-01T00:00:00Z',
    sentFrom: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    sentTo: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C',
    status: 'confirmed',
    chain: 'eip155:1',
  },
  transfers: [{ direction: 'out', quantity: { numeric: '1' } }],
})

function Host({ onHistory }: { readonly onHistory: (history: UseTransactionsReturnType) => void }): null {
  onHistory(useTransactions())
  return null
}

async function show(latchkey: ReturnType<typeof fakeLatchkey>): Promise<() => UseTransactionsReturnType> {
  let now: UseTransactionsReturnType | undefined
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <Host
        onHistory={(history) => {
          now = history
        }}
      />
    </LatchkeyProvider>,
  )
  return () => now as UseTransactionsReturnType
}

test('useTransactions loads the first page and further pages of the active account', async () => {
  const transactions = fakeTransactions({
    account,
    chain: 'eip155:1',
    transactions: [mined('0xaa')],
    empty: false,
    next: '2',
  })
  const now = await show(fakeLatchkey({ transactions, state: (state) => withAccount(state, account, 'a') }))
  await expect.poll(() => now().transactions).toHaveLength(1)
  expect(now().hasNextPage).toBe(true)
  await now().fetchNextPage()
  expect(transactions.calls).toEqual([['fetch'], ['fetchNext']])
})

test('useTransactions is loading, and returns no transactions of another account, until those of the active account have loaded', async () => {
  const transactions = fakeTransactions({ account: other, transactions: [mined('0xaa')], empty: false })
  const now = await show(fakeLatchkey({ transactions, state: (state) => withAccount(state, account, 'a') }))
  await expect.poll(() => transactions.calls).toEqual([['fetch']])
  expect(now()).toMatchObject({ transactions: [], loading: true, empty: false })
})

test('useTransactions returns the sent transactions of the account until the history contains them', async () => {
  const transactions = fakeTransactions({ account, transactions: [mined('0xAA')], empty: false })
  const activity = [sent('0xaa'), sent('0xbb'), sent('0xcc', other)]
  const now = await show(
    fakeLatchkey({ transactions, state: (state) => ({ ...withAccount(state, account, 'a'), activity }) }),
  )
  await expect.poll(() => now().pending.map(({ hash }) => hash)).toEqual(['0xbb'])
})

test('useTransactions reports a failure to load its code, and loads it again on refresh', async () => {
  const error = fakeFailure('http/unreachable', { url: 'https://app.example' })
  const latchkey = fakeLatchkey({ state: (state) => withAccount(state, account, 'a') })
  const load = vi.fn(async () => fakeTransactions({ account })).mockRejectedValueOnce(error)
  const now = await show({ ...latchkey, transactions: load })
  await expect.poll(() => now().error).toBe(error)
  expect(now().loading).toBe(false)
  await now().refresh()
  await expect.poll(() => now().error).toBeUndefined()
})
