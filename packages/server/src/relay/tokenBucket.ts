import type { Clock } from '../serverPorts.ts'

/** More names than this are not remembered; whoever was charged longest ago is forgotten first. */
const maxNames = 50_000

/** What may be used in a time: so much at once, and so much per second from then on; 0 per second is no limit. */
export interface TokenBucketRate {
  readonly burst: number
  readonly perSecond: number
}

/** Allowances that are charged afterwards, for what something has cost. */
export interface TokenBuckets {
  /** Takes `cost` from an allowance that is `share` times as large as that of one; it may end below nothing. */
  charge(name: string, cost: number, share?: number): void
  /** How long until it is above nothing again, in milliseconds. */
  waitMs(name: string, share?: number): number
}

/** Allowances in the memory of this process. The clock must never go back. */
export function createTokenBuckets({ burst, perSecond }: TokenBucketRate, clock: Clock): TokenBuckets {
  const buckets = new Map<string, { debt: number; at: number }>()

  /** What has been used and is not yet refilled. */
  const debtOf = (name: string, share: number): number => {
    const bucket = buckets.get(name)
    return bucket ? Math.max(0, bucket.debt - ((clock() - bucket.at) / 1000) * perSecond * share) : 0
  }

  return {
    charge(name, cost, share = 1) {
      if (perSecond === 0) return
      const debt = debtOf(name, share) + cost
      // Put at the end again: the first one in the map was charged longest ago.
      buckets.delete(name)
      buckets.set(name, { debt, at: clock() })
      if (buckets.size <= maxNames) return
      const [oldest] = buckets.keys()
      if (oldest !== undefined) buckets.delete(oldest)
    },
    waitMs(name, share = 1) {
      const excess = debtOf(name, share) - burst * share
      return perSecond === 0 || excess <= 0 ? 0 : Math.ceil((excess / (perSecond * share)) * 1000)
    },
  }
}
