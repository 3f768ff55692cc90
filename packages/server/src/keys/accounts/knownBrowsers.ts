import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { vaultBrowsers, vaultUsers } from '../tables/vaultSchema.ts'

const day = 24 * 60 * 60_000

/** The lifetime of the browser cookie, in milliseconds. */
const storedMs = 400 * day

/**
 * The maximum number of known browsers per account, counted separately for browsers first seen in the last day and for older
 * ones.
 */
const maxPerKind = 10

/**
 * The browsers that have signed in to an account. Each has its own limits, so that unknown browsers cannot exhaust the limits
 * of the owner's browsers. Only a sign-in makes a browser known. After the user signs out everywhere in one browser, all other
 * browsers are unknown until their next sign-in, even if their devices are still allowed.
 */
export interface Browsers {
  /** Adds this browser to the account's known browsers. */
  remember(userId: string, browser: string): Promise<void>
  /**
   * Resolves to `undefined` unless this browser has signed in to the account with this address. `isLong` is `true` if the browser
   * was already known a day ago.
   */
  known(browser: string, email: string): Promise<{ isLong: boolean } | undefined>
  /** Resolves to whether this browser has signed in to any account. */
  isReturning(browser: string): Promise<boolean>
  /** Removes a browser from an account's known browsers, for example when its device is removed. */
  forget(userId: string, browser: string): Promise<void>
  /** Removes all other browsers from an account's known browsers. */
  forgetOthers(userId: string, browser: string): Promise<void>
  sweep(): Promise<void>
}

/** Creates a database store for known browsers. */
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
            // A later sign-in moves the stored time forward only to a day before that sign-in, so that the time also shows
            // whether the browser has been known for over a day.
            set: { signedInAt: sql`greatest(${vaultBrowsers.signedInAt}, ${at - day}::bigint)` },
          })
        // Each kind is limited separately, so that an attacker with an hour's access to the mailbox cannot displace the owner's
        // browsers.
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
