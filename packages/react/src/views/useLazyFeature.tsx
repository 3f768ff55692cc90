import type { Latchkey, Send, SendState } from '@latchkey/core'
import { Notice, Skeleton } from '@latchkey/ui'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useTranslations } from '../i18n/useTranslations.ts'
import { type Loaded, useLazyModule } from './useLazyModule.ts'

/** A part of the instance with its own state, such as sending. It is loaded on first use. */
interface Feature<State> {
  readonly state: { get(): State; subscribe(listener: () => void): () => void }
}

/** A feature whose code is loading, could not be loaded, or is ready. Features that are not available are `failed`, too. */
export type FeatureAccess<F, State> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; retry(): void }
  | { readonly status: 'ready'; readonly feature: F; readonly state: State }

const noopSubscribe = (): (() => void) => () => undefined

/**
 * Loads a feature and returns it with its state. `load` must not change between renders.
 *
 * @example const access = useLazyFeature((latchkey) => latchkey.send())
 */
export function useLazyFeature<F extends Feature<State>, State = F extends Feature<infer S> ? S : never>(
  load: (latchkey: Latchkey) => Promise<F | undefined>,
): FeatureAccess<F, State> {
  const latchkey = useLatchkey()
  const {
    value: feature,
    failed,
    retry,
  } = useLazyModule(
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

const loadSend = (latchkey: Latchkey): Promise<Send | undefined> => latchkey.send()

/**
 * Returns the form for sending tokens. Its code is loaded on first use. In a file of its own, it would be a chunk of its own, for which
 * the views for sending have no space in their budgets.
 */
export function useSend(): FeatureAccess<Send, SendState> {
  return useLazyFeature(loadSend)
}

/**
 * Renders a placeholder while a feature or a part of a view is loading, a retry button if that failed, and otherwise nothing.
 */
export function FeatureFallback({
  access,
}: {
  readonly access: FeatureAccess<unknown, unknown> | Loaded<unknown>
}): ReactNode {
  const text = useTranslations()
  const isReady = 'status' in access ? access.status === 'ready' : access.value !== undefined
  if (isReady) return null
  return 'retry' in access && (!('failed' in access) || access.failed) ? (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: access.retry }}>
      {text('modal.loadFailed')}
    </Notice>
  ) : (
    <Skeleton kind="row" count={3} />
  )
}
