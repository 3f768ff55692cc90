import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { balanceRetryGapMs, httpUnavailable } from '@latchkey/protocol/specificationConstants'
import type { Adapter, Identity, NativeBalance, Network, Session } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { createCache } from '../lib/cache.ts'
import type { Log } from '../lib/log.ts'
import { failed, loading, type QueryResult } from '../lib/queryResult.ts'
import type { Store } from '../lib/store.ts'
import type { KeyValueStorage } from '../options.ts'
import { createCaches } from '../storage/storedCaches.ts'

/** Reads the active account's balance and name. */
export interface BalanceAndIdentity {
  /** Reads the balance and the name. Errors are not thrown but stored in the state. `force` bypasses the cache. */
  refresh(params?: { force?: boolean }): Promise<void>
  /** Reads the balance if the last read was at least `everyMs` ago. Pauses after a failure, and stops after a 503 response. */
  poll(everyMs: number): Promise<void>
  stop(): void
}

interface Subject {
  readonly account: AccountId
  readonly network: Network
  readonly session: Session | undefined
}

/** The tolerance for polls that run slightly early, because browser timers are not exact. */
const pollSlackMs = 1_000

/** Creates a `BalanceAndIdentity`, which updates the `account` slice of the state. */
export function createBalanceAndIdentity(dependencies: {
  state: Store<State['account']>
  adapters: readonly Adapter[]
  /** The host's `fetch`. */
  fetch?: typeof fetch
  storage(): KeyValueStorage | undefined
  id?: string | undefined
  clock: Clock
  log: Log
  /** Returns the account and network to read. */
  now(): Subject | undefined
  /** Reads the name and image from the server, if there is one. `undefined` if the server does not support the network. */
  accountIdentityApi?(subject: Subject, signal: AbortSignal): Promise<Identity | undefined>
  /** Called when a read finds that the displayed balance has changed. The total value of the tokens is then outdated, too. */
  balanceChanged?(chain: ChainId): void
}): BalanceAndIdentity {
  const { state, clock } = dependencies
  const by = dependencies.fetch && { fetch: dependencies.fetch }
  const stored = createCaches(dependencies)
  // Shares concurrent requests for the same account. The results are not cached here, but in `stored`.
  const asking = createCache(clock)
  let shown: AccountId | undefined
  /** When the displayed account's balance was last requested, when a request last failed, and whether polling has stopped. */
  let request = { at: 0, failedAt: Number.NEGATIVE_INFINITY, over: false }

  const read = async <Key extends 'balance' | 'identity'>(
    key: Key,
    subject: Subject,
    load: () => Promise<State['account'][Key] extends QueryResult<infer Value> ? Value : never>,
  ): Promise<void> => {
    const put = (next: (now: State['account'][Key]) => unknown) => {
      // Ignore results for an account that is no longer displayed.
      if (shown === subject.account) state.set({ ...state.get(), [key]: next(state.get()[key]) } as State['account'])
    }
    const before = state.get()[key].status
    if (before !== 'ready') put((reading) => loading<unknown>(reading))
    try {
      const value = await load()
      put(() => ({ status: 'ready', value }))
    } catch (error) {
      dependencies.log.info(`Unable to read ${key}`, error)
      put((reading) => failed<unknown>(reading, toLatchkeyError(error)))
    }
  }

  const subjectNow = () => {
    const subject = dependencies.now()
    const adapter =
      subject && dependencies.adapters.find(({ namespace }) => namespace === subject.network.chainNamespace)
    if (!subject || !adapter) return undefined
    if (shown !== subject.account) {
      shown = subject.account
      request = { at: 0, failedAt: Number.NEGATIVE_INFINITY, over: false }
      state.set({ balance: { status: 'idle' }, identity: { status: 'idle' } })
    }
    return { ...subject, adapter }
  }

  const readBalance = async (subject: Subject & { readonly adapter: Adapter }, force: boolean): Promise<void> => {
    const { account, network, session, adapter } = subject
    if (!adapter.balance) return
    // Wait after a failed read, so that repeated requests do not add load to a failing service.
    if (!force && clock.now() - request.failedAt < balanceRetryGapMs) return
    const mine = request
    await read('balance', subject, async (): Promise<NativeBalance> => {
      const { decimals } = network.nativeCurrency
      const cached = force ? undefined : stored.nativeBalance.get(account)
      const value = cached && parseUnits(cached.balance, decimals)
      if (cached && value !== undefined) return { value, decimals, symbol: cached.symbol }
      mine.at = clock.now()
      try {
        const found = await asking.read(`balance ${account}`, {
          ttlMs: -1,
          load: (signal) =>
            adapter.balance?.({ account, network, signal, ...(session && { session }), ...by }) ?? missing(),
        })
        mine.over = false
        mine.failedAt = Number.NEGATIVE_INFINITY
        const before = shown === account ? state.get().balance.value : undefined
        if (before && before.value !== found.value) dependencies.balanceChanged?.(network.caipNetworkId)
        stored.nativeBalance.set(account, {
          balance: formatUnits(found.value, found.decimals),
          symbol: found.symbol,
        })
        return found
      } catch (error) {
        mine.failedAt = clock.now()
        mine.over = isUnavailable(error)
        throw error
      }
    })
  }

  /** Reads the name from the server, or from the chain if the server does not respond or does not support the network. */
  const readName = async (
    { account, network, session, adapter }: Subject & { readonly adapter: Adapter },
    signal: AbortSignal,
  ): Promise<Identity> => {
    const readChain = () =>
      adapter.identity?.({ address: addressOf(account), network, signal, ...(session && { session }), ...by })
    try {
      const found = await dependencies.accountIdentityApi?.({ account, network, session }, signal)
      if (found) return found
    } catch (error) {
      if (signal.aborted || !adapter.identity) throw error
      dependencies.log.info('Unable to read the name from the server', error)
    }
    return (await readChain()) ?? {}
  }

  return {
    async refresh({ force = false } = {}) {
      const subject = subjectNow()
      if (!subject) return
      const { account, network, adapter } = subject
      const address = addressOf(account)
      const readIdentity = async (): Promise<Identity> => {
        // A name on a test network can belong to someone other than its owner on the main network.
        if (network.testnet || !(adapter.identity || dependencies.accountIdentityApi)) return {}
        const cached = force ? undefined : stored.identity.get(address)
        if (cached) return cached
        const found = await asking.read(`identity ${address}`, {
          ttlMs: -1,
          load: (signal) => readName(subject, signal),
        })
        stored.identity.set(address, found)
        return found
      }
      await Promise.all([readBalance(subject, force), read('identity', subject, readIdentity)])
    },
    async poll(everyMs) {
      const subject = subjectNow()
      if (!subject || request.over || clock.now() - Math.max(request.at, request.failedAt) < everyMs - pollSlackMs)
        return
      if (clock.now() - request.failedAt < balanceRetryGapMs - pollSlackMs) return
      await readBalance(subject, true)
    },
    stop() {
      shown = undefined
      asking.clear()
    },
  }
}

/** Whether the service responded that it is unavailable. Checks up to eight levels of causes. */
function isUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const { status, details } = cause as { status?: unknown; details?: { status?: unknown } }
    if (status === httpUnavailable || details?.status === httpUnavailable) return true
  }
  return false
}

function missing(): Promise<never> {
  return Promise.reject(new Error('The adapter has no such reading.'))
}
