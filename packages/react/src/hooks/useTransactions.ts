import type { PendingTransaction, Transactions, TransactionsState } from '@latchkey/core'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The return type of `useTransactions`. */
export interface UseTransactionsReturnType
  extends Pick<
    TransactionsState,
    'transactions' | 'spam' | 'transactionsByYear' | 'loading' | 'empty' | 'isPartial' | 'error'
  > {
  /** The transactions that the page sent and that the history does not contain yet, newest first. */
  readonly pending: readonly PendingTransaction[]
  /** Whether the wallet can replace a pending transaction. */
  readonly canReplace: (transaction: PendingTransaction) => boolean
  /** Whether the last attempt to replace a pending transaction has failed. */
  readonly replaceFailed: (transaction: PendingTransaction) => boolean
  /** Asks the wallet to replace a pending transaction. See `Transactions.replace`. */
  readonly replace: Transactions['replace']
  /** Whether there are more pages. */
  readonly hasNextPage: boolean
  /** Loads the next page, or the page that could not be loaded. Never rejects. */
  readonly fetchNextPage: () => Promise<void>
  /** Loads the first page again. Never rejects. */
  readonly refresh: () => Promise<void>
}

const none: readonly never[] = []
const noop = (): (() => void) => () => undefined

/**
 * Returns the transactions of the active account on its network, newest first and without spam, and loads the first page when the
 * component mounts and when the account or the network changes. Loads nothing while `enabled` is false.
 *
 * @example
 * const { transactions, loading, hasNextPage, fetchNextPage } = useTransactions()
 */
export function useTransactions({ enabled = true }: { readonly enabled?: boolean } = {}): UseTransactionsReturnType {
  const latchkey = useLatchkey()
  const account = useStore((state) => {
    const now = selectAccount(state)
    return now.status === 'connected' ? now.account : undefined
  })
  const activity = useStore((state) => state.activity)
  const [history, setHistory] = useState<Transactions>()
  const [loadError, setLoadError] = useState<LatchkeyError>()

  const run = useCallback(
    async (task: (loaded: Transactions) => Promise<void>): Promise<void> => {
      try {
        const loaded = await latchkey.transactions()
        setLoadError(undefined)
        setHistory(() => loaded)
        if (loaded) await task(loaded)
      } catch (cause) {
        setLoadError(toLatchkeyError(cause))
      }
    },
    [latchkey],
  )
  const refresh = useCallback(() => run((loaded) => loaded.fetch()), [run])
  const fetchNextPage = useCallback(() => run((loaded) => loaded.fetchNext()), [run])
  useEffect(() => {
    if (!enabled || account === undefined) return
    let unmounted = false
    // Strict Mode mounts components twice, and the first page must only be requested once.
    void Promise.resolve().then(() => (unmounted ? undefined : refresh()))
    return () => {
      unmounted = true
    }
  }, [refresh, enabled, account])

  const state = useSyncExternalStore(
    history?.state.subscribe ?? noop,
    () => history?.state.get(),
    () => undefined,
  )
  // The transactions of another account are not returned while those of the new account are loading.
  const own = state !== undefined && account !== undefined && state.account === account ? state : undefined
  const transactions = own?.transactions ?? none
  const pending = useMemo(() => pendingOf(activity, account, transactions), [activity, account, transactions])
  return {
    canReplace: (transaction) => history?.canReplace(transaction) ?? false,
    replaceFailed: (transaction) => history?.replaceFailed(transaction) ?? false,
    replace: async (params) => {
      const loaded = history ?? (await latchkey.transactions())
      if (!loaded) throw new LatchkeyError('wallet/unsupported', { method: 'eth_sendTransaction' })
      return loaded.replace(params)
    },
    transactions,
    spam: own?.spam ?? none,
    transactionsByYear: own?.transactionsByYear ?? none,
    pending,
    loading: own ? own.loading : enabled && account !== undefined && loadError === undefined,
    empty: own?.empty ?? false,
    isPartial: own?.isPartial ?? false,
    error: own?.error ?? loadError,
    hasNextPage: own?.next !== undefined,
    fetchNextPage,
    refresh,
  }
}

/** Returns the transactions that `account` sent and that are not in its history. */
function pendingOf(
  activity: readonly PendingTransaction[],
  account: string | undefined,
  transactions: UseTransactionsReturnType['transactions'],
): readonly PendingTransaction[] {
  const own = activity.filter((sent) => sent.account === account)
  if (own.length === 0) return none
  const known = new Set(transactions.map(({ metadata }) => metadata.hash.toLowerCase()))
  return own.filter(({ hash }) => !known.has(hash.toLowerCase()))
}
