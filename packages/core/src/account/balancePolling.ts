import type { Clock } from '@latchkey/protocol/clock'
import { idlePollMs, pollMs, sentReadsMs } from '@latchkey/protocol/specificationConstants'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { LazyValue } from '../lib/lazyValue.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { BalanceAndIdentity } from './balanceAndIdentity.ts'

/** Polls the active account's balance. */
export interface BalancePolling {
  /** Reads the account's data now, and polls its balance from then on while the page is visible. */
  readonly refresh: Latchkey['refresh']
  /** Reads the balance now and several times over the next few seconds, until the transaction is likely to be in a block. */
  afterTransaction(): void
  stop(): void
}

/** Creates a `BalancePolling`. It starts with the first `refresh`, and pauses while no account is connected. */
export function createBalancePolling(dependencies: {
  readonly queries: Pick<LazyValue<BalanceAndIdentity>, 'get'>
  readonly state: ReadableStore<State>
  readonly account: Latchkey['account']
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}): BalancePolling {
  const { queries, state, account, clock } = dependencies
  let cancel: (() => void) | undefined
  let stopped = false

  const read = (everyMs: number): void => {
    queries.get().then((loaded) => loaded.poll(everyMs), logLoadFailure(dependencies.log, 'account'))
  }
  const poll = (): void => {
    cancel = stopped || !account().account ? undefined : clock.after(pollMs, poll)
    if (!cancel || globalThis.document?.visibilityState === 'hidden') return
    const { open, stack } = state.get().modal
    read(open && stack.at(-1)?.view === 'Account' ? pollMs : idlePollMs)
  }

  return {
    async refresh(params) {
      if (stopped || !account().account) return
      cancel ??= clock.after(pollMs, poll)
      await (await queries.get()).refresh(params)
    },
    afterTransaction() {
      for (const ms of sentReadsMs) {
        clock.after(ms, () => {
          if (!stopped) read(0)
        })
      }
    },
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
