import type { ChainId } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chain'
import type { TransactionYear } from './transactionTypes.ts'

/**
 * Returns the transactions that are shown: those on `chain` with at least one transfer that is not spam. Purchases belong to no
 * chain, so `chain` is `undefined` for them.
 */
export function visibleTransactions(
  transactions: readonly HistoryTransaction[],
  chain: ChainId | undefined,
): readonly HistoryTransaction[] {
  return transactions.filter(
    ({ metadata, transfers }) =>
      !transfers.every(({ isSpam, nft_info }) => isSpam === true || nft_info?.flags?.is_spam === true) &&
      (chain === undefined || metadata.chain === chain),
  )
}

/** Adds a page to the transactions, newest first. A transaction replaces an earlier one with the same ID. */
export function mergeTransactions(
  shown: readonly HistoryTransaction[],
  page: readonly HistoryTransaction[],
): readonly HistoryTransaction[] {
  const byId = new Map([...shown, ...page].map((transaction) => [transaction.id, transaction]))
  // The sort is stable, so transactions of the same block stay in the server's order.
  return [...byId.values()].sort((a, b) => timeOf(b) - timeOf(a))
}

/** Groups transactions, which are sorted from new to old, by year and month in the page's time zone. */
export function groupTransactions(transactions: readonly HistoryTransaction[]): readonly TransactionYear[] {
  const years: { year: number; months: { month: number; transactions: HistoryTransaction[] }[] }[] = []
  for (const transaction of transactions) {
    const date = new Date(timeOf(transaction))
    let year = years.at(-1)
    if (year?.year !== date.getFullYear()) years.push((year = { year: date.getFullYear(), months: [] }))
    let month = year.months.at(-1)
    if (month?.month !== date.getMonth()) year.months.push((month = { month: date.getMonth(), transactions: [] }))
    month.transactions.push(transaction)
  }
  return years
}

function timeOf({ metadata }: HistoryTransaction): number {
  return Date.parse(metadata.minedAt)
}
