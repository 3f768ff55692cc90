import { useEffect, useState } from 'react'

/** Code that is loaded on demand. */
export interface Loaded<T> {
  /** What was loaded. `undefined` while it is loading, and after it could not be loaded. */
  readonly value: T | undefined
  readonly failed: boolean
  /** Loads it again after a failure. */
  retry(): void
}

/** Loads code when the component mounts, if `enabled` is true. `load` must not change between renders. */
export function useLoaded<T>(load: () => Promise<T>, enabled = true): Loaded<T> {
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
