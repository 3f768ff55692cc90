import { eq } from 'drizzle-orm'
import type { Database } from '../../storage/databaseConnection.ts'
import { vaultUsers } from '../tables/vaultSchema.ts'

/**
 * Locks a user's row until the transaction ends. Transactions that count a user's entries before adding one therefore run one at
 * a time, so that concurrent requests cannot exceed a limit together.
 */
export async function lockUserRow(transaction: Pick<Database, 'select'>, userId: string): Promise<void> {
  await transaction.select({ id: vaultUsers.id }).from(vaultUsers).where(eq(vaultUsers.id, userId)).for('no key update')
}
