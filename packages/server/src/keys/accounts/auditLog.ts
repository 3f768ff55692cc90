import { type AuditEntry, type AuditEvent, auditEvents } from '@latchkey/protocol/http/keys'
import { and, desc, eq, lt, lte, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { pendingSteps } from '../../storage/verificationSchema.ts'
import { vaultAudit, vaultUsers } from '../tables/vaultSchema.ts'

const retentionMs = 365 * 24 * 60 * 60_000
const shown = 200
/** How many entries of one kind are shown, so that repeating an action cannot push all other entries out of the list. */
const shownPerEvent = 25

/** A log of security events. Users can see the events of their own account. */
export interface Audit {
  note(userId: string, event: AuditEvent, about?: string, place?: string): Promise<void>
  /**
   * Like `note`, for the account with this address. Writes the same amount if no such account exists, so that the timing does not
   * reveal whether the account exists. `flow` is the frame session whose pending step is rewritten.
   */
  noteByEmail(email: string, event: AuditEvent, flow: string): Promise<void>
  of(userId: string): Promise<readonly AuditEntry[]>
  sweep(): Promise<void>
}

/** Creates an audit log in a database. */
export function createAudit({ connection, now }: { connection: Connection; now: Clock }): Audit {
  return {
    note: async (userId, event, about, place) => {
      await connection.use((database) =>
        database.insert(vaultAudit).values({
          userId,
          at: now(),
          event,
          about: about?.slice(0, 200) ?? null,
          place: place?.slice(0, 64) ?? null,
        }),
      )
    },
    noteByEmail: async (email, event, flow) => {
      await connection.use((database) =>
        database.execute(
          // A commit without writes is not flushed to disk, so it would return measurably sooner.
          sql`with written as (update ${pendingSteps} set tries_left = tries_left where ${pendingSteps.flow} = ${flow})
              insert into ${vaultAudit} (user_id, at, event)
              select ${vaultUsers.id}, ${now()}::bigint, ${event}
              from ${vaultUsers} where ${and(eq(vaultUsers.email, email), vaultUsers.emailVerified)}`,
        ),
      )
    },
    of: async (userId) => {
      const { id, at, event, about, place } = vaultAudit
      const rows = await connection.use((database) => {
        const age = sql<number>`row_number() over (partition by ${event} order by ${id} desc)`.as('age')
        const ranked = database
          .select({ id, at, event, about, place, age })
          .from(vaultAudit)
          .where(eq(vaultAudit.userId, userId))
          .as('ranked')
        return database
          .select({ at: ranked.at, event: ranked.event, about: ranked.about, place: ranked.place })
          .from(ranked)
          .where(lte(ranked.age, shownPerEvent))
          .orderBy(desc(ranked.id))
          .limit(shown)
      })
      return rows.map((row) => ({ ...row, event: v.parse(v.picklist(auditEvents), row.event) }))
    },
    sweep: async () => {
      await removeInBatches(connection, vaultAudit, lt(vaultAudit.at, now() - retentionMs))
    },
  }
}
