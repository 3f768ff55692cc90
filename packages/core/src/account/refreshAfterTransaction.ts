import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import type { PendingTransaction } from './pendingTransactionTypes.ts'
import type { Portfolio } from './portfolioTypes.ts'
import type { Transactions } from './transactionTypes.ts'

/** The delays before each repeated read of a history that does not contain the transaction yet, in milliseconds. */
const historyReadsMs = [3_000, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000]

/** Refreshes the displayed data after transactions. */
export interface TransactionRefresh {
  /**
   * Reads the balances and the history again. If the history does not contain the transaction yet, because an indexer lags behind
   * the chain, it is read again for about five minutes.
   */
  settled(transaction: PendingTransaction): void
  stop(): void
}

/** Creates the refresh. Data that is not loaded is not displayed, so it does not have to be refreshed. */
export function createTransactionRefresh({
  clock,
  refreshBalance,
  portfolio,
  transactions,
}: {
  readonly clock: Clock
  refreshBalance(): Promise<void>
  /** Resolves to the portfolio, if it is loaded. */
  portfolio(): Promise<Portfolio | undefined>
  /** Resolves to the history, if it is loaded. */
  transactions(): Promise<Transactions | undefined>
}): TransactionRefresh {
  const timers = new Set<() => void>()
  let stopped = false

  async function readHistory(transaction: PendingTransaction, attempt: number): Promise<void> {
    const history = await transactions()
    if (stopped) return
    if (globalThis.document?.visibilityState !== 'hidden') await history?.update()
    const ms = historyReadsMs[attempt]
    if (stopped || ms === undefined || isListed(history, transaction)) return
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      readHistory(transaction, attempt + 1).catch(() => undefined)
    })
    timers.add(cancel)
  }

  return {
    settled(transaction) {
      for (const refresh of [
        refreshBalance,
        async () => (await portfolio())?.refresh({ force: [nativeTokenId(transaction.chain)] }),
        () => readHistory(transaction, 0),
      ])
        refresh().catch(() => undefined)
    },
    stop() {
      stopped = true
      for (const cancel of timers) cancel()
    },
  }
}

/**
 * Returns the CAIP-10 ID of a network's currency in `forceUpdate`. The server caches balances for ten seconds, and reads all of them
 * again if it is asked to read one of them.
 */
export function nativeTokenId(chain: ChainId): string {
  return `${chain}:${chain.startsWith('solana:') ? 'So11111111111111111111111111111111111111111' : nativeTokenAddress}`
}

/** Whether the history contains the transaction, or now belongs to another account or chain. */
function isListed(history: Transactions | undefined, { hash, account, chain }: PendingTransaction): boolean {
  const state = history?.state.get()
  if (state?.account === undefined) return false
  if (state.account !== account || state.chain !== chain) return true
  return [...state.transactions, ...state.spam].some(
    ({ metadata }) => metadata.hash.toLowerCase() === hash.toLowerCase(),
  )
}
