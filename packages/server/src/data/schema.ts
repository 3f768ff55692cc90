import { boolean, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

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

/** What every instance must know alike and none may lose: the signing key of the verify service. */
export const serverKeys = pgTable('server_keys', {
  name: text().primaryKey(),
  /** A private JWK. */
  key: jsonb().$type<Record<string, unknown>>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
