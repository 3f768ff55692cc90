import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/errors'
import type { Adapter, Identity, NativeBalance, Network, Session } from '../adapter.ts'
import type { State } from '../latchkey.ts'
import { createCache } from '../lib/cache.ts'
import type { Log } from '../lib/log.ts'
import { failed, loading, type Reading } from '../lib/reading.ts'
import type { Store } from '../lib/store.ts'
import type { KeyValueStorage } from '../options.ts'
import { createCaches } from '../storage/caches.ts'

/** Reads what the active account holds and is called. */
export interface Readings {
  /** Resolves when both are there; failures are in the state, not thrown. `force` skips what is cached. */
  refresh(asked?: { force?: boolean }): Promise<void>
  stop(): void
}

interface Subject {
  readonly account: AccountId
  readonly network: Network
  readonly session: Session | undefined
}

/** Keeps the `account` slice. */
export function createReadings(deps: {
  state: Store<State['account']>
  adapters: readonly Adapter[]
  storage(): KeyValueStorage | undefined
  id?: string | undefined
  clock: Clock
  log: Log
  /** Whom to read about, on which network. */
  now(): Subject | undefined
}): Readings {
  const { state, clock } = deps
  const kept = createCaches(deps)
  // One question in flight per account, however many ask; how long an answer is believed is up to the stored caches.
  const asking = createCache(clock)
  let shown: AccountId | undefined

  const read = async <Key extends 'balance' | 'identity'>(
    key: Key,
    subject: Subject,
    load: () => Promise<State['account'][Key] extends Reading<infer Value> ? Value : never>,
  ): Promise<void> => {
    const put = (next: (now: State['account'][Key]) => unknown) => {
      // An answer about somebody else is not news.
      if (shown === subject.account) state.set({ ...state.get(), [key]: next(state.get()[key]) } as State['account'])
    }
    const before = state.get()[key].status
    if (before !== 'ready') put((reading) => loading<unknown>(reading))
    try {
      const value = await load()
      put(() => ({ status: 'ready', value }))
    } catch (error) {
      deps.log.info(`Unable to read ${key}`, error)
      put((reading) => failed<unknown>(reading, toLatchkeyError(error)))
    }
  }

  return {
    async refresh({ force = false } = {}) {
      const subject = deps.now()
      const adapter = subject && deps.adapters.find(({ namespace }) => namespace === subject.network.chainNamespace)
      if (!subject || !adapter) return
      const { account, network, session } = subject
      if (shown !== account) {
        shown = account
        state.set({ balance: { status: 'idle' }, identity: { status: 'idle' } })
      }
      const address = addressOf(account)

      const readBalance = async (): Promise<NativeBalance> => {
        const { decimals } = network.nativeCurrency
        const cached = force ? undefined : kept.nativeBalance.get(account)
        const value = cached && parseUnits(cached.balance, decimals)
        if (cached && value !== undefined) return { value, decimals, symbol: cached.symbol }
        const found = await asking.read(`balance ${account}`, {
          ttlMs: -1,
          load: (signal) => adapter.balance?.({ account, network, signal, ...(session && { session }) }) ?? missing(),
        })
        const balance = formatUnits(found.value, found.decimals)
        kept.nativeBalance.set(account, { balance, symbol: found.symbol })
        return found
      }
      const readIdentity = async (): Promise<Identity> => {
        // Names of a test network would be somebody else's names.
        if (network.testnet || !adapter.identity) return {}
        const cached = force ? undefined : kept.identity.get(address)
        if (cached) return cached
        const found = await asking.read(`identity ${address}`, {
          ttlMs: -1,
          load: (signal) => adapter.identity?.({ address, network, signal, ...(session && { session }) }) ?? missing(),
        })
        kept.identity.set(address, found)
        return found
      }
      await Promise.all([
        ...(adapter.balance ? [read('balance', subject, readBalance)] : []),
        read('identity', subject, readIdentity),
      ])
    },
    stop() {
      shown = undefined
      asking.clear()
    },
  }
}

function missing(): Promise<never> {
  return Promise.reject(new Error('The adapter has no such reading.'))
}
