import type { KeysPasskey } from '@latchkey/protocol/http/keys'
import { and, count, desc, eq, lt, or, sql } from 'drizzle-orm'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection, Database } from '../../storage/databaseConnection.ts'
import { lockUserRow } from '../accounts/lockUserRow.ts'
import { KeysError } from '../keysError.ts'
import { vaultPasskeys } from '../tables/vaultSchema.ts'

const maxPasskeys = 30

/** A stored passkey. */
export type PasskeyRow = typeof vaultPasskeys.$inferSelect

/** A store for users' passkeys. */
export interface Passkeys {
  /** Resolves to an account's passkeys, newest first. */
  of(userId: string): Promise<readonly KeysPasskey[]>
  find(id: string): Promise<PasskeyRow | undefined>
  /** Rejects if the account has as many passkeys as allowed. */
  requireRoom(userId: string): Promise<void>
  /** Stores a passkey. Resolves to `false` if the passkey is already registered, and rejects if the account has no room. */
  add(row: typeof vaultPasskeys.$inferInsert): Promise<boolean>
  /** Removes a passkey from an account. Resolves to the passkey's name, or to `undefined` if the account has no such passkey. */
  remove(userId: string, id: string): Promise<string | undefined>
  /**
   * Records a sign-in with the authenticator's new counter. Resolves to `false` if the counter did not increase, unless it is
   * always 0.
   */
  recordUse(id: string, newCounter: number): Promise<boolean>
}

/** Creates a database store for passkeys. */
export function createPasskeys({ connection, now }: { connection: Connection; now: Clock }): Passkeys {
  const requireRoomIn = async (database: Pick<Database, 'select'>, userId: string): Promise<void> => {
    const [row] = await database.select({ n: count() }).from(vaultPasskeys).where(eq(vaultPasskeys.userId, userId))
    if ((row?.n ?? 0) >= maxPasskeys)
      throw new KeysError('limit/reached', 'There are too many passkeys: remove one first')
  }

  return {
    requireRoom: (userId) => connection.use((database) => requireRoomIn(database, userId)),
    of: (userId) =>
      connection.use(async (database) => {
        const { id, name, createdAt, lastUsedAt } = vaultPasskeys
        return database
          .select({ id, name, createdAt, lastUsedAt })
          .from(vaultPasskeys)
          .where(eq(vaultPasskeys.userId, userId))
          .orderBy(desc(createdAt))
      }),
    find: async (id) => {
      const [row] = await connection.use((database) =>
        database.select().from(vaultPasskeys).where(eq(vaultPasskeys.id, id)),
      )
      return row
    },
    add: async (row) => {
      const added = await connection.use((database) =>
        database.transaction(async (together) => {
          await lockUserRow(together, row.userId)
          await requireRoomIn(together, row.userId)
          return together.insert(vaultPasskeys).values(row).onConflictDoNothing().returning({ id: vaultPasskeys.id })
        }),
      )
      return added.length > 0
    },
    remove: async (userId, id) => {
      const [row] = await connection.use((database) =>
        database
          .delete(vaultPasskeys)
          .where(and(eq(vaultPasskeys.userId, userId), eq(vaultPasskeys.id, id)))
          .returning({ name: vaultPasskeys.name }),
      )
      return row?.name
    },
    recordUse: async (id, newCounter) => {
      // A counter that does not increase indicates a cloned authenticator. Checking it in the update also covers concurrent
      // responses. Most passkeys have no counter and always report 0.
      const grows = or(lt(vaultPasskeys.counter, newCounter), and(eq(vaultPasskeys.counter, 0), sql`${newCounter} = 0`))
      const used = await connection.use((database) =>
        database
          .update(vaultPasskeys)
          .set({ counter: newCounter, lastUsedAt: now() })
          .where(and(eq(vaultPasskeys.id, id), grows))
          .returning({ id: vaultPasskeys.id }),
      )
      return used.length > 0
    },
  }
}
