import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Connection } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultLimits } from '../data/vaultSchema.ts'
import type { Clock } from '../serverPorts.ts'
import type { Digest } from './secretDigests.ts'
import { VaultError } from './vaultError.ts'

/** How often something may happen: what is counted, and for whom. */
export interface RateLimit {
  readonly action: string
  /** `null` where it is not known: then nothing is counted, as everybody would be one. */
  readonly key?: string | null | undefined
  readonly max: number
  readonly windowMs: number
}

/** Counts what may happen only so often, over all instances of the server. */
export interface RateLimits {
  /** Counts one under each limit in turn; refuses at the first that is reached, so put the narrowest first. */
  spend(...limits: readonly RateLimit[]): Promise<void>
  /** Takes back one that was spent under each limit. */
  giveBack(...limits: readonly RateLimit[]): Promise<void>
  /** Whether one of the limits is reached; counts nothing. */
  isReached(...limits: readonly RateLimit[]): Promise<boolean>
  /** Forgets what is over. */
  sweep(): Promise<void>
}

/** Limits in a database. Whom they are about is kept as a digest. */
export function createRateLimits({
  connection,
  digest,
  now,
}: {
  connection: Connection
  digest: Digest
  now: Clock
}): RateLimits {
  return {
    spend: async (...limits) => {
      for (const { action, key = '', max, windowMs } of limits) {
        if (key === null) continue
        const at = now()
        const isOver = sql`${vaultLimits.endsAt} <= ${at}`
        const [row] = await connection.use((database) =>
          database
            .insert(vaultLimits)
            .values({ key: digest('limit', action, key), count: 1, endsAt: at + windowMs })
            // One statement: two requests that race are both counted.
            .onConflictDoUpdate({
              target: vaultLimits.key,
              set: {
                count: sql`case when ${isOver} then 1 else least(${vaultLimits.count} + 1, 1000000000) end`,
                // Never later than a whole window from now: a clock that was set back would make it last longer.
                endsAt: sql`case when ${isOver} then excluded.ends_at else least(${vaultLimits.endsAt}, excluded.ends_at) end`,
              },
            })
            .returning({ count: vaultLimits.count, endsAt: vaultLimits.endsAt }),
        )
        if (row && row.count > max)
          throw new VaultError('limit/reached', 'This was asked too often', {
            seconds: Math.max(1, Math.ceil((row.endsAt - at) / 1000)),
          })
      }
    },
    giveBack: async (...limits) => {
      for (const { action, key = '' } of limits)
        if (key !== null)
          await connection.use((database) =>
            database
              .update(vaultLimits)
              .set({ count: sql`greatest(${vaultLimits.count} - 1, 0)` })
              .where(eq(vaultLimits.key, digest('limit', action, key))),
          )
    },
    isReached: async (...limits) => {
      let reached = false
      // All are looked at, whatever the first one says: the time it takes tells nothing.
      for (const { action, key = '', max } of limits) {
        if (key === null) continue
        const [row] = await connection.use((database) =>
          database
            .select({ count: vaultLimits.count })
            .from(vaultLimits)
            .where(and(eq(vaultLimits.key, digest('limit', action, key)), gt(vaultLimits.endsAt, now()))),
        )
        reached ||= row !== undefined && row.count >= max
      }
      return reached
    },
    sweep: async () => {
      await removeInBatches(connection, vaultLimits, lt(vaultLimits.endsAt, now()))
    },
  }
}
