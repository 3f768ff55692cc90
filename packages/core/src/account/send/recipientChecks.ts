import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getHistory } from '@latchkey/protocol/http/chain'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter } from '../../adapter.ts'
import type { ChainApiClient } from '../../chainApi/chainApiClient.ts'
import { abortable } from '../../lib/abortable.ts'
import { createCache } from '../../lib/cache.ts'
import type { Log } from '../../lib/log.ts'
import type { PortfolioSubject } from '../portfolio.ts'
import { type KnownAddresses, knownAddresses } from './knownAddresses.ts'

/** The results of checking a recipient. A value is `undefined` if it could not be determined. */
export interface RecipientChecks {
  readonly known: KnownAddresses | undefined
  readonly isContract: boolean | undefined
}

/** How long an account's history is cached, and the timeout of the checks, in milliseconds. */
const historyMs = 60_000
const maxCheckMs = 10_000

/** Creates the function that checks a recipient. It never rejects. */
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
}): (address: string, subject: PortfolioSubject, signal: AbortSignal) => Promise<RecipientChecks> {
  const histories = createCache(clock)
  const unknown = (error: unknown): undefined => void log.info('Unable to check a recipient', error)

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
    const { data } = await api.call(getHistory, { params: { address: addressOf(account) }, query: { chainId }, signal })
    return knownAddresses(data, account)
  }
  const readCode = async (
    address: string,
    { network, session }: PortfolioSubject,
    signal: AbortSignal,
  ): Promise<boolean | undefined> =>
    adapters
      .find(({ namespace }) => namespace === network.chainNamespace)
      ?.isContract?.({ address, network, signal, ...(session && { session }), ...(fetch && { fetch }) })

  return async (address, subject, signal) => {
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    signal.addEventListener('abort', abort)
    const cancel = clock.after(maxCheckMs, abort)
    const [known, isContract] = await Promise.all([
      abortable(readHistory(subject), controller.signal).catch(unknown),
      abortable(readCode(address, subject, controller.signal), controller.signal).catch(unknown),
    ])
    cancel()
    signal.removeEventListener('abort', abort)
    return { known, isContract }
  }
}
