import { addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getHistory, type HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { delay } from '../lib/delay.ts'
import type { OnrampPurchase } from './onrampTypes.ts'

/** How often the purchases are read, in milliseconds: until the first report of the purchase, and until it has arrived. */
const pollMs = { waiting: 4_000, paid: 3_000 } as const
/** How long the purchases are read without any report, in milliseconds. */
const waitMs = 180_000
/** How long the purchases are read after the first report, in milliseconds. Bank transfers take days. */
const paidMs = 1_800_000
/** How far the clocks of the page and the provider can differ, in milliseconds. */
const skewMs = 60_000

/** Resolves to an account's purchases, newest first. Rejects if the server does not respond. */
export async function readPurchases(
  { api, signal }: { readonly api: ChainApiClient; readonly signal: AbortSignal },
  { account, chain }: Pick<OnrampPurchase, 'account' | 'chain'>,
): Promise<readonly HistoryTransaction[]> {
  const { data } = await api.call(getHistory, {
    params: { address: addressOf(account) },
    query: { chainId: chain, onramp: 'coinbase' },
    signal,
    cache: 'no-cache',
  })
  return data
}

/**
 * Reads the purchases until the provider reports that one that is not in `known` has arrived or failed. `report` is called with
 * each change. Resolves when the purchase has arrived, failed or timed out, or when `signal` aborts.
 */
export async function followPurchase({
  purchase,
  known,
  api,
  clock,
  signal,
  report,
}: {
  readonly purchase: OnrampPurchase
  /** The IDs of earlier purchases. If they are not known, a purchase counts if it is newer than `purchase`. */
  readonly known: readonly string[] | undefined
  readonly api: ChainApiClient
  readonly clock: Clock
  readonly signal: AbortSignal
  report(change: Pick<OnrampPurchase, 'status' | 'transaction' | 'isUnreachable'>): void
}): Promise<void> {
  const isNew = ({ id, metadata }: HistoryTransaction): boolean =>
    known ? !known.includes(id) : Date.parse(metadata.minedAt) >= purchase.startedAt - skewMs
  let { status, transaction } = purchase
  let until = clock.now() + waitMs
  while (!signal.aborted) {
    let isUnreachable = false
    try {
      const purchases = await readPurchases({ api, signal }, purchase)
      const found = purchases.find(isNew)
      if (found && found.id !== transaction?.id) until = clock.now() + paidMs
      if (found) [status, transaction] = [statusOf(found), found]
    } catch {
      isUnreachable = true
    }
    if (signal.aborted) return
    const isDone = status === 'arrived' || status === 'refused'
    if (!isDone && clock.now() >= until) status = 'slow'
    report({ status, transaction, isUnreachable })
    if (isDone || status === 'slow') return
    await delay({ clock, ms: status === 'paid' ? pollMs.paid : pollMs.waiting, signal })
  }
}

function statusOf({ metadata: { status } }: HistoryTransaction): OnrampPurchase['status'] {
  if (status === 'ONRAMP_TRANSACTION_STATUS_SUCCESS') return 'arrived'
  return status === 'ONRAMP_TRANSACTION_STATUS_FAILED' ? 'refused' : 'paid'
}
