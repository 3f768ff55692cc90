import { useEffect, useReducer } from 'react'
import { useClock } from '../useClock.ts'

/** Seconds until `at`, rounded up, counting down; 0 when it is over or there is none. */
export function useCountdown(endsAt: number | undefined): number {
  const clock = useClock()
  const [, rerender] = useReducer((ticks: number) => ticks + 1, 0)
  const leftMs = endsAt === undefined ? 0 : endsAt - clock.now()
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  // Wakes when the number changes, not every second since it mounted: a reloaded page shows the same number as the one before.
  useEffect(() => {
    if (endsAt === undefined || seconds === 0) return
    return clock.after(endsAt - (seconds - 1) * 1000 - clock.now(), rerender)
  }, [clock, endsAt, seconds])
  return seconds
}
