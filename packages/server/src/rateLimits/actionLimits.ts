import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { VerificationError } from '../emailCodes/verificationError.ts'
import type { Clock } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { removeInBatches } from '../storage/removeInBatches.ts'
import type { Digest } from '../storage/secretDigests.ts'
import { actionCounters } from '../storage/verificationSchema.ts'

/** A limit on how often an action is allowed per key and time window. */
export interface ActionLimit {
  readonly action: string
  /** `null` if the key is unknown. The limit is then skipped, because all unknown clients would share it. */
  readonly key?: string | null | undefined
  readonly max: number
  readonly windowMs: number
}

/** Rate limits that are shared by all instances of the server. */
export interface ActionLimits {
  /**
   * Adds one to the count of each limit in turn. Rejects at the first limit that is exceeded, so the most specific should be
   * first.
   */
  spend(...limits: readonly ActionLimit[]): Promise<void>
  /** Subtracts one from the count of each limit. */
  giveBack(...limits: readonly ActionLimit[]): Promise<void>
  /** Resolves to whether any of the limits is reached, without counting a request. */
  isReached(...limits: readonly ActionLimit[]): Promise<boolean>
  /** Deletes the counts whose window has ended. */
  sweep(): Promise<void>
}

/** Creates rate limits that are stored in a database, with their keys as digests. */
export function createActionLimits({
  connection,
  digest,
  now,
}: {
  connection: Connection
  digest: Digest
  now: Clock
}): ActionLimits {
  return {
    spend: async (...limits) => {
      for (const { action, key = '', max, windowMs } of limits) {
        if (key === null) continue
        const at = now()
        const isOver = sql`${actionCounters.endsAt} <= ${at}`
        const [row] = await connection.use((database) =>
          database
            .insert(actionCounters)
            .values({ key: digest('limit', action, key), count: 1, endsAt: at + windowMs })
            // A single statement, so that concurrent requests are all counted.
            .onConflictDoUpdate({
              target: actionCounters.key,
              set: {
                count: sql`case when ${isOver} then 1 else least(${actionCounters.count} + 1, 1000000000) end`,
                // The window ends at most one window length from now, even after the clock has been set back.
                endsAt: sql`case when ${isOver} then excluded.ends_at else least(${actionCounters.endsAt}, excluded.ends_at) end`,
              },
            })
            .returning({ count: actionCounters.count, endsAt: actionCounters.endsAt }),
        )
        if (row && row.count > max)
          throw new VerificationError('limit/reached', 'Too many requests', {
            seconds: Math.max(1, Math.ceil((row.endsAt - at) / 1000)),
          })
      }
    },
    giveBack: async (...limits) => {
      for (const { action, key = '' } of limits)
        if (key !== null)
          await connection.use((database) =>
            database
              .update(actionCounters)
              .set({ count: sql`greatest(${actionCounters.count} - 1, 0)` })
              .where(eq(actionCounters.key, digest('limit', action, key))),
          )
    },
    isReached: async (...limits) => {
      let reached = false
      // Checks every limit, so that the response time does not reveal which limit is reached.
      for (const { action, key = '', max } of limits) {
        if (key === null) continue
        const [row] = await connection.use((database) =>
          database
            .select({ count: actionCounters.count })
            .from(actionCounters)
            .where(and(eq(actionCounters.key, digest('limit', action, key)), gt(actionCounters.endsAt, now()))),
        )
        reached ||= row !== undefined && row.count >= max
      }
      return reached
    },
    sweep: async () => {
      await removeInBatches(connection, actionCounters, lt(actionCounters.endsAt, now()))
    },
  }
}
