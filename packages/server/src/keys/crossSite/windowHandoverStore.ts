import { type HandoverState, handoverLifeMs } from '@latchkey/protocol/http/keys/crossSite'
import { and, eq, gt, inArray, lt, ne, or } from 'drizzle-orm'
import type { Clock, EventBus } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { hashOf, randomToken } from '../../storage/secretDigests.ts'
import { vaultHandovers } from '../tables/vaultSchema.ts'

/** A handover: a sealed request from a frame, and the sealed response from the window that claimed it. */
export type WindowHandover = typeof vaultHandovers.$inferSelect

/**
 * A store of pending handovers. The frame and the window each have a secret, which is stored as a hash. Changes are published.
 */
export interface WindowHandoverStore {
  /** Stores a request. Resolves to the frame's secret, or to `undefined` if the ID already exists. */
  create(id: string, sealed: string): Promise<string | undefined>
  /** Claims a waiting request for a window. If two windows have the same URL, only one of them can claim the request. */
  claim(id: string): Promise<{ readonly secret: string; readonly sealed: string } | undefined>
  state(id: string): Promise<HandoverState | undefined>
  /** Resolves to the handover for this secret, and whether the secret belongs to the frame or the window. */
  find(
    id: string,
    secret: string,
  ): Promise<{ readonly handover: WindowHandover; readonly isFrame: boolean } | undefined>
  /** Changes a handover on behalf of the window with this secret. Resolves to `false` if its state is not in `from`. */
  change(
    id: string,
    change: {
      readonly secret: string
      readonly from: readonly HandoverState[]
      readonly to: { readonly state: HandoverState; readonly answer?: string | null }
    },
  ): Promise<boolean>
  /** Deletes a handover on behalf of the frame with this secret. Resolves to `false` if the window is already processing it. */
  end(id: string, secret: string): Promise<boolean>
}

/** Creates a store of handovers in a database. */
export function createWindowHandoverStore({
  connection,
  bus,
  now,
}: {
  connection: Connection
  bus: Pick<EventBus, 'publish'>
  now: Clock
}): WindowHandoverStore {
  const alive = (id: string) => and(eq(vaultHandovers.id, id), gt(vaultHandovers.expiresAt, now()))
  const publish = (id: string): void => bus.publish(handoverTopic(id))

  return {
    create: async (id, sealed) => {
      const secret = randomToken()
      const [row] = await connection.use((database) =>
        database
          .insert(vaultHandovers)
          .values({
            id,
            frame: secretOf('frame', secret),
            window: null,
            state: 'waiting',
            question: sealed,
            answer: null,
            createdAt: now(),
            expiresAt: now() + handoverLifeMs,
          })
          .onConflictDoNothing()
          .returning({ id: vaultHandovers.id }),
      )
      if (!row) return undefined
      publish(id)
      return secret
    },
    claim: async (id) => {
      const secret = randomToken()
      // A single statement, so that two windows cannot both claim the request.
      const [row] = await connection.use((database) =>
        database
          .update(vaultHandovers)
          .set({ state: 'claimed', window: secretOf('window', secret) })
          .where(and(alive(id), eq(vaultHandovers.state, 'waiting')))
          .returning(),
      )
      if (!row) return undefined
      publish(id)
      return { secret, sealed: row.question }
    },
    state: async (id) => {
      const [row] = await connection.use((database) =>
        database.select({ state: vaultHandovers.state }).from(vaultHandovers).where(alive(id)),
      )
      return row?.state
    },
    find: async (id, secret) => {
      const [frame, window] = [secretOf('frame', secret), secretOf('window', secret)]
      const [handover] = await connection.use((database) =>
        database
          .select()
          .from(vaultHandovers)
          .where(and(alive(id), or(eq(vaultHandovers.frame, frame), eq(vaultHandovers.window, window)))),
      )
      return handover && { handover, isFrame: handover.frame === frame }
    },
    change: async (id, { secret, from, to }) => {
      const rows = await connection.use((database) =>
        database
          .update(vaultHandovers)
          .set(to)
          .where(
            and(
              alive(id),
              eq(vaultHandovers.window, secretOf('window', secret)),
              inArray(vaultHandovers.state, [...from]),
            ),
          )
          .returning({ id: vaultHandovers.id }),
      )
      if (rows.length > 0) publish(id)
      return rows.length > 0
    },
    end: async (id, secret) => {
      const own = and(eq(vaultHandovers.id, id), eq(vaultHandovers.frame, secretOf('frame', secret)))
      const deleted = await connection.use((database) =>
        database
          .delete(vaultHandovers)
          .where(and(own, ne(vaultHandovers.state, 'doing')))
          .returning({ id: vaultHandovers.id }),
      )
      if (deleted.length > 0) {
        publish(id)
        return true
      }
      const [row] = await connection.use((database) =>
        database
          .select({ id: vaultHandovers.id })
          .from(vaultHandovers)
          .where(and(own, alive(id))),
      )
      return row === undefined
    },
  }
}

/** Returns the topic on which changes to a handover are published. */
export function handoverTopic(id: string): string {
  return `handover ${id}`
}

/** Deletes expired handovers. */
export async function sweepWindowHandovers({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, vaultHandovers, lt(vaultHandovers.expiresAt, now()))
}

function secretOf(part: 'frame' | 'window', secret: string): string {
  return hashOf(`handover-${part}`, secret)
}
