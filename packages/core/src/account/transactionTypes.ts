import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ReadableStore } from '../lib/store.ts'
import type { PendingTransaction } from './pendingTransactionTypes.ts'

/** The transactions of a month. */
export interface TransactionMonth {
  /** The month in the page's time zone, from 0 for January. */
  readonly month: number
  /** The transactions, newest first. */
  readonly transactions: readonly HistoryTransaction[]
}

/** The transactions of a year. */
export interface TransactionYear {
  /** The year in the page's time zone. */
  readonly year: number
  /** The months with transactions, latest first. */
  readonly months: readonly TransactionMonth[]
}

/** The transactions of the active account on its network. */
export interface TransactionsState {
  /** The account and chain whose transactions are shown. */
  readonly account: AccountId | undefined
  /** The network of the transactions. `undefined` if no account is connected. */
  readonly chain: ChainId | undefined
  /** The visible transactions of all loaded pages, newest first. Spam and transactions on other chains are omitted. */
  readonly transactions: readonly HistoryTransaction[]
  /**
   * The transactions of all loaded pages that are hidden because all of their transfers are spam or address poisoning, newest
   * first. Their addresses must never be offered as recipients.
   */
  readonly spam: readonly HistoryTransaction[]
  /** `transactions`, grouped by year and month. The latest year is first. */
  readonly transactionsByYear: readonly TransactionYear[]
  /** The purchases through an onramp, newest first. */
  readonly coinbaseTransactions: readonly HistoryTransaction[]
  /** Whether a page is being loaded. */
  readonly loading: boolean
  /** Whether loading ended without any visible transaction. Also `true` if the first page could not be loaded. */
  readonly empty: boolean
  /** The cursor of the next page. `undefined` if there is none. */
  readonly next: string | undefined
  /** Whether transactions might be missing, because the server's node can only search for token transfers. */
  readonly isPartial: boolean
  /** Why the last page could not be loaded. */
  readonly error: LatchkeyError | undefined
}

/** The history of the active account. */
export interface Transactions {
  /** The loaded pages of the history. */
  readonly state: ReadableStore<TransactionsState>
  /**
   * Loads the first page, and replaces the transactions with it. If loading fails, the list is empty and `error` is set. With
   * `onramp`, loads the purchases instead, always from the server.
   *
   * @throws {LatchkeyError} `transactions/no-account` if no account is connected.
   */
  fetch(params?: { readonly onramp?: 'coinbase' }): Promise<void>
  /** Loads the next page, or the page that could not be loaded. Does nothing if there is none, or while a page is loading. */
  fetchNext(): Promise<void>
  /** Loads the newest transactions and keeps the others. Does nothing if nothing was loaded yet. Ignores failures. */
  update(): Promise<void>
  /** Whether the wallet can replace this pending transaction of the active account. */
  canReplace(transaction: PendingTransaction): boolean
  /** Whether the last attempt to replace this transaction has failed. */
  replaceFailed(transaction: PendingTransaction): boolean
  /**
   * Asks the wallet to replace a pending transaction with the same one at a higher fee or, with `cancels`, with a zero payment
   * to the sender. Only one of the two is executed. `label` describes the new one in the account's activity. Rejects with the
   * wallet's error, with `send/not-pending`, or with `send/not-verified` if the node returns a different transaction.
   */
  replace(params: {
    readonly transaction: PendingTransaction
    readonly cancels: boolean
    readonly label: string
  }): Promise<{ readonly hash: string }>
  /** Stops the requests. */
  stop(): void
}
