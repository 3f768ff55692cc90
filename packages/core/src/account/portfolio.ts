import { accountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { type TokenBalance, tokenBalance } from '@latchkey/protocol/http/chainApi'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import { balanceRetryGapMs, chainAnswerMs, httpUnavailable } from '@latchkey/protocol/specificationConstants'
import type { Adapter } from '../adapter.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { createCache } from '../lib/cache.ts'
import type { Log } from '../lib/log.ts'
import { failed, loading } from '../lib/queryResult.ts'
import { createStore } from '../lib/store.ts'
import type { StoredCaches } from '../storage/storedCaches.ts'
import type { AddedTokens } from './addedTokens.ts'
import { createBalanceListReader } from './balanceListReader.ts'
import { tokensOf } from './portfolioTokens.ts'
import type { Portfolio, PortfolioState, PortfolioSubject } from './portfolioTypes.ts'

/** Creates the portfolio of the active account. */
export function createPortfolio(dependencies: {
  /** The chain API of the configured server, if there is one. */
  readonly api: ChainApiClient | undefined
  readonly adapters: readonly Adapter[]
  /** The host's `fetch`. */
  readonly fetch?: typeof fetch
  readonly cache: StoredCaches['portfolio']
  /** The tokens that users added by their address. */
  readonly added: AddedTokens
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
  /** Returns the account and network to read. */
  now(): PortfolioSubject | undefined
}): Portfolio {
  const { added, cache, clock, log } = dependencies
  const state = createStore<PortfolioState>({ account: undefined, tokens: { status: 'idle' } })
  // Shares concurrent requests for the same account. The results are not cached here, but in `cache`.
  const asking = createCache(clock)
  /** When the account's tokens were last requested, when a request last failed, and whether polling has stopped. */
  let request = { at: 0, failedAt: Number.NEGATIVE_INFINITY, over: false }

  const subjectNow = (): PortfolioSubject | undefined => {
    const subject = dependencies.now()
    if (subject?.account !== state.get().account) {
      request = { at: 0, failedAt: Number.NEGATIVE_INFINITY, over: false }
      state.set({ account: subject?.account, tokens: { status: 'idle' } })
    }
    return subject
  }

  const reader = createBalanceListReader(dependencies)

  const readTokens = async (subject: PortfolioSubject, force: readonly string[] | undefined): Promise<void> => {
    const { account, network } = subject
    if (clock.now() - request.failedAt < balanceRetryGapMs) return
    const mine = request
    const put = (next: (now: PortfolioState['tokens']) => PortfolioState['tokens']): void => {
      // Ignore results for an account that is no longer displayed.
      if (state.get().account === account) state.set({ account, tokens: next(state.get().tokens) })
    }
    const shown = (balances: readonly TokenBalance[]) =>
      tokensOf(balances, { chain: network.caipNetworkId, currency: network.nativeCurrency, now: clock.now() })
    const cached = force ? undefined : cache.get(cacheKey(subject))
    if (cached) {
      const balances = cached.balances.flatMap((balance) => read(tokenBalance, balance) ?? [])
      put(() => ({ status: 'ready', value: shown(balances) }))
      return
    }
    if (state.get().tokens.status !== 'ready') put(loading)
    try {
      mine.at = clock.now()
      const balances = await asking.read(`${cacheKey(subject)} ${force?.join(',') ?? ''}`, {
        ttlMs: -1,
        load: async (signal) => added.complete(await reader.read(subject, force ?? [], signal), subject, signal),
      })
      mine.over = false
      cache.set(cacheKey(subject), { balances })
      put(() => ({ status: 'ready', value: shown(balances) }))
    } catch (error) {
      log.info('Unable to read the tokens', error)
      mine.failedAt = clock.now()
      mine.over = isLatchkeyError(error, 'http/failed') && error.details.status === httpUnavailable
      put((now) => failed(now, new LatchkeyError('balance/unavailable', undefined, { cause: error })))
      // The node can report the balance of the network's currency without the server.
      const native = await reader.readNative(subject, new AbortController().signal).catch(() => [])
      put((now) =>
        now.status === 'failed' && now.value === undefined && native.length > 0
          ? { status: 'failed', error: now.error, value: shown(native) }
          : now,
      )
    }
  }

  return {
    state,
    async refresh({ force } = {}) {
      const subject = subjectNow()
      if (!subject) return
      // The user can have selected another network since the tokens moved, and the server only reads those of one network.
      const onNetwork = (token: string): boolean => token.startsWith(`${subject.network.caipNetworkId}:`)
      await readTokens(subject, force?.filter(onNetwork))
    },
    async add(address) {
      const subject = subjectNow()
      const found = subject && (await added.add(address, subject, AbortSignal.timeout(chainAnswerMs)))
      if (!found || state.get().account !== subject.account) return undefined
      const id = found.address?.toLowerCase()
      const listed = () => state.get().tokens.value?.find((token) => token.id.toLowerCase() === id)
      if (!listed()) await readTokens(subject, [])
      const now = listed()
      if (now || state.get().account !== subject.account) return now
      // The added token is shown even if the other tokens could not be read.
      const [token] = tokensOf([found], {
        chain: subject.network.caipNetworkId,
        currency: subject.network.nativeCurrency,
        now: clock.now(),
      })
      const { tokens } = state.get()
      if (token) {
        const value = [...(tokens.value ?? []), token]
        state.set({ account: subject.account, tokens: tokens.status === 'idle' ? tokens : { ...tokens, value } })
      }
      return token
    },
    async poll(everyMs) {
      const subject = subjectNow()
      if (!subject || request.over || clock.now() - Math.max(request.at, request.failedAt) < everyMs) return
      await readTokens(subject, [])
    },
    stop: () => asking.clear(),
  }
}

/** The key of the cache. The network can differ from the one in the account ID, if the wallet is on an unsupported network. */
function cacheKey({ account, network }: PortfolioSubject): string {
  return accountId(network.caipNetworkId, addressOf(account))
}
