import type { State } from '@latchkey/core'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/**
 * Returns a value selected from the state. The component only re-renders when `equal` returns false for the old and new values.
 * Server rendering and hydration use the initial state.
 *
 * @example const open = useStore((state) => state.modal.open)
 */
export function useStore<T>(select: (state: State) => T, equal: (a: T, b: T) => boolean = Object.is): T {
  const { state } = useLatchkey()
  const current = useRef<{ readonly value: T } | undefined>(undefined)

  const read = useMemo(() => {
    let last: { readonly source: State; readonly value: T } | undefined
    return (source: State): T => {
      if (last?.source === source) return last.value
      const next = select(source)
      const value = current.current && equal(current.current.value, next) ? current.current.value : next
      last = { source, value }
      return value
    }
  }, [select, equal])

  const value = useSyncExternalStore(
    state.subscribe,
    () => read(state.get()),
    () => read(state.initial),
  )
  useEffect(() => {
    current.current = { value }
  }, [value])
  return value
}
