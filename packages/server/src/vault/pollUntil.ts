import type { Vault } from './vaultServices.ts'

/**
 * Calls `find` until it returns a value or `ms` have passed. Calls it again as soon as `topic` is published. `isLast` is true if no
 * further call follows.
 */
export async function pollUntil<Found>(
  { now, wake }: Pick<Vault, 'now' | 'wake'>,
  { topic, ms, signal }: { topic: string; ms: number; signal: AbortSignal },
  find: (isLast: boolean) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const until = now() + ms
  for (;;) {
    // Subscribe before reading, so that a change in between is not missed.
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
