import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getHistory, type HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter } from '../../adapter.ts'
import type { ChainApiClient } from '../../chainApi/chainApiClient.ts'
import { abortable } from '../../lib/abortable.ts'
import { createCache } from '../../lib/cache.ts'
import type { Log } from '../../lib/log.ts'
import type { PortfolioSubject, Token } from '../portfolioTypes.ts'
import { type KnownAddresses, knownAddresses } from './knownAddresses.ts'

/** The results of checking the recipient and the token of a transfer. A value is `undefined` if it could not be determined. */
export interface RecipientChecks {
  readonly known: KnownAddresses | undefined
  readonly isContract: boolean | undefined
  /** The name of another network on which a contract has the address, which has no code on this one. */
  readonly contractOn: string | undefined
  /** The token's decimal places according to its contract. Also `undefined` for the network's currency. */
  readonly decimals: number | undefined
  /** The token's symbol according to its contract. Also `undefined` for the network's currency. */
  readonly symbol: string | undefined
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
/** The maximum number of pages of the history that are read, and of other networks on which the address is checked. */
const maxPages = 5
const maxNetworks = 8

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
    const known = (isPartial: boolean): KnownAddresses => ({
      ...knownAddresses(transactions, account),
      ...(isPartial && { isPartial }),
    })
    let cursor: string | undefined
    let hasGaps = false
    // One page is not enough: anyone can fill it with worthless transfers.
    for (let page = 0; page < maxPages; page++) {
      try {
        const { data, next, isPartial } = await api.call(getHistory, { params, query: { chainId, cursor }, signal })
        transactions.push(...data)
        hasGaps ||= isPartial === true
        if (next === null) return known(hasGaps)
        cursor = next
      } catch (error) {
        if (page === 0 || signal.aborted) throw error
        return known(true)
      }
    }
    return known(true)
  }

  return async ({ to, token, subject }, signal) => {
    const { network, session } = subject
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    signal.addEventListener('abort', abort)
    const cancel = clock.after(maxCheckMs, abort)
    const common = { signal: controller.signal, ...(fetch && { fetch }) }
    const reading = { network, ...common, ...(session && { session }) }
    const attempt = <Value>(read: () => Promise<Value> | undefined): Promise<Value | undefined> =>
      abortable((async () => read())(), controller.signal).catch(unknown)
    const ofToken = <Value>(
      read: (params: typeof reading & { readonly token: string }) => Promise<Value> | undefined,
    ) => attempt(() => (token?.address === undefined ? undefined : read({ token: token.address, ...reading })))
    const readContract = async () => {
      const isContract = await attempt(() => adapter?.isContract?.({ address: to, ...reading }))
      if (isContract !== false || network.chainNamespace !== 'eip155') return { isContract, contractOn: undefined }
      // The owner of a contract, such as a multi-signature wallet, does not control its address on all networks.
      const others = (adapter?.networks ?? []).filter(
        (other) => other.caipNetworkId !== network.caipNetworkId && Boolean(other.testnet) === Boolean(network.testnet),
      )
      const found = await Promise.all(
        others.slice(0, maxNetworks).map(async (other) => {
          const has = await attempt(() => adapter?.isContract?.({ address: to, network: other, ...common }))
          return has ? other.name : undefined
        }),
      )
      return { isContract, contractOn: found.find((name) => name !== undefined) }
    }
    const [known, contract, decimals, symbol] = await Promise.all([
      attempt(() => readHistory(subject)),
      readContract(),
      ofToken((params) => adapter?.tokenDecimals?.(params)),
      ofToken((params) => adapter?.tokenSymbol?.(params)),
    ])
    cancel()
    signal.removeEventListener('abort', abort)
    return { known, ...contract, decimals, symbol }
  }
}
