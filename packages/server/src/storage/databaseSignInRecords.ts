import { and, eq } from 'drizzle-orm'
import type { Connection } from './databaseConnection.ts'
import type { SignInRecords } from './signInRecords.ts'
import { signInAccounts } from './signInSchema.ts'

/** Creates a store for sign-in records that uses a database. */
export function databaseSignInRecords(connection: Connection): SignInRecords {
  const { projectId, account, metadata, createdAt, lastSignedInAt } = signInAccounts
  const accountIs = (who: { projectId: string; account: string }) =>
    and(eq(projectId, who.projectId), eq(account, who.account))
  return {
    signedIn: async ({ at, ...who }) => {
      await connection.use((database) =>
        database
          .insert(signInAccounts)
          .values({ ...who, createdAt: at, lastSignedInAt: at })
          .onConflictDoUpdate({ target: [projectId, account], set: { lastSignedInAt: at } }),
      )
    },
    find: (who) =>
      connection.use(async (database) => {
        const [row] = await database
          .select({ metadata, createdAt, lastSignedInAt })
          .from(signInAccounts)
          .where(accountIs(who))
        return row
      }),
    setMetadata: async ({ metadata: next, ...who }) => {
      await connection.use((database) => database.update(signInAccounts).set({ metadata: next }).where(accountIs(who)))
    },
  }
}
