import { and, eq, gt, lt, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Clock } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { removeInBatches } from './removeInBatches.ts'
import { pendingSteps } from './verificationSchema.ts'

/**
 * The number of milliseconds by which the clock can be set back, for example by NTP, without invalidating pending steps and
 * recent sign-ins.
 */
export const clockStepMs = 120_000

/** A pending step that a second request completes: a code, a link, a redirect or a challenge. */
export interface PendingStep<Data> {
  readonly flow: string
  readonly secret: string
  readonly data: Data
  readonly triesLeft: number
  readonly sentAt: number
  readonly expiresAt: number
}

/**
 * A store for pending steps of one kind. Each frame session has at most one such step, which expires and can limit the number of
 * tries.
 */
export interface PendingStepStore<Data> {
  /** Stores a step. Replaces the frame session's previous step. */
  put(step: { flow: string; secret: string; data: Data; tries?: number }): Promise<void>
  find(flow: string): Promise<PendingStep<Data> | undefined>
  findBySecret(secret: string): Promise<PendingStep<Data> | undefined>
  /** Uses up one try. Resolves to the updated step, or to `undefined` if no tries were left. */
  spendTry(flow: string): Promise<PendingStep<Data> | undefined>
  /** Removes the step and resolves to it. If several requests do this concurrently, only one of them receives the step. */
  take(flow: string, secret: string): Promise<PendingStep<Data> | undefined>
  change(flow: string, secret: string, next: { secret?: string; data?: Data }): Promise<boolean>
  drop(flow: string): Promise<void>
}

/** Creates a database store for pending steps of one kind. */
export function createPendingStepStore<Data>({
  connection,
  kind,
  data: schema,
  lifetimeMs,
  now,
}: {
  connection: Connection
  kind: string
  data: v.GenericSchema<unknown, Data>
  lifetimeMs: number
  now: Clock
}): PendingStepStore<Data> {
  const mine = (flow: string) => and(eq(pendingSteps.flow, flow), eq(pendingSteps.kind, kind))
  // A step dated well into the future was stored before the clock was set back. It would expire too late, so it is ignored.
  const alive = () => and(gt(pendingSteps.expiresAt, now()), lt(pendingSteps.sentAt, now() + clockStepMs))

  function first(rows: readonly (typeof pendingSteps.$inferSelect)[]): PendingStep<Data> | undefined {
    const [row] = rows
    if (!row) return undefined
    const { flow, secret, triesLeft, sentAt, expiresAt } = row
    return { flow, secret, triesLeft, sentAt, expiresAt, data: v.parse(schema, row.data) }
  }

  return {
    put: async ({ flow, secret, data, tries = 1 }) => {
      const row = { secret, data, triesLeft: tries, sentAt: now(), expiresAt: now() + lifetimeMs }
      await connection.use((database) =>
        database
          .insert(pendingSteps)
          .values({ flow, kind, ...row })
          .onConflictDoUpdate({ target: [pendingSteps.flow, pendingSteps.kind], set: row }),
      )
    },
    find: async (flow) =>
      first(
        await connection.use((database) =>
          database
            .select()
            .from(pendingSteps)
            .where(and(mine(flow), alive())),
        ),
      ),
    findBySecret: async (secret) =>
      first(
        await connection.use((database) =>
          database
            .select()
            .from(pendingSteps)
            .where(and(eq(pendingSteps.kind, kind), eq(pendingSteps.secret, secret), alive())),
        ),
      ),
    spendTry: async (flow) =>
      first(
        await connection.use((database) =>
          database
            .update(pendingSteps)
            .set({ triesLeft: sql`${pendingSteps.triesLeft} - 1` })
            .where(and(mine(flow), alive(), gt(pendingSteps.triesLeft, 0)))
            .returning(),
        ),
      ),
    take: async (flow, secret) =>
      first(
        await connection.use((database) =>
          database
            .delete(pendingSteps)
            .where(and(mine(flow), alive(), eq(pendingSteps.secret, secret)))
            .returning(),
        ),
      ),
    change: async (flow, secret, next) => {
      const changed = await connection.use((database) =>
        database
          .update(pendingSteps)
          .set(next)
          .where(and(mine(flow), alive(), eq(pendingSteps.secret, secret)))
          .returning({ flow: pendingSteps.flow }),
      )
      return changed.length > 0
    },
    drop: async (flow) => {
      await connection.use((database) => database.delete(pendingSteps).where(mine(flow)))
    },
  }
}

/** Deletes expired steps of all kinds. */
export async function sweepPending({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, pendingSteps, lt(pendingSteps.expiresAt, now()))
}
