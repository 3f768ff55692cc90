import type { AccountNames, AccountNamesState } from '@latchkey/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'

/** The server's account names. The status is `none` if the server offers no account names or did not respond. */
export interface AccountNamesAccess {
  readonly status: 'loading' | 'ready' | 'none'
  readonly names: AccountNames | undefined
  /** The domain of the names. Empty unless the status is `ready`. */
  readonly zone: string
  readonly state: AccountNamesState
  /** Loads the account names again. */
  retry(): void
}

const initialState: AccountNamesState = {
  text: '',
  suggestions: { status: 'idle' },
  registering: false,
  error: undefined,
}
const noopSubscribe = (): (() => void) => () => undefined

/** Returns the account names and their state. Their code is loaded on first use. */
export function useAccountNames(): AccountNamesAccess {
  const latchkey = useLatchkey()
  const [loaded, setLoaded] = useState<{
    readonly names?: AccountNames | undefined
    readonly zone?: string | undefined
  }>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    let unmounted = false
    setLoaded(undefined)
    void latchkey
      .names()
      .then(async (names) => ({ names, zone: await names?.zone() }))
      .catch(() => ({}))
      .then((next) => {
        if (!unmounted) setLoaded(next)
      })
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt])
  const names = loaded?.names
  const state = useSyncExternalStore(
    names?.state.subscribe ?? noopSubscribe,
    () => names?.state.get() ?? initialState,
    () => initialState,
  )
  return {
    status: !loaded ? 'loading' : names && loaded.zone ? 'ready' : 'none',
    names,
    zone: loaded?.zone ?? '',
    state,
    retry: () => setAttempt((now) => now + 1),
  }
}
