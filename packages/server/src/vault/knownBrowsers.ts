import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Connection } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultBrowsers, vaultUsers } from '../data/vaultSchema.ts'
import type { Clock } from '../serverPorts.ts'

const day = 24 * 60 * 60_000

/** As long as a browser keeps its cookie. */
const storedMs = 400 * day

/** How many browsers of an account stay known that signed in first within the last day; and how many of the others. */
const maxPerKind = 10

/**
 * Browsers that have signed in before. Each has allowances of its own, so that strangers cannot use up an owner's. A device that is still let
 * in is known by its sign-in alone: what the owner has signed out everywhere is a stranger until it signs in again.
 */
export interface Browsers {
  /** Remembers that this browser has signed in to the account. */
  remember(userId: string, browser: string): Promise<void>
  /** Whether this browser has signed in to the account with this address, and if so, whether first more than a day ago. */
  known(browser: string, email: string): Promise<{ isLong: boolean } | undefined>
  /** Whether this browser has signed in to any account. */
  isReturning(browser: string): Promise<boolean>
  /** Forgets the browser of an account, as with a device that is removed. */
  forget(userId: string, browser: string): Promise<void>
  /** Forgets all browsers of an account but this one. */
  forgetOthers(userId: string, browser: string): Promise<void>
  sweep(): Promise<void>
}

/** Browsers that have signed in before, in a database. */
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
            // The last sign-in, but a day ago at the latest: so it also tells which browsers are known longer than that.
            set: { signedInAt: sql`greatest(${vaultBrowsers.signedInAt}, ${at - day}::bigint)` },
          })
        // Each kind apart: whoever gets into a mailbox for an hour does not push out the browsers of its owner.
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
