import type { Clock, RateLimiter } from './serverPorts.ts'

/** More networks than this are not remembered at once; the ones that asked longest ago are forgotten first. */
const maxRemembered = 100_000

interface Bucket {
  left: number
  at: number
}

/**
 * Allowances that refill all the time, in the memory of this process: each instance of a server counts for itself. A whole
 * minute's worth may be taken at once.
 */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take: (key, perMinute, count = 1) => {
      const at = clock()
      const known = buckets.get(key)
      const perMs = perMinute / 60_000
      const left = known ? Math.min(perMinute, known.left + (at - known.at) * perMs) : perMinute
      // Put at the end again: the first one in the map asked longest ago.
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
