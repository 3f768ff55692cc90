import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { TransactionExpiry } from '../adapter.ts'

/** A transaction that the page sent, until the account's history contains it. */
export interface PendingTransaction {
  /** The transaction hash, or the signature on solana. */
  readonly hash: string
  /** What the transaction does, such as `Send 5 USDC`. Shown to the user. */
  readonly label: string
  /** The network to which the transaction was sent. */
  readonly chain: ChainId
  /** The account that sent the transaction. */
  readonly account: AccountId
  /** When the transaction was added, in epoch milliseconds. */
  readonly addedAt: number
  /**
   * `pending` until the transaction is included in a block, and `failed` if it reverted. `replaced` if another transaction with its
   * nonce was included instead, such as a faster one that the user sent from the wallet, or a cancellation. `dropped` if it has expired
   * on solana without being executed.
   */
  readonly status: 'pending' | 'done' | 'failed' | 'replaced' | 'dropped'
  /** The nonce, by which a replaced transaction is recognized. Absent until a node knows the transaction, and on solana. */
  readonly nonce?: number
  /** When the transaction can no longer be executed. Only on solana, for transactions that Latchkey sent. */
  readonly expiry?: TransactionExpiry
  /** Set if the host added the transaction. Its label, and that the account sent it, are the host's claims. */
  readonly isFromHost?: true
}

/** The transactions that the page sends, which the account's activity shows until the history contains them. */
export interface Activity {
  /**
   * Adds a transaction to the account's activity, which shows it as pending, and then as done, failed, replaced or dropped. The
   * transaction is kept when the page is reloaded. Adding the same hash again has no effect.
   *
   * @example
   * const hash = await walletClient.sendTransaction({ to: shop, value: price })
   * latchkey.activity.add({ hash, label: 'Order 1042' })
   */
  add(transaction: {
    /** The transaction hash, or the signature on solana. */
    readonly hash: string
    /** What the transaction does, in the user's language. At most 100 characters are kept. */
    readonly label: string
    /** The chain (CAIP-2). Default: the account's chain. */
    readonly chain?: ChainId
    /** The account that sent the transaction. Default: the active account. */
    readonly account?: AccountId
  }): void
}

/** The activity as used within Latchkey. Transactions added with `add` were sent by Latchkey itself. */
export interface OwnActivity extends Activity {
  /** Adds a transaction of the host. It is marked as such. */
  addFromHost: Activity['add']
}
