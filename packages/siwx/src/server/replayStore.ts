/** A store of used nonces and ended sessions. All instances of a server share one store. */
export interface ReplayStore {
  /**
   * Marks `id` as used. Resolves to `true` for exactly one caller, and to `false` for concurrent and later callers. The ID is
   * kept until `expiresAt` (epoch milliseconds), when the token itself expires.
   */
  markUsed(id: string, expiresAt: number): Promise<boolean>
  /** Resolves to whether `id` has been marked as used. The result must be correct at least until its `expiresAt`. */
  isUsed(id: string): Promise<boolean>
  /** Deletes IDs that expired before `now`. */
  sweep(now: number): Promise<void>
}

/** Expired IDs are deleted once more than this many IDs are stored. */
const sweepFrom = 1000

/**
 * Creates a replay store in the memory of this process, for a server with a single instance. Its contents are lost on restart.
 *
 * @example
 * createSignIn({ origins, secret, verifiers, replayStore: memoryReplayStore() })
 */
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
