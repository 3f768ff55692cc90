import type { Send, SendState } from '@latchkey/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'

/** The form for sending tokens. The form and its state are `undefined` until the form's code is loaded. */
export type SendAccess =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; retry(): void }
  | { readonly status: 'ready'; readonly send: Send; readonly state: SendState }

const noopSubscribe = (): (() => void) => () => undefined

/** Returns the form for sending tokens. Its code is loaded on first use. */
export function useSend(): SendAccess {
  const latchkey = useLatchkey()
  const [loaded, setLoaded] = useState<{ readonly send?: Send | undefined }>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    let unmounted = false
    setLoaded(undefined)
    void latchkey
      .send()
      .then((send) => ({ send }))
      .catch(() => ({}))
      .then((next) => {
        if (!unmounted) setLoaded(next)
      })
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt])
  const send = loaded?.send
  const state = useSyncExternalStore(
    send?.state.subscribe ?? noopSubscribe,
    () => send?.state.get(),
    () => undefined,
  )
  if (!loaded) return { status: 'loading' }
  if (!send || !state) return { status: 'failed', retry: () => setAttempt((now) => now + 1) }
  return { status: 'ready', send, state }
}
