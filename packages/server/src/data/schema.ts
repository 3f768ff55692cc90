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

/** Analytics events. An event that a page sends twice is kept once. */
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

/** What every instance must know alike and none may lose: signing keys. Those of one purpose overlap while they are rotated. */
export const serverKeys = pgTable(
  'server_keys',
  {
    /** Names one key; the first of a purpose is called by it alone. */
    name: text().primaryKey(),
    /** Empty where an older program wrote it: then the name is the purpose. */
    purpose: text().notNull().default(''),
    /** A private JWK. */
    key: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** From when on it signs, when every instance and every cache of public keys has it. */
    signsFrom: timestamp('signs_from', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('server_keys_purpose').on(table.purpose)],
)

/** What was taken of each allowance in the minute that runs. Written by rate-limiter-flexible; lost with a crash, which costs nothing. */
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
