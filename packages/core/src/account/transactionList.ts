import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import type { TransactionYear } from './transactionTypes.ts'

/** Adds a page to the transactions, newest first. A transaction replaces an earlier one with the same ID. */
export function mergeTransactions(
  shown: readonly HistoryTransaction[],
  page: readonly HistoryTransaction[],
): readonly HistoryTransaction[] {
  const added = new Map(page.map((transaction) => [transaction.id, transaction]))
  // The sort is stable, so transactions of the same block stay in the server's order.
  const sorted = [...added.values()].sort((a, b) => timeOf(b) - timeOf(a))
  if (shown.length === 0) return sorted
  const kept = shown.filter(({ id }) => !added.has(id))
  const [newest] = sorted
  const oldest = kept.at(-1)
  // A page is usually older than all transactions before it. Sorting ten thousand transactions would block the page for longer
  // than a frame.
  if (!newest || !oldest || timeOf(newest) <= timeOf(oldest)) return [...kept, ...sorted]
  return [...kept, ...sorted].sort((a, b) => timeOf(b) - timeOf(a))
}

/**
 * Groups transactions, which are sorted newest first, by year and month in the page's time zone. Months of `before`, the result
 * of an earlier call, are reused if they did not change.
 */
export function groupTransactions(
  transactions: readonly HistoryTransaction[],
  before: readonly TransactionYear[] = [],
): readonly TransactionYear[] {
  const years: { year: number; months: { month: number; transactions: readonly HistoryTransaction[] }[] }[] = []
  let at = 0
  for (const { year, months } of before) {
    for (const group of months) {
      const { length } = group.transactions
      const isSame = group.transactions.every((transaction, offset) => transactions[at + offset] === transaction)
      const next = transactions[at + length]
      // The last month of the earlier call can have more transactions now.
      if (!isSame || (next && isIn(next, year, group.month))) return add(years, transactions, at)
      if (years.at(-1)?.year !== year) years.push({ year, months: [] })
      years.at(-1)?.months.push(group)
      at += length
    }
  }
  return add(years, transactions, at)
}

function add(
  years: { year: number; months: { month: number; transactions: readonly HistoryTransaction[] }[] }[],
  transactions: readonly HistoryTransaction[],
  from: number,
): readonly TransactionYear[] {
  let current: HistoryTransaction[] = []
  for (const transaction of transactions.slice(from)) {
    const date = new Date(timeOf(transaction))
    let year = years.at(-1)
    if (year?.year !== date.getFullYear()) years.push((year = { year: date.getFullYear(), months: [] }))
    if (year.months.at(-1)?.month !== date.getMonth()) {
      current = []
      year.months.push({ month: date.getMonth(), transactions: current })
    }
    current.push(transaction)
  }
  return years
}

function isIn(transaction: HistoryTransaction, year: number, month: number): boolean {
  const date = new Date(timeOf(transaction))
  return date.getFullYear() === year && date.getMonth() === month
}

function timeOf({ metadata }: HistoryTransaction): number {
  return Date.parse(metadata.minedAt)
}
