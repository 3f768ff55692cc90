import type { HandoverState } from '@latchkey/protocol/http/keys/crossSite'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

// The tables for users, sessions, accounts and verifications follow the better-auth schema and use its field names. The columns
// for IP addresses stay empty.

const at = (name: string) => timestamp(name, { withTimezone: true })
/** Milliseconds since the Unix epoch. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/** Users. If a user has no verified email address, `email` is a placeholder under `.invalid`. */
export const vaultUsers = pgTable('vault_users', {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text(),
  createdAt: at('created_at').notNull(),
  updatedAt: at('updated_at').notNull(),
})

/** Active sessions. */
export const vaultSessions = pgTable(
  'vault_sessions',
  {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    expiresAt: at('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    /** A digest of the cookie of the browser that signed in. */
    browser: text().notNull(),
  },
  (table) => [index('vault_sessions_user').on(table.userId)],
)

/** Browsers that have signed in to an account. Failed attempts in unknown browsers do not lock these browsers out. */
export const vaultBrowsers = pgTable(
  'vault_browsers',
  {
    /** A digest of the browser's cookie. */
    browser: text().notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    signedInAt: ms('signed_in_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.browser, table.userId] }),
    index('vault_browsers_user').on(table.userId),
    index('vault_browsers_signed_in').on(table.signedInAt),
  ],
)

/** Users' identities at login providers. Provider tokens are never stored. */
export const vaultAccounts = pgTable(
  'vault_accounts',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: at('access_token_expires_at'),
    refreshTokenExpiresAt: at('refresh_token_expires_at'),
    scope: text(),
    password: text(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [
    index('vault_accounts_user').on(table.userId),
    uniqueIndex('vault_accounts_key').on(table.providerId, table.accountId),
  ],
)

/** Required by better-auth. Our own pending steps are stored in `pendingSteps`. */
export const vaultVerifications = pgTable('vault_verifications', {
  id: text().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: at('expires_at').notNull(),
  createdAt: at('created_at').notNull(),
  updatedAt: at('updated_at').notNull(),
})

/** The passkeys that users sign in with. */
export const vaultPasskeys = pgTable(
  'vault_passkeys',
  {
    /** The credential ID. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    publicKey: text('public_key').notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull().default([]),
    createdAt: ms('created_at').notNull(),
    lastUsedAt: ms('last_used_at'),
  },
  (table) => [index('vault_passkeys_user').on(table.userId)],
)

/** Sealed vaults. The keys that open them are not in this database. */
export const vaultRecords = pgTable('vault_records', {
  userId: text('user_id')
    .primaryKey()
    .references(() => vaultUsers.id, { onDelete: 'cascade' }),
  record: text().notNull(),
  version: integer().notNull(),
  updatedAt: ms('updated_at').notNull(),
})

/** Replaced vaults, kept for a while so that an operator can restore them. */
export const vaultReplaced = pgTable(
  'vault_replaced',
  {
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    record: text().notNull(),
    replacedAt: ms('replaced_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.replacedAt, table.version] }),
    index('vault_replaced_at').on(table.replacedAt),
  ],
)

/** Devices, with the server's half of each device key. Each half is useless without the other. */
export const vaultDevices = pgTable(
  'vault_devices',
  {
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    name: text().notNull(),
    /** Unused. A rolling upgrade must not remove a column that the previous version writes. */
    publicKey: text('public_key'),
    /** A digest of the cookie of the only browser that can retrieve the server's half. */
    browser: text().notNull(),
    /** `null` after the device is revoked. */
    serverHalf: text('server_half'),
    createdAt: ms('created_at').notNull(),
    lastUsedAt: ms('last_used_at').notNull(),
    revokedAt: ms('revoked_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('vault_devices_browser').on(table.browser)],
)

/** The audit log for user accounts. */
export const vaultAudit = pgTable(
  'vault_audit',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    at: ms('at').notNull(),
    event: text().notNull(),
    about: text(),
    /** The kind of browser. An IP address is never stored. */
    place: text(),
  },
  (table) => [index('vault_audit_user').on(table.userId, table.at)],
)

/** Transfers of sealed vault keys between devices. */
export const vaultTransfers = pgTable(
  'vault_transfers',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => vaultUsers.id, { onDelete: 'cascade' }),
    /** A digest of the cookie of the new device's browser. */
    browser: text().notNull(),
    name: text().notNull(),
    commitment: text().notNull(),
    offer: text(),
    reveal: text(),
    sealed: text(),
    createdAt: ms('created_at').notNull(),
    expiresAt: ms('expires_at').notNull(),
  },
  (table) => [index('vault_transfers_user').on(table.userId)],
)

/** Requests that a key frame hands over to a window, and the responses. Both are sealed. */
export const vaultHandovers = pgTable(
  'vault_handovers',
  {
    id: text().primaryKey(),
    /** A digest of the key frame's secret. */
    frame: text().notNull(),
    /** A digest of the secret of the window that has claimed the request. */
    window: text(),
    state: text().$type<HandoverState>().notNull(),
    question: text().notNull(),
    answer: text(),
    createdAt: ms('created_at').notNull(),
    expiresAt: ms('expires_at').notNull(),
  },
  (table) => [index('vault_handovers_expires').on(table.expiresAt)],
)

/** Connection tokens for cross-site pages. Deleted together with the session. */
export const vaultConnections = pgTable(
  'vault_connections',
  {
    /** A digest of the token. */
    token: text().primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => vaultSessions.id, { onDelete: 'cascade' }),
    /** The page's origin. */
    page: text().notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [index('vault_connections_session').on(table.sessionId)],
)
