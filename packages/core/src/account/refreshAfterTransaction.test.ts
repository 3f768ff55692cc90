import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { fakePortfolio, fakeTransactions } from '../testing/index.ts'
import type { PendingTransaction } from './pendingTransactionTypes.ts'
import { createTransactionRefresh, nativeTokenId } from './refreshAfterTransaction.ts'

const account = 'eip155:1:0x1111111111111111111111111111111111111111'
const sent: PendingTransaction = {
  hash: `0x${'aB'.repeat(32)}`,
  label: 'Send 1 ETH',
  chain: 'eip155:1',
  account,
  addedAt: 0,
  status: 'done',
}

function setup() {
  const clock = fakeClock()
  const portfolio = fakePortfolio()
  let isListed = false
  let reads = 0
  const history = fakeTransactions(
    { account, chain: 'eip155:1' },
    {
      async update() {
        reads++
        const found = { metadata: { hash: sent.hash.toLowerCase() } } as HistoryTransaction
        if (isListed) history.state.set({ ...history.state.get(), transactions: [found] })
      },
    },
  )
  let balances = 0
  const refresh = createTransactionRefresh({
    clock,
    refreshBalance: async () => void balances++,
    portfolio: async () => portfolio,
    transactions: async () => history,
  })
  return {
    clock,
    refresh,
    portfolio,
    history,
    list: () => {
      isListed = true
    },
    reads: () => reads,
    balances: () => balances,
  }
}

test('the balances are read again once, bypassing the server’s cache', async () => {
  const { clock, refresh, portfolio, balances } = setup()
  refresh.settled(sent)
  await clock.pass(600_000)
  expect(balances()).toBe(1)
  expect(portfolio.calls).toEqual([['refresh', { force: [nativeTokenId('eip155:1')] }]])
})

test('the history is read again until it contains the transaction', async () => {
  const { clock, refresh, list, reads } = setup()
  refresh.settled(sent)
  await clock.pass(0)
  expect(reads()).toBe(1)
  await clock.pass(8_000)
  expect(reads()).toBe(3)
  list()
  await clock.pass(10_000)
  expect(reads()).toBe(4)
  await clock.pass(600_000)
  expect(reads()).toBe(4)
})

test('a history without the transaction is read eight times, but not again for another network or after stop()', async () => {
  const endless = setup()
  endless.refresh.settled(sent)
  await endless.clock.pass(3_600_000)
  expect(endless.reads()).toBe(8)

  const other = setup()
  other.history.state.set({ ...other.history.state.get(), chain: 'eip155:10' })
  other.refresh.settled(sent)
  await other.clock.pass(600_000)
  expect(other.reads()).toBe(1)

  const stopped = setup()
  stopped.refresh.settled(sent)
  await stopped.clock.pass(0)
  stopped.refresh.stop()
  await stopped.clock.pass(600_000)
  expect(stopped.reads()).toBe(1)
})

test.each([
  ['eip155:10', 'eip155:10:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
  [
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So11111111111111111111111111111111111111111',
  ],
] as const)('the currency of %s has the ID that the specification defines', (chain, id) => {
  expect(nativeTokenId(chain)).toBe(id)
})
