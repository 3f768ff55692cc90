import { useEffect, useState } from 'react'
import { whenIdle } from '../whenIdle.ts'

/** Code that is loaded on demand. */
export interface Loaded<T> {
  /** The loaded value, or `undefined` while it is loading or if loading failed. */
  readonly value: T | undefined
  readonly failed: boolean
  /** Loads the code again after a failure. */
  retry(): void
}

/** Loads code when the component mounts, if `enabled` is true. `load` must not change between renders. */
export function useLazyModule<T>(load: () => Promise<T>, enabled = true): Loaded<T> {
  const [value, setValue] = useState<T>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!enabled || failed) return
    let unmounted = false
    load().then(
      (loaded) => {
        if (!unmounted) setValue(() => loaded)
      },
      () => {
        if (!unmounted) setFailed(true)
      },
    )
    return () => {
      unmounted = true
    }
  }, [load, enabled, failed])
  return { value, failed, retry: () => setFailed(false) }
}

/**
 * Loads a part of a view that is rarely displayed, such as its error messages. It is loaded once it is needed or the browser is
 * idle, whichever is earlier, so that it usually appears without a delay. `load` must not change between renders.
 */
export function useRarePart<T>(load: () => Promise<T>, isNeeded: boolean): Loaded<T> {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const part = useLazyModule(load, isNeeded || isIdle)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a part that could not be loaded in advance is requested again
  useEffect(() => {
    if (isNeeded) part.retry()
  }, [isNeeded])
  return part
}
