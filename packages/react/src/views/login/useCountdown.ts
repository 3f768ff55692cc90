import { useEffect, useReducer } from 'react'
import { useClock } from '../useClock.ts'

/** Returns the seconds until `endsAt`, rounded up. Returns 0 if `endsAt` is undefined or in the past. Re-renders every second. */
export function useCountdown(endsAt: number | undefined): number {
  const clock = useClock()
  const [, rerender] = useReducer((ticks: number) => ticks + 1, 0)
  const leftMs = endsAt === undefined ? 0 : endsAt - clock.now()
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  // The next render is scheduled for when the number changes, rather than a second after mounting.
  useEffect(() => {
    if (endsAt === undefined || seconds === 0) return
    return clock.after(endsAt - (seconds - 1) * 1000 - clock.now(), rerender)
  }, [clock, endsAt, seconds])
  return seconds
}
