import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Milliseconds since 1970. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/** Nonces that were tried and sessions that were ended. */
export const signInSpent = pgTable(
  'sign_in_spent',
  { id: text().primaryKey(), expiresAt: ms('expires_at').notNull() },
  (table) => [index('sign_in_spent_expires').on(table.expiresAt)],
)

/** Who has signed in with a wallet, and what their pages keep about them. */
export const signInAccounts = pgTable(
  'sign_in_accounts',
  {
    projectId: text('project_id').notNull(),
    /** CAIP-10. */
    account: text().notNull(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    createdAt: ms('created_at').notNull(),
    lastSignedInAt: ms('last_signed_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.account] })],
)
