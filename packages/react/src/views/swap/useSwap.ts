import type { Swap, SwapState } from '@latchkey/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { swapMessages } from './swapMessages.ts'

/** The swap form and its state, which are `undefined` until the code is loaded. */
export type SwapAccess =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; retry(): void }
  | { readonly status: 'ready'; readonly swap: Swap; readonly state: SwapState }

const noopSubscribe = (): (() => void) => () => undefined

/** Returns the swap form. Its code is loaded on first use. The quote is kept up to date while the view is displayed. */
export function useSwap(): SwapAccess {
  const latchkey = useLatchkey()
  const [loaded, setLoaded] = useState<{ readonly swap?: Swap | undefined }>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    let unmounted = false
    setLoaded(undefined)
    latchkey
      .swap()
      .then((swap) => ({ swap }))
      .catch(() => ({}))
      .then((next) => {
        if (!unmounted) setLoaded(next)
      })
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt])
  const swap = loaded?.swap
  useEffect(() => swap?.watch(), [swap])
  const state = useSyncExternalStore(
    swap?.state.subscribe ?? noopSubscribe,
    () => swap?.state.get(),
    () => undefined,
  )
  if (!loaded) return { status: 'loading' }
  if (!swap || !state) return { status: 'failed', retry: () => setAttempt((now) => now + 1) }
  return { status: 'ready', swap, state }
}

/** The translator for the messages of swaps. */
export type SwapTranslator = Translator<Source & typeof swapMessages>

/** Returns the translator for the messages of swaps. */
export function useSwapTranslations(): SwapTranslator {
  return useTranslations(swapMessages)
}
