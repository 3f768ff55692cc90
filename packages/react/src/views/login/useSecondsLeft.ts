import { useEffect, useReducer } from 'react'
import { useClock } from '../useClock.ts'

/** Seconds until `at`, rounded up, counting down; 0 when it is over or there is none. */
export function useSecondsLeft(at: number | undefined): number {
  const clock = useClock()
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  const leftMs = at === undefined ? 0 : at - clock.now()
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  // Wakes when the number changes, not every second since it mounted: a reloaded page shows the same number as the one before.
  useEffect(() => {
    if (at === undefined || seconds === 0) return
    return clock.after(at - (seconds - 1) * 1000 - clock.now(), tick)
  }, [clock, at, seconds])
  return seconds
}
