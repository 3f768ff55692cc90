import { eq, lt } from 'drizzle-orm'
import type { SpentIds } from '../signIn/spent.ts'
import type { Connection } from './connection.ts'
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
      await connection.use((database) => database.delete(signInSpent).where(lt(signInSpent.expiresAt, now)))
    },
  }
}
