import { count, eq, lt } from 'drizzle-orm'
import type { Events } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { removeInBatches } from './removeInBatches.ts'
import { events } from './serverSchema.ts'

/** Creates an event store that uses a database. */
export function databaseAnalyticsEvents(connection: Connection): Events {
  return {
    insert: async (found) => {
      if (found.length === 0) return
      await connection.use((database) =>
        database
          .insert(events)
          .values([...found])
          .onConflictDoNothing(),
      )
    },
    count: (projectId) =>
      connection.use(async (database) => {
        const [row] = await database.select({ count: count() }).from(events).where(eq(events.projectId, projectId))
        return row?.count ?? 0
      }),
    removeBefore: async (date) => {
      await removeInBatches(connection, events, lt(events.timestamp, date))
    },
  }
}
