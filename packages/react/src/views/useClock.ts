import { type Clock, systemClock } from '@latchkey/core/adapter'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'

/** Returns the instance's clock, which is the system clock unless the options contain a different one. */
export function useClock(): Clock {
  return useLatchkey().options.clock ?? systemClock
}

/** Whether `ms` milliseconds have elapsed since `key` last changed. Always false while `active` is false. */
export function useTimeout({ ms, active, key }: { ms: number; active: boolean; key: unknown }): boolean {
  const clock = useClock()
  const [elapsedKey, setElapsedKey] = useState<unknown>()
  useEffect(() => {
    if (!active) return
    return clock.after(ms, () => setElapsedKey(key))
  }, [clock, ms, active, key])
  return active && elapsedKey === key
}

/** Returns a debounced value, which updates once `value` has not changed for `ms` milliseconds. */
export function useDebouncedValue<T>(value: T, ms: number): T {
  const clock = useClock()
  const [debounced, setDebounced] = useState(value)
  useEffect(() => clock.after(ms, () => setDebounced(value)), [clock, value, ms])
  return debounced
}
