import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

// Public sign-in also uses these tables. In the database, their names start with `vault_`, because originally only the logins
// of the embedded wallet used them.

/** Milliseconds since the Unix epoch. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/** Steps that await a second request: codes, links, redirects and challenges. Each frame session has at most one of each kind. */
export const pendingSteps = pgTable(
  'vault_pending',
  {
    /** A digest of the frame session's cookie. */
    flow: text().notNull(),
    kind: text().notNull(),
    /** A digest of the code, token or state. The value itself is never stored. */
    secret: text().notNull(),
    data: jsonb().$type<unknown>().notNull(),
    triesLeft: integer('tries_left').notNull(),
    sentAt: ms('sent_at').notNull(),
    expiresAt: ms('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.flow, table.kind] }),
    index('vault_pending_secret').on(table.kind, table.secret),
    index('vault_pending_expires').on(table.expiresAt),
  ],
)

/** The counters for the current rate limit windows. */
export const actionCounters = pgTable('vault_limits', {
  /** A digest of the action and of the value to which the limit applies, such as an email address. */
  key: text().primaryKey(),
  count: integer().notNull(),
  endsAt: ms('ends_at').notNull(),
})
