import type { Clock, RateLimiter } from '../serverDependencies.ts'

/** The maximum number of tracked keys. The least recently used keys are evicted first. */
const maxRemembered = 100_000

interface Bucket {
  left: number
  at: number
}

/**
 * Creates a rate limiter that uses token buckets in this process's memory, so each instance counts separately. The buckets refill
 * continuously, and a full minute's allowance can be used at once.
 */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take: (key, perMinute, count = 1) => {
      const at = clock()
      const known = buckets.get(key)
      const perMs = perMinute / 60_000
      const left = known ? Math.min(perMinute, known.left + (at - known.at) * perMs) : perMinute
      // Inserted again at the end, so that the first key in the map is the least recently used one.
      buckets.delete(key)
      const taken = left >= count
      buckets.set(key, { left: taken ? left - count : left, at })
      if (buckets.size > maxRemembered) {
        const [oldest] = buckets.keys()
        if (oldest !== undefined) buckets.delete(oldest)
      }
      return taken ? 0 : Math.max(1, Math.ceil((count - left) / perMs / 1000))
    },
  }
}
