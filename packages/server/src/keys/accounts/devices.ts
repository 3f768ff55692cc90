import type { KeysDevice } from '@latchkey/protocol/http/keys'
import { and, count, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { randomToken } from '../../storage/secretDigests.ts'
import { KeysError } from '../keysError.ts'
import { vaultDevices, vaultUsers } from '../tables/vaultSchema.ts'
import { lockUserRow } from './lockUserRow.ts'

const maxLive = 50
/** The maximum number of removed devices that are kept for display in the list. The devices removed first are deleted first. */
const maxRevoked = 200

/** A store of devices and of the server halves that open a vault on each device. */
export interface Devices {
  /** Adds a device with a new server half. If the device already exists, resolves to its existing half. */
  add(device: {
    userId: string
    id: string
    name: string
    browser: string
  }): Promise<{ serverHalf: string; isNew: boolean }>
  /**
   * Resolves to a device's server half. Rejects unless the request comes from the browser to which the device is bound. `before`
   * is the time at which the half was last used, in epoch milliseconds.
   */
  half(device: {
    userId: string
    id: string
    browser: string
  }): Promise<{ serverHalf: string; before: number; name: string }>
  of(userId: string, browser: string): Promise<readonly KeysDevice[]>
  /** Revokes a device and erases its server half. Resolves to the device's browser and name. */
  revoke(userId: string, id: string): Promise<{ browser: string; name: string }>
  /** Whether this browser is a device of the account with this email address. */
  isKnown(browser: string, email: string): Promise<boolean>
}

/** Creates a store of devices in a database. */
export function createDevices({ connection, now }: { connection: Connection; now: Clock }): Devices {
  const unknown = () => new KeysError('device/unknown', 'Unknown device')
  const device = (userId: string, id: string) => and(eq(vaultDevices.userId, userId), eq(vaultDevices.id, id))

  async function find(userId: string, id: string): Promise<typeof vaultDevices.$inferSelect | undefined> {
    const [row] = await connection.use((database) => database.select().from(vaultDevices).where(device(userId, id)))
    return row
  }

  // Returns the server half, or throws if the device is unknown, revoked or bound to a different browser.
  function held(row: typeof vaultDevices.$inferSelect | undefined, browser: string): string {
    if (!row) throw unknown()
    if (row.revokedAt !== null || row.serverHalf === null)
      throw new KeysError('device/revoked', 'This device was removed')
    if (row.browser !== browser)
      throw new KeysError('device/other-browser', 'This device belongs to a different browser')
    return row.serverHalf
  }

  return {
    add: async ({ userId, id, name, browser }) => {
      const found = await find(userId, id)
      if (found) return { serverHalf: held(found, browser), isNew: false }
      const mine = eq(vaultDevices.userId, userId)
      const at = now()
      const row = { userId, id, name, browser, serverHalf: randomToken(), createdAt: at, lastUsedAt: at }
      const made = await connection.use((database) =>
        database.transaction(async (together) => {
          await lockUserRow(together, userId)
          const [live] = await together
            .select({ n: count() })
            .from(vaultDevices)
            .where(and(mine, isNull(vaultDevices.revokedAt)))
          if ((live?.n ?? 0) >= maxLive)
            throw new KeysError('limit/reached', 'There are too many devices: remove one first')
          const oldest = together
            .select({ id: vaultDevices.id })
            .from(vaultDevices)
            .where(and(mine, isNotNull(vaultDevices.revokedAt)))
            .orderBy(desc(vaultDevices.revokedAt))
            .offset(maxRevoked)
          await together.delete(vaultDevices).where(and(mine, inArray(vaultDevices.id, oldest)))
          return together.insert(vaultDevices).values(row).onConflictDoNothing().returning({ id: vaultDevices.id })
        }),
      )
      // Two tabs of the same browser can race, and then both get the half that was stored first.
      if (made.length === 0) return { serverHalf: held(await find(userId, id), browser), isNew: false }
      return { serverHalf: row.serverHalf, isNew: true }
    },
    half: async ({ userId, id, browser }) => {
      const before = await find(userId, id)
      held(before, browser)
      // Checked again in the statement that updates the device, so that a device revoked in between does not receive its half.
      const [row] = await connection.use((database) =>
        database
          .update(vaultDevices)
          .set({ lastUsedAt: now() })
          .where(and(device(userId, id), isNull(vaultDevices.revokedAt), eq(vaultDevices.browser, browser)))
          .returning(),
      )
      return { serverHalf: held(row, browser), before: before?.lastUsedAt ?? 0, name: before?.name ?? '' }
    },
    of: async (userId, browser) => {
      const rows = await connection.use((database) =>
        database
          .select()
          .from(vaultDevices)
          .where(eq(vaultDevices.userId, userId))
          .orderBy(desc(vaultDevices.createdAt)),
      )
      return rows.map(({ id, name, createdAt, lastUsedAt, revokedAt, browser: theirs }) => ({
        id,
        name,
        // Frames that were loaded before an upgrade reject a device without this field.
        publicKey: null,
        createdAt,
        lastUsedAt,
        revokedAt,
        isThis: theirs === browser,
      }))
    },
    revoke: async (userId, id) => {
      const [row] = await connection.use((database) =>
        database
          .update(vaultDevices)
          .set({ serverHalf: null, revokedAt: now() })
          .where(and(device(userId, id), isNull(vaultDevices.revokedAt)))
          .returning({ browser: vaultDevices.browser, name: vaultDevices.name }),
      )
      if (!row) throw unknown()
      return row
    },
    isKnown: async (browser, email) => {
      const rows = await connection.use((database) =>
        database
          .select({ id: vaultDevices.id })
          .from(vaultDevices)
          .innerJoin(vaultUsers, eq(vaultUsers.id, vaultDevices.userId))
          .where(
            and(
              eq(vaultDevices.browser, browser),
              eq(vaultUsers.email, email),
              vaultUsers.emailVerified,
              isNull(vaultDevices.revokedAt),
            ),
          )
          .limit(1),
      )
      return rows.length > 0
    },
  }
}
