import type { Clock } from '../../serverDependencies.ts'

/** The maximum number of tracked names. The least recently charged names are evicted first. */
const maxNames = 50_000

/** The burst of a token bucket and its refill rate per second. A rate of 0 means no limit. */
export interface TokenBucketRate {
  readonly burst: number
  readonly perSecond: number
}

/** Token buckets that are charged afterwards, when the cost is known. */
export interface TokenBuckets {
  /** Charges `cost` to a bucket that is `share` times as large as the bucket of a single client. A bucket can be overdrawn. */
  charge(name: string, cost: number, share?: number): void
  /** Returns the time until the bucket is no longer overdrawn, in milliseconds. */
  waitMs(name: string, share?: number): number
}

/** Creates token buckets in this process's memory. Requires a monotonic clock. */
export function createTokenBuckets({ burst, perSecond }: TokenBucketRate, clock: Clock): TokenBuckets {
  const buckets = new Map<string, { debt: number; at: number }>()

  /** Returns the charges that have not been refilled yet. */
  const debtAt = (bucket: { readonly debt: number; readonly at: number }, at: number, share: number): number =>
    Math.max(0, bucket.debt - ((at - bucket.at) / 1000) * perSecond * share)

  return {
    charge(name, cost, share = 1) {
      if (perSecond === 0) return
      const at = clock()
      const bucket = buckets.get(name) ?? { debt: 0, at }
      bucket.debt = debtAt(bucket, at, share) + cost
      bucket.at = at
      // Inserted again at the end, so that the first name in the map is the least recently charged one.
      buckets.delete(name)
      buckets.set(name, bucket)
      if (buckets.size <= maxNames) return
      buckets.delete(buckets.keys().next().value as string)
    },
    waitMs(name, share = 1) {
      const bucket = buckets.get(name)
      // The debt only decreases until the next charge, so a small one does not need the clock.
      if (!bucket || bucket.debt <= burst * share) return 0
      const excess = debtAt(bucket, clock(), share) - burst * share
      return excess <= 0 ? 0 : Math.ceil((excess / (perSecond * share)) * 1000)
    },
  }
}

/** A single token bucket, from which tokens are taken in advance. */
export interface TokenBucket {
  /** Takes `count` tokens. If there are not enough tokens, takes none and returns `false`. */
  take(count: number): boolean
}

/** Creates a full token bucket. Requires a monotonic clock. */
export function createTokenBucket({ burst, perSecond }: TokenBucketRate, clock: Clock): TokenBucket {
  let available = burst
  let refilledAt = clock()
  return {
    take(count) {
      const at = clock()
      available = Math.min(burst, available + ((at - refilledAt) / 1000) * perSecond)
      refilledAt = at
      if (available < count) return false
      available -= count
      return true
    },
  }
}
