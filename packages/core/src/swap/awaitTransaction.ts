import type { ChainId } from '@latchkey/protocol/caip'
import { maxPendingTransactions, pollMs } from '@latchkey/protocol/specificationConstants'
import { delay } from '../lib/delay.ts'
import type { SwapContext } from './swapContext.ts'

/** The time between two reads of a transaction's status, for the first reads. */
const firstReadsMs = 2_000
/** The number of reads after which they become less frequent. */
const firstReads = 15

/**
 * Resolves once a transaction is in a block: `failed` if it was reverted. Nothing is read while the page is hidden. Resolves to
 * `undefined` if `signal` aborts, or if the transaction is still not in a block after 99 reads.
 */
export async function awaitTransaction(
  { clock, page, transactionStatus }: Pick<SwapContext, 'clock' | 'page' | 'transactionStatus'>,
  { hash, chain, signal }: { readonly hash: string; readonly chain: ChainId; readonly signal: AbortSignal },
): Promise<'done' | 'failed' | undefined> {
  for (let reads = 0; reads < maxPendingTransactions; ) {
    await delay({ clock, ms: reads < firstReads ? firstReadsMs : pollMs, signal })
    if (signal.aborted) return undefined
    if (page.isHidden()) continue
    reads++
    const status = await transactionStatus(hash, chain).catch(() => 'pending' as const)
    if (signal.aborted) return undefined
    if (status !== 'pending') return status
  }
  return undefined
}
