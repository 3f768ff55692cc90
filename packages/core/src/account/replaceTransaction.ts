import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Session } from '../adapter.ts'
import type { Activity, PendingTransaction } from './pendingTransactionTypes.ts'
import type { PortfolioSubject } from './portfolioTypes.ts'
import type { Transactions } from './transactionTypes.ts'

/** Creates the methods that send pending transactions again with a higher fee, or cancel them. */
export function createTransactionReplacement({
  now,
  activity,
}: {
  /** Returns the active account, with its network and wallet session. */
  now(): Pick<PortfolioSubject, 'account' | 'session'> | undefined
  activity(): Promise<Activity>
}): Pick<Transactions, 'canReplace' | 'replace' | 'replaceFailed'> {
  /** The hashes of transactions that could not be replaced. */
  const failed = new Set<string>()

  /** Returns the wallet's operation for replacing a transaction, or `undefined` if it cannot be replaced. */
  const operationFor = (transaction: PendingTransaction): Session['can']['replaceTransaction'] => {
    const { account, status, nonce } = transaction
    const subject = now()
    // The nonce is only known if the account itself sent the transaction, and not a bundler for a smart account.
    if (subject?.account !== account || status !== 'pending' || nonce === undefined) return undefined
    return subject.session?.can.replaceTransaction
  }
  return {
    canReplace: (transaction) => operationFor(transaction) !== undefined,
    replaceFailed: ({ hash }) => failed.has(hash),
    async replace({ transaction, cancels, label }) {
      const { account, chain, hash } = transaction
      const replaceTransaction = operationFor(transaction)
      if (!replaceTransaction) throw new LatchkeyError('wallet/unsupported', { method: 'eth_sendTransaction' })
      failed.delete(hash)
      const sent = await replaceTransaction({ account, hash, cancels }).catch((error: unknown) => {
        if (!isLatchkeyError(error, 'user/rejected')) failed.add(hash)
        throw error
      })
      ;(await activity()).add({ hash: sent.hash, label, chain, account })
      return sent
    },
  }
}
