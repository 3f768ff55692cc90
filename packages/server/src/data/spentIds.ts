import { eq, lt } from 'drizzle-orm'
import type { SpentIds } from '../signIn/spent.ts'
import type { Connection } from './connection.ts'
import { removeInBatches } from './removal.ts'
import { signInSpent } from './signInSchema.ts'

/** Used ids in a database: of all instances that race for one, the database lets one in. */
export function databaseSpentIds(connection: Connection): SpentIds {
  return {
    spend: (id, expiresAt) =>
      connection.use(async (database) => {
        const mine = await database
          .insert(signInSpent)
          .values({ id, expiresAt })
          .onConflictDoNothing()
          .returning({ id: signInSpent.id })
        return mine.length > 0
      }),
    isSpent: (id) =>
      connection.use(async (database) => {
        const found = await database.select({ id: signInSpent.id }).from(signInSpent).where(eq(signInSpent.id, id))
        return found.length > 0
      }),
    sweep: async (now) => {
      await removeInBatches(connection, signInSpent, lt(signInSpent.expiresAt, now))
    },
  }
}

/** More sessions than this are not remembered at once. */
const rememberedMost = 10_000

/**
 * The same, without asking the database again about what is not spent, for as long as the connection's stamp says that nobody wrote: one
 * in a folder need not be opened for each page that is looked at. Where there is no stamp, as with a server, each question is asked.
 */
export function rememberedSpentIds({
  spent,
  connection,
}: {
  spent: SpentIds
  connection: Pick<Connection, 'stamp' | 'touch'>
}): SpentIds {
  const unspent = new Map<string, string>()
  return {
    ...spent,
    spend: async (id, expiresAt) => {
      const isMine = await spent.spend(id, expiresAt)
      unspent.delete(id)
      if (isMine) await connection.touch()
      return isMine
    },
    isSpent: async (id) => {
      const stamp = await connection.stamp()
      if (stamp !== undefined && unspent.get(id) === stamp) return false
      const isSpent = await spent.isSpent(id)
      if (isSpent || stamp === undefined) return isSpent
      if (unspent.size >= rememberedMost) unspent.clear()
      unspent.set(id, stamp)
      return false
    },
  }
}
