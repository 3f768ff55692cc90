import type { State } from '@latchkey/core'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/**
 * A part of the state, drawn anew only when `equal` says that it changed. The server, and the first frame of hydration, see the initial state.
 *
 * @example const open = useStore((state) => state.modal.open)
 */
export function useStore<T>(select: (state: State) => T, equal: (a: T, b: T) => boolean = Object.is): T {
  const { state } = useLatchkey()
  const held = useRef<{ readonly value: T } | undefined>(undefined)

  const read = useMemo(() => {
    let last: { readonly from: State; readonly value: T } | undefined
    return (from: State): T => {
      if (last?.from === from) return last.value
      const next = select(from)
      const value = held.current && equal(held.current.value, next) ? held.current.value : next
      last = { from, value }
      return value
    }
  }, [select, equal])

  const value = useSyncExternalStore(
    state.subscribe,
    () => read(state.get()),
    () => read(state.initial),
  )
  useEffect(() => {
    held.current = { value }
  }, [value])
  return value
}
