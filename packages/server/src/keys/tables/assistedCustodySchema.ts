import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { vaultUsers } from './vaultSchema.ts'

// These tables are used only in assisted custody.

/** Milliseconds since the Unix epoch. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/**
 * The operator's shares of an assisted key: one in plaintext and one sealed by the key service. Together, they open the vault.
 */
export const vaultShares = pgTable('vault_shares', {
  userId: text('user_id')
    .primaryKey()
    .references(() => vaultUsers.id, { onDelete: 'cascade' }),
  wallet: text().notNull(),
  wrapper: text().notNull(),
  server: text().notNull(),
  /** A JSON object with the fields `nonce` and `sealed`. */
  escrow: text().notNull(),
  createdAt: ms('created_at').notNull(),
})

/** The log of every operation on key shares. Entries are kept when the account is deleted. */
export const vaultShareLog = pgTable(
  'vault_share_log',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text('user_id').notNull(),
    at: ms('at').notNull(),
    event: text().notNull(),
    wrapper: text().notNull(),
    /** A digest of the cookie of the browser that made the request. */
    browser: text().notNull(),
  },
  (table) => [index('vault_share_log_user').on(table.userId, table.at)],
)
