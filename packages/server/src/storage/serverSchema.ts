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
  varchar,
} from 'drizzle-orm/pg-core'

/** The operator's projects. */
export const projects = pgTable('projects', {
  id: text().primaryKey(),
  name: text().notNull(),
  allowedOrigins: text('allowed_origins').array().notNull().default([]),
  features: text().array().notNull().default([]),
  analytics: boolean().notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Analytics events. Each event is stored only once. */
export const events = pgTable(
  'events',
  {
    projectId: text('project_id').notNull(),
    eventId: text('event_id').notNull(),
    url: text().notNull(),
    domain: text().notNull(),
    timestamp: timestamp({ withTimezone: true }).notNull(),
    type: text().notNull(),
    event: text().notNull(),
    properties: jsonb().$type<Record<string, unknown>>().notNull(),
    address: text(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.eventId] }), index('events_timestamp').on(table.timestamp)],
)

/** Signing keys, shared by all instances. Keys for the same purpose overlap during a rotation. */
export const serverKeys = pgTable(
  'server_keys',
  {
    /** The key ID. For the first key of a purpose, the ID is the purpose. */
    name: text().primaryKey(),
    /** Empty if an earlier version wrote the row. In that case, `name` is the purpose. */
    purpose: text().notNull().default(''),
    /** A private JWK. */
    key: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** When the key starts to sign. By then, every instance and every cache of public keys has the key. */
    signsFrom: timestamp('signs_from', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('server_keys_purpose').on(table.purpose)],
)

/** The counters for the current rate limit windows, written by rate-limiter-flexible. Losing them in a crash is harmless. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: varchar({ length: 255 }).primaryKey(),
    points: integer().notNull().default(0),
    /** Epoch milliseconds. */
    expire: bigint({ mode: 'number' }),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
