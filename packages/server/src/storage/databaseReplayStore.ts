import type { ReplayStore } from '@latchkey/siwx'
import { eq, lt } from 'drizzle-orm'
import type { Connection } from './databaseConnection.ts'
import { removeInBatches } from './removeInBatches.ts'
import { signInSpent } from './signInSchema.ts'

/** Creates a replay store that uses a database. If several instances try to use the same ID, only one succeeds. */
export function databaseReplayStore(connection: Connection): ReplayStore {
  return {
    markUsed: (id, expiresAt) =>
      connection.use(async (database) => {
        const inserted = await database
          .insert(signInSpent)
          .values({ id, expiresAt })
          .onConflictDoNothing()
          .returning({ id: signInSpent.id })
        return inserted.length > 0
      }),
    isUsed: (id) =>
      connection.use(async (database) => {
        const found = await database.select({ id: signInSpent.id }).from(signInSpent).where(eq(signInSpent.id, id))
        return found.length > 0
      }),
    sweep: async (now) => {
      await removeInBatches(connection, signInSpent, lt(signInSpent.expiresAt, now))
    },
  }
}

/** The maximum number of cached IDs. When the cache is full, it is cleared. */
const maxRemembered = 10_000

/**
 * Caches unused IDs until the connection's stamp changes, which happens when a process writes data that other processes cache.
 * This avoids opening a file database on every page view. If the connection has no stamp, as with a database server, every
 * lookup queries the database.
 */
export function cachedReplayStore({
  replayStore,
  connection,
}: {
  replayStore: ReplayStore
  connection: Pick<Connection, 'stamp' | 'touch'>
}): ReplayStore {
  const unused = new Map<string, string>()
  return {
    ...replayStore,
    markUsed: async (id, expiresAt) => {
      const isMine = await replayStore.markUsed(id, expiresAt)
      unused.delete(id)
      if (isMine) await connection.touch()
      return isMine
    },
    isUsed: async (id) => {
      const stamp = await connection.stamp()
      if (stamp !== undefined && unused.get(id) === stamp) return false
      const isUsed = await replayStore.isUsed(id)
      if (isUsed || stamp === undefined) return isUsed
      if (unused.size >= maxRemembered) unused.clear()
      unused.set(id, stamp)
      return false
    },
  }
}
