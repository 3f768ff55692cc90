import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { seededRandom } from '@latchkey/protocol/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { groupTransactions, mergeTransactions } from './transactionList.ts'
import type { TransactionYear } from './transactionTypes.ts'

const at = (id: string, time: number): HistoryTransaction => ({
  id,
  metadata: {
    operationType: 'send',
    hash: id,
    minedAt: new Date(time).toISOString(),
    sentFrom: '0x1',
    sentTo: '0x2',
    status: 'confirmed',
  },
  transfers: [],
})

test('merging and grouping pages one by one gives the same result as all of them at once', () => {
  const random = seededRandom(14)
  const day = 86_400_000
  for (let round = 0; round < 50; round++) {
    let time = Date.parse('2026-11-28T12:00:00Z')
    const pages = Array.from({ length: 8 }, (_, page) =>
      Array.from({ length: 5 }, (_, place) => {
        // A server can repeat transactions, and return them slightly out of order.
        time -= (random.int(40) - 4) * day
        return at(random.int(10) === 0 ? 'repeated' : `${page} ${place}`, time)
      }),
    )
    let transactions: readonly HistoryTransaction[] = []
    let years: readonly TransactionYear[] = []
    for (const page of pages) {
      transactions = mergeTransactions(transactions, page)
      years = groupTransactions(transactions, years)
    }
    const all = [...new Map(pages.flat().map((one) => [one.id, one])).values()]
    const times = (list: readonly HistoryTransaction[]) => list.map(({ metadata }) => metadata.minedAt)
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(all.length)
    expect(times(transactions)).toEqual(times(all).sort().reverse())
    expect(years).toEqual(groupTransactions(transactions))
  }
})

test('a transaction is in the year and month of the page’s time zone', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const [after, before] = [
    at('after', Date.parse('2027-01-01T10:00:00Z')),
    at('before', Date.parse('2026-12-31T23:30:00Z')),
  ]
  vi.stubEnv('TZ', 'America/New_York')
  expect(groupTransactions([after, before])).toEqual([
    { year: 2027, months: [{ month: 0, transactions: [after] }] },
    { year: 2026, months: [{ month: 11, transactions: [before] }] },
  ])
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(groupTransactions([after, before])).toEqual([
    { year: 2027, months: [{ month: 0, transactions: [after, before] }] },
  ])
})

test('months that did not change are reused, so that a long list only renders its new rows', () => {
  const november = [at('b', Date.parse('2026-11-20T12:00:00Z')), at('a', Date.parse('2026-11-10T12:00:00Z'))]
  const before = groupTransactions(november)
  const after = groupTransactions([...november, at('c', Date.parse('2026-10-10T12:00:00Z'))], before)
  expect(after[0]?.months[0]).toBe(before[0]?.months[0])
  expect(after[0]?.months).toHaveLength(2)
})
