/** Remembers what is used up: nonces that were tried, sessions that were ended. One for all instances of a server. */
export interface ReplayStore {
  /**
   * Uses `id` up. Of any number that race, one is answered `true`; the others, and whoever comes later, `false`. It is kept until
   * `expiresAt` (epoch milliseconds), after which nobody believes the token it is about.
   */
  markUsed(id: string, expiresAt: number): Promise<boolean>
  isUsed(id: string): Promise<boolean>
  /** Forgets what expired before `now`. */
  sweep(now: number): Promise<void>
}

/** More ids than this, and the expired ones are looked for. */
const sweepFrom = 1000

/** In the memory of this process: for one instance, and lost with it. */
export function memoryReplayStore(clock: () => number = Date.now): ReplayStore {
  const usedIds = new Map<string, number>()
  let sweepAt = sweepFrom
  const sweep = (now: number): void => {
    for (const [id, expiresAt] of usedIds) if (expiresAt < now) usedIds.delete(id)
  }
  return {
    markUsed: async (id, expiresAt) => {
      if (usedIds.has(id)) return false
      usedIds.set(id, expiresAt)
      if (usedIds.size > sweepAt) {
        sweep(clock())
        sweepAt = Math.max(sweepFrom, usedIds.size * 2)
      }
      return true
    },
    isUsed: async (id) => usedIds.has(id),
    sweep: async (now) => sweep(now),
  }
}
