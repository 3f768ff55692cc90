import type { Latchkey } from '@latchkey/core'
import { useCallback, useSyncExternalStore } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useLoaded } from './useLoaded.ts'

/** A part of the instance with its own state, such as sending. It is loaded on first use. */
interface Feature<State> {
  readonly state: { get(): State; subscribe(listener: () => void): () => void }
}

/** A feature whose code is loading, could not be loaded, or is ready. Features that the page does not have are `failed` as well. */
export type FeatureAccess<F, State> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; retry(): void }
  | { readonly status: 'ready'; readonly feature: F; readonly state: State }

const noopSubscribe = (): (() => void) => () => undefined

/**
 * Loads a feature and returns it with its state. `load` must not change between renders.
 *
 * @example const access = useFeature((latchkey) => latchkey.send())
 */
export function useFeature<F extends Feature<State>, State = F extends Feature<infer S> ? S : never>(
  load: (latchkey: Latchkey) => Promise<F | undefined>,
): FeatureAccess<F, State> {
  const latchkey = useLatchkey()
  const {
    value: feature,
    failed,
    retry,
  } = useLoaded(
    useCallback(async () => {
      const loaded = await load(latchkey)
      if (!loaded) throw new Error('This page does not have the feature.')
      return loaded
    }, [latchkey, load]),
  )
  const state = useSyncExternalStore(
    feature?.state.subscribe ?? noopSubscribe,
    () => feature?.state.get(),
    () => undefined,
  )
  if (failed) return { status: 'failed', retry }
  if (!feature || state === undefined) return { status: 'loading' }
  return { status: 'ready', feature, state }
}
