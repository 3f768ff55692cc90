import type { KeysServices } from '../keysServices.ts'

/**
 * Calls `find` immediately, and again each time `topic` is published and at least once per second. Stops when `find` returns a
 * value, after `ms` milliseconds, or when `signal` is aborted. If time is up or the signal is aborted, `isLast` is `true`.
 */
export async function pollUntil<Found>(
  { now, wake }: Pick<KeysServices, 'now' | 'wake'>,
  { topic, ms, signal }: { topic: string; ms: number; signal: AbortSignal },
  find: (isLast: boolean) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const until = now() + ms
  for (;;) {
    // Subscribes before reading, so that no change is missed in between.
    const subscription = new AbortController()
    const woken = wake(topic, AbortSignal.any([signal, subscription.signal]))
    try {
      const isLast = now() >= until || signal.aborted
      const found = await find(isLast)
      if (found !== undefined || isLast) return found
      await woken
    } finally {
      subscription.abort()
    }
  }
}
