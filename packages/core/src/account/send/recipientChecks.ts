import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getHistory, type HistoryTransaction } from '@latchkey/protocol/http/chain'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter } from '../../adapter.ts'
import type { ChainApiClient } from '../../chainApi/chainApiClient.ts'
import { abortable } from '../../lib/abortable.ts'
import { createCache } from '../../lib/cache.ts'
import type { Log } from '../../lib/log.ts'
import type { PortfolioSubject } from '../portfolio.ts'
import type { Token } from '../portfolioTypes.ts'
import { type KnownAddresses, knownAddresses } from './knownAddresses.ts'

/** The results of checking the recipient and the token of a transfer. A value is `undefined` if it could not be determined. */
export interface RecipientChecks {
  readonly known: KnownAddresses | undefined
  readonly isContract: boolean | undefined
  /** The token's decimal places according to its contract. `undefined` for the network's currency as well. */
  readonly decimals: number | undefined
}

/** The transfer whose recipient and token are checked. */
export interface TransferToCheck {
  readonly to: string
  readonly token: Token | undefined
  readonly subject: PortfolioSubject
}

/** How long an account's history is cached, and the timeout of the checks, in milliseconds. */
const historyMs = 60_000
const maxCheckMs = 10_000
/** The maximum number of pages of the history that are read. */
const maxPages = 5

/** Creates the function that checks the recipient and the token of a transfer. It never rejects. */
export function createRecipientChecks({
  api,
  adapters,
  fetch,
  clock,
  log,
}: {
  readonly api: ChainApiClient | undefined
  readonly adapters: readonly Adapter[]
  readonly fetch: typeof globalThis.fetch | undefined
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
}): (transfer: TransferToCheck, signal: AbortSignal) => Promise<RecipientChecks> {
  const histories = createCache(clock)
  const unknown = (error: unknown): undefined => void log.info('Unable to check a transfer', error)

  const readHistory = ({ account, network }: PortfolioSubject): Promise<KnownAddresses> =>
    histories.read(`${account} ${network.caipNetworkId}`, {
      ttlMs: historyMs,
      load: (signal) => loadHistory(account, network.caipNetworkId, signal),
    })
  const loadHistory = async (
    account: AccountId,
    chainId: PortfolioSubject['network']['caipNetworkId'],
    signal: AbortSignal,
  ): Promise<KnownAddresses> => {
    if (!api || !(await api.supports(chainId))) throw new LatchkeyError('network/unsupported', { chain: chainId })
    const params = { address: addressOf(account) }
    const transactions: HistoryTransaction[] = []
    let cursor: string | undefined
    // One page is not enough: anyone can fill it with worthless transfers.
    for (let page = 0; page < maxPages; page++) {
      try {
        const { data, next } = await api.call(getHistory, { params, query: { chainId, cursor }, signal })
        transactions.push(...data)
        if (next === null) break
        cursor = next
      } catch (error) {
        if (page === 0 || signal.aborted) throw error
        return { ...knownAddresses(transactions, account), isPartial: true }
      }
    }
    return knownAddresses(transactions, account)
  }

  return async ({ to, token, subject }, signal) => {
    const { network, session } = subject
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    signal.addEventListener('abort', abort)
    const cancel = clock.after(maxCheckMs, abort)
    const reading = { network, signal: controller.signal, ...(session && { session }), ...(fetch && { fetch }) }
    const attempt = <Value>(read: () => Promise<Value> | undefined): Promise<Value | undefined> =>
      abortable((async () => read())(), controller.signal).catch(unknown)
    const [known, isContract, decimals] = await Promise.all([
      attempt(() => readHistory(subject)),
      attempt(() => adapter?.isContract?.({ address: to, ...reading })),
      attempt(() =>
        token?.address === undefined ? undefined : adapter?.tokenDecimals?.({ token: token.address, ...reading }),
      ),
    ])
    cancel()
    signal.removeEventListener('abort', abort)
    return { known, isContract, decimals }
  }
}
