import type { ChainId } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'

/** The transactions on a page, separated into those to show and those to hide. */
export interface SortedPage {
  readonly visible: readonly HistoryTransaction[]
  readonly spam: readonly HistoryTransaction[]
}

/**
 * Separates the transactions on `chain` into visible ones and spam, which are those whose transfers are all spam. For purchases,
 * which are not on a chain, pass `undefined`.
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
