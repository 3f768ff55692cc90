import type { Onramp, OnrampState } from '@latchkey/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'

/**
 * The onramp and its state. Both are `undefined` while the code is loading. They stay `undefined` if loading failed or no
 * server is configured (`isNone`).
 */
export interface OnrampAccess {
  readonly onramp: Onramp | undefined
  readonly state: OnrampState | undefined
  readonly isNone: boolean
  /** Loads the offers again, or the code if it is not loaded. */
  retry(): void
}

const noopSubscribe = (): (() => void) => () => undefined

/** Returns the onramp for the active account. Its code is loaded on first use. */
export function useOnramp(): OnrampAccess {
  const latchkey = useLatchkey()
  const [loaded, setLoaded] = useState<{ readonly onramp: Onramp | undefined }>()
  const [attempt, setAttempt] = useState(0)
  const chain = useStore(({ networks }) => networks.active)
  const account = latchkey.account().account
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    let unmounted = false
    void latchkey
      .onramp()
      .catch(() => undefined)
      .then((onramp) => {
        if (!unmounted) setLoaded({ onramp })
      })
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt])
  const onramp = loaded?.onramp
  // biome-ignore lint/correctness/useExhaustiveDependencies: offers depend on the account and the network
  useEffect(() => {
    void onramp?.load()
  }, [onramp, chain, account])
  const state = useSyncExternalStore(
    onramp?.state.subscribe ?? noopSubscribe,
    () => onramp?.state.get(),
    () => undefined,
  )
  return {
    onramp,
    state,
    isNone: loaded !== undefined && !onramp,
    retry() {
      if (onramp) void onramp.retry()
      else {
        setLoaded(undefined)
        setAttempt((now) => now + 1)
      }
    },
  }
}
