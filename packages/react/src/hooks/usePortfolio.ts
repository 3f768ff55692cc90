import { type Portfolio, type PortfolioTotal, portfolioTotal, type QueryResult, type Token } from '@latchkey/core'
import { systemClock } from '@latchkey/core/adapter'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The return type of `usePortfolio`. */
export interface UsePortfolioReturnType {
  /**
   * The tokens with their exact balances, prices and values: the most valuable first, and hidden ones (unlisted or spam) last.
   * The last tokens are kept while new ones are loading, and if loading fails.
   */
  readonly tokens: QueryResult<readonly Token[]>
  /**
   * The value of the tokens that are not hidden, with the sources and age of the prices. `undefined` before the first tokens.
   */
  readonly total: PortfolioTotal | undefined
  /** Reads the tokens again. Never rejects. After a failure, nothing is requested for 30 seconds. */
  readonly refresh: (params?: Parameters<Portfolio['refresh']>[0]) => Promise<void>
}

const idle: QueryResult<never> = { status: 'idle' }
const noop = (): (() => void) => () => undefined

/**
 * Returns the tokens of the active account on its network. They are read when the component mounts and when the account or the
 * network changes, and only while `enabled` is true. With `pollMs`, they are also read at this interval while the page is
 * visible.
 *
 * @example
 * const { tokens, total } = usePortfolio()
 * if (tokens.status === 'ready') tokens.value.map(({ symbol, amount, decimals }) => formatUnits(amount, decimals))
 */
export function usePortfolio({
  enabled = true,
  pollMs,
}: {
  readonly enabled?: boolean
  /** The interval of reads in milliseconds. Default: no further reads. */
  readonly pollMs?: number | undefined
} = {}): UsePortfolioReturnType {
  const latchkey = useLatchkey()
  const account = useStore((state) => {
    const now = selectAccount(state)
    return now.status === 'connected' ? now.account : undefined
  })
  const [portfolio, setPortfolio] = useState<Portfolio>()
  const [error, setError] = useState<LatchkeyError>()

  const load = useCallback(async (): Promise<Portfolio | undefined> => {
    try {
      const loaded = await latchkey.portfolio()
      setError(undefined)
      setPortfolio(() => loaded)
      return loaded
    } catch (cause) {
      setError(toLatchkeyError(cause))
      return undefined
    }
  }, [latchkey])
  useEffect(() => {
    if (!enabled || account === undefined) return
    let unmounted = false
    void load().then((loaded) => {
      if (!unmounted) void loaded?.refresh()
    })
    return () => {
      unmounted = true
    }
  }, [load, enabled, account])
  useEffect(() => {
    if (!enabled || account === undefined || pollMs === undefined || !portfolio) return
    const clock = latchkey.options.clock ?? systemClock
    let cancel: () => void
    const schedule = (): void => {
      cancel = clock.after(pollMs, () => {
        schedule()
        if (document.visibilityState !== 'hidden') void portfolio.poll(pollMs)
      })
    }
    schedule()
    return () => cancel()
  }, [latchkey, portfolio, enabled, account, pollMs])

  const state = useSyncExternalStore(
    portfolio?.state.subscribe ?? noop,
    () => portfolio?.state.get(),
    () => undefined,
  )
  // The tokens of another account are not returned while those of the new account are loading.
  const tokens: QueryResult<readonly Token[]> =
    state !== undefined && account !== undefined && state.account === account
      ? state.tokens
      : error
        ? { status: 'failed', error }
        : idle
  const total = useMemo(() => tokens.value && portfolioTotal(tokens.value), [tokens.value])
  const refresh = useCallback<UsePortfolioReturnType['refresh']>(
    async (params) => (await load())?.refresh(params),
    [load],
  )
  return { tokens, total, refresh }
}
