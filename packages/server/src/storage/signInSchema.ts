import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Milliseconds since the Unix epoch. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/** Used nonces and the IDs of ended sessions. */
export const signInSpent = pgTable(
  'sign_in_spent',
  { id: text().primaryKey(), expiresAt: ms('expires_at').notNull() },
  (table) => [index('sign_in_spent_expires').on(table.expiresAt)],
)

/** Accounts that have signed in with a wallet, with the metadata that pages store for them. */
export const signInAccounts = pgTable(
  'sign_in_accounts',
  {
    projectId: text('project_id').notNull(),
    /** A CAIP-10 account ID. */
    account: text().notNull(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    createdAt: ms('created_at').notNull(),
    lastSignedInAt: ms('last_signed_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.account] })],
)
