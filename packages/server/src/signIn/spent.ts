/** Remembers what is used up: nonces that were tried, sessions that were ended. One for all instances of a server. */
export interface SpentIds {
  /**
   * Uses `id` up. Of any number that race, one is answered `true`; the others, and whoever comes later, `false`. It is kept until
   * `expiresAt` (epoch milliseconds), after which nobody believes the token it is about.
   */
  spend(id: string, expiresAt: number): Promise<boolean>
  isSpent(id: string): Promise<boolean>
  /** Forgets what expired before `now`. */
  sweep(now: number): Promise<void>
}

/** More ids than this, and the expired ones are looked for. */
const sweepFrom = 1000

/** In the memory of this process: for one instance, and lost with it. */
export function memorySpentIds(clock: () => number = Date.now): SpentIds {
  const kept = new Map<string, number>()
  let sweepAt = sweepFrom
  const sweep = (now: number): void => {
    for (const [id, expiresAt] of kept) if (expiresAt < now) kept.delete(id)
  }
  return {
    spend: async (id, expiresAt) => {
      if (kept.has(id)) return false
      kept.set(id, expiresAt)
      if (kept.size > sweepAt) {
        sweep(clock())
        sweepAt = Math.max(sweepFrom, kept.size * 2)
      }
      return true
    },
    isSpent: async (id) => kept.has(id),
    sweep: async (now) => sweep(now),
  }
}
