import { useEffect, useReducer } from 'react'
import { useClock } from '../useClock.ts'

/** Returns the seconds until `endsAt`, rounded up; 0 if it has passed or is undefined. Re-renders every second. */
export function useCountdown(endsAt: number | undefined): number {
  const clock = useClock()
  const [, rerender] = useReducer((ticks: number) => ticks + 1, 0)
  const leftMs = endsAt === undefined ? 0 : endsAt - clock.now()
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  // Re-render when the number changes rather than one second after mounting, so that a reloaded page counts in step.
  useEffect(() => {
    if (endsAt === undefined || seconds === 0) return
    return clock.after(endsAt - (seconds - 1) * 1000 - clock.now(), rerender)
  }, [clock, endsAt, seconds])
  return seconds
}
