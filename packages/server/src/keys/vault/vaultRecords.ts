import type { VaultRecord } from '@latchkey/protocol/http/keys'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { KeysError } from '../keysError.ts'
import { vaultRecords, vaultReplaced } from '../tables/vaultSchema.ts'

/** A store of sealed vaults, one per user. The version of a vault increases with every write. */
export interface Records {
  of(userId: string): Promise<VaultRecord | undefined>
  /** Replaces version `expected` with `record`. Resolves to the new version, and rejects if the current version is different. */
  replace(userId: string, record: string, expected: number): Promise<number>
}

const retentionMs = 30 * 24 * 60 * 60_000

/** Deletes records that were replaced more than 30 days ago. */
export async function sweepReplaced({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, vaultReplaced, lt(vaultReplaced.replacedAt, now() - retentionMs))
}

/** Creates a store of sealed vaults in a database. */
export function createRecords({ connection, now }: { connection: Connection; now: Clock }): Records {
  const of: Records['of'] = async (userId) => {
    const [row] = await connection.use((database) =>
      database
        .select({ record: vaultRecords.record, version: vaultRecords.version, updatedAt: vaultRecords.updatedAt })
        .from(vaultRecords)
        .where(eq(vaultRecords.userId, userId)),
    )
    return row
  }

  return {
    of,
    replace: async (userId, record, expected) => {
      // If two concurrent writes expect the same version, only one succeeds.
      const [row] = await connection.use((database) => {
        if (expected === 0)
          return database
            .insert(vaultRecords)
            .values({ userId, record, version: 1, updatedAt: now() })
            .onConflictDoNothing()
            .returning({ version: vaultRecords.version })
        const stands = and(eq(vaultRecords.userId, userId), eq(vaultRecords.version, expected))
        return database.transaction(async (together) => {
          const [before] = await together.select().from(vaultRecords).where(stands).for('update')
          if (!before) return []
          await together
            .insert(vaultReplaced)
            .values({ userId, record: before.record, version: before.version, replacedAt: now() })
          return together
            .update(vaultRecords)
            .set({ record, version: sql`${vaultRecords.version} + 1`, updatedAt: now() })
            .where(stands)
            .returning({ version: vaultRecords.version })
        })
      })
      if (row) return row.version
      const version = (await of(userId))?.version ?? 0
      throw new KeysError('record/conflict', 'The record was changed in the meantime', { version })
    },
  }
}
