import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Connection } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultBrowsers, vaultUsers } from '../data/vaultSchema.ts'
import type { Clock } from '../serverDependencies.ts'

const day = 24 * 60 * 60_000

/** The lifetime of a browser's cookie. */
const storedMs = 400 * day

/** Maximum number of known browsers per account: for those first seen within the last day, and for the others. */
const maxPerKind = 10

/**
 * Browsers that have signed in before. Each has its own limits, so that unknown browsers cannot exhaust an owner's. A browser is known by
 * its sign-in alone, even if its device is still allowed: after signing out everywhere, it is unknown until it signs in again.
 */
export interface Browsers {
  /** Remembers that this browser has signed in to the account. */
  remember(userId: string, browser: string): Promise<void>
  /** Whether this browser has signed in to the account with this address. `isLong` is true if it was known a day ago. */
  known(browser: string, email: string): Promise<{ isLong: boolean } | undefined>
  /** Whether this browser has signed in to any account. */
  isReturning(browser: string): Promise<boolean>
  /** Forgets a browser of an account, for example when its device is removed. */
  forget(userId: string, browser: string): Promise<void>
  /** Forgets all other browsers of an account. */
  forgetOthers(userId: string, browser: string): Promise<void>
  sweep(): Promise<void>
}

/** Known browsers, stored in a database. */
export function createBrowsers({ connection, now }: { connection: Connection; now: Clock }): Browsers {
  const isKnown = (browser: string, before: number) =>
    sql<boolean>`exists (select 1 from ${vaultBrowsers} where ${vaultBrowsers.browser} = ${browser} and ${vaultBrowsers.userId} = ${vaultUsers.id} and ${vaultBrowsers.signedInAt} <= ${before})`

  return {
    remember: async (userId, browser) => {
      const at = now()
      await connection.use(async (database) => {
        await database
          .insert(vaultBrowsers)
          .values({ userId, browser, signedInAt: at })
          .onConflictDoUpdate({
            target: [vaultBrowsers.browser, vaultBrowsers.userId],
            // At most a day before the last sign-in, so that the time also shows whether the browser has been known for longer than that.
            set: { signedInAt: sql`greatest(${vaultBrowsers.signedInAt}, ${at - day}::bigint)` },
          })
        // Limited separately, so that an attacker with an hour's access to a mailbox cannot displace the owner's browsers.
        for (const kind of [sql`> ${at - day}`, sql`<= ${at - day}`])
          await database
            .delete(vaultBrowsers)
            .where(
              and(
                eq(vaultBrowsers.userId, userId),
                ne(vaultBrowsers.browser, browser),
                sql`${vaultBrowsers.browser} in (select older.browser from ${vaultBrowsers} older where older.user_id = ${userId} and older.signed_in_at ${kind} order by (older.browser = ${browser}) desc, older.signed_in_at desc offset ${maxPerKind})`,
              ),
            )
      })
    },
    known: async (browser, email) => {
      const rows = await connection.use((database) =>
        database
          .select({ isLong: isKnown(browser, now() - day) })
          .from(vaultUsers)
          .where(and(eq(vaultUsers.email, email), vaultUsers.emailVerified, isKnown(browser, now())))
          .limit(1),
      )
      return rows[0]
    },
    isReturning: async (browser) => {
      const rows = await connection.use((database) =>
        database
          .select({ userId: vaultBrowsers.userId })
          .from(vaultBrowsers)
          .where(eq(vaultBrowsers.browser, browser))
          .limit(1),
      )
      return rows.length > 0
    },
    forget: async (userId, browser) => {
      await connection.use((database) =>
        database.delete(vaultBrowsers).where(and(eq(vaultBrowsers.userId, userId), eq(vaultBrowsers.browser, browser))),
      )
    },
    forgetOthers: async (userId, browser) => {
      await connection.use((database) =>
        database.delete(vaultBrowsers).where(and(eq(vaultBrowsers.userId, userId), ne(vaultBrowsers.browser, browser))),
      )
    },
    sweep: async () => {
      await removeInBatches(connection, vaultBrowsers, lt(vaultBrowsers.signedInAt, now() - storedMs))
    },
  }
}
