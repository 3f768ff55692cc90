import type { ChainId } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chain'

/** The transactions of a page: those that are shown, and those that are hidden because all of their transfers are spam. */
export interface SortedPage {
  readonly visible: readonly HistoryTransaction[]
  readonly spam: readonly HistoryTransaction[]
}

/**
 * Separates the transactions on `chain` that are shown, which are those whose transfers are not all spam, from those that are
 * hidden. Purchases belong to no chain, so `chain` is `undefined` for them.
 */
export function separateSpam(transactions: readonly HistoryTransaction[], chain: ChainId | undefined): SortedPage {
  const own = transactions.filter(({ metadata }) => chain === undefined || metadata.chain === chain)
  return {
    visible: own.filter((transaction) => !isSpam(transaction)),
    spam: own.filter(isSpam),
  }
}

/** Whether a transaction has transfers, all of which are spam. Calls without transfers, such as approvals, are not spam. */
function isSpam({ transfers }: HistoryTransaction): boolean {
  return (
    transfers.length > 0 &&
    transfers.every(({ isSpam, nft_info }) => isSpam === true || nft_info?.flags?.is_spam === true)
  )
}
