import {
  type HandoverState,
  handoverLifeMs,
  maxHandoverBytes,
  postHandover,
  postHandoverClaim,
  postHandoverEnd,
  postHandoverStep,
  postHandoverWait,
} from '@latchkey/protocol/http/vaultCrossSite'
import { and, eq, gt, inArray, lt, ne, or } from 'drizzle-orm'
import type { Connection } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultHandovers } from '../data/vaultSchema.ts'
import type { Clock } from '../serverDependencies.ts'
import { defineRoute, type VaultApp } from './defineRoute.ts'
import type { RequestContext } from './requestContext.ts'
import { hashOf, randomToken } from './secretDigests.ts'
import { VaultError } from './vaultError.ts'
import type { RateLimit } from './vaultRateLimits.ts'
import type { Vault } from './vaultServices.ts'

/** How long a window waits for a request that has not arrived yet. */
const claimMs = 12_000
const waitMs = 25_000
/** Maximum number of state polls per handover from both sides together, including retries. */
const maxWaits = 300
/** Requests above this size in bytes have stricter limits. */
const largeAbove = 16_384
/** A body contains at most one sealed text and a few IDs. */
const maxBodyBytes = maxHandoverBytes + 1_024

type Row = typeof vaultHandovers.$inferSelect

/** The limits for a client's networks, its address block and all clients together. */
function limitsFor(
  { networks, block }: RequestContext,
  {
    action,
    maxPerNetwork,
    maxTotal,
  }: { readonly action: string; readonly maxPerNetwork: number; readonly maxTotal: number },
): readonly RateLimit[] {
  const windowMs = handoverLifeMs
  return [
    ...networks.map(({ name, share }) => ({ action, key: name, max: maxPerNetwork * share, windowMs })),
    // Limited per block, so that one block cannot use up the global limit and block all other cross-site pages.
    { action: `${action}-block`, key: block, max: maxTotal / 2, windowMs },
    { action: `${action}-in-all`, max: maxTotal, windowMs },
  ]
}

/**
 * The routes through which a frame on a cross-site page hands requests over to a window of its origin. Both ends share a key that never
 * reaches the server, so the contents are sealed; the server enforces the order of the steps.
 */
export function handoverRoutes(app: VaultApp, vault: Vault): void {
  const { bus, connection, limits, now } = vault
  const alive = (id: string) => and(eq(vaultHandovers.id, id), gt(vaultHandovers.expiresAt, now()))
  const secretOf = (part: 'frame' | 'window', secret: string): string => hashOf(`handover-${part}`, secret)
  const unknown = (): VaultError => new VaultError('handover/unknown', 'There is no such request')

  /** Calls `found` until it returns a value or `ms` have passed. Runs again as soon as this handover changes. */
  async function poll<Found>(
    id: string,
    { ms, signal }: { ms: number; signal: AbortSignal },
    found: (isLast: boolean) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const until = now() + ms
    for (;;) {
      // Subscribe before reading, so that a change in between is not missed.
      const looked = new AbortController()
      const woken = vault.wake(`handover ${id}`, AbortSignal.any([signal, looked.signal]))
      try {
        const isLast = now() >= until || signal.aborted
        const answer = await found(isLast)
        if (answer !== undefined || isLast) return answer
        await woken
      } finally {
        looked.abort()
      }
    }
  }

  async function change(
    id: string,
    { secret, from, to }: { secret: string; from: readonly HandoverState[]; to: Partial<Row> },
  ): Promise<boolean> {
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
    if (rows.length > 0) bus.publish(`handover ${id}`)
    return rows.length > 0
  }

  defineRoute(
    app,
    postHandover,
    async ({ body, context }) => {
      const isLarge = body.sealed.length > largeAbove
      await limits.spend(
        ...limitsFor(context, { action: 'handover', maxPerNetwork: 120, maxTotal: 6_000 }),
        ...(isLarge ? limitsFor(context, { action: 'handover-large', maxPerNetwork: 10, maxTotal: 200 }) : []),
      )
      const secret = randomToken()
      const [row] = await connection.use((database) =>
        database
          .insert(vaultHandovers)
          .values({
            id: body.id,
            frame: secretOf('frame', secret),
            window: null,
            state: 'waiting',
            question: body.sealed,
            answer: null,
            createdAt: now(),
            expiresAt: now() + handoverLifeMs,
          })
          .onConflictDoNothing()
          .returning({ id: vaultHandovers.id }),
      )
      if (!row) throw new VaultError('handover/taken', 'This request already exists')
      bus.publish(`handover ${body.id}`)
      return { secret }
    },
    { maxBodyBytes },
  )

  defineRoute(app, postHandoverClaim, async ({ context, param }) => {
    const id = param('id')
    await limits.spend(...limitsFor(context, { action: 'handover-claim', maxPerNetwork: 240, maxTotal: 12_000 }))
    const secret = randomToken()
    const claimed = await poll(id, { ms: claimMs, signal: context.signal }, async () => {
      // One statement: of two windows with the same URL, only one claims the request.
      const [row] = await connection.use((database) =>
        database
          .update(vaultHandovers)
          .set({ state: 'claimed', window: secretOf('window', secret) })
          .where(and(alive(id), eq(vaultHandovers.state, 'waiting')))
          .returning(),
      )
      if (row) return row
      const [counterpart] = await connection.use((database) =>
        database.select({ state: vaultHandovers.state }).from(vaultHandovers).where(alive(id)),
      )
      // If the request arrived between the two statements, the subscription fires and the next iteration claims it.
      if (counterpart && counterpart.state !== 'waiting')
        throw new VaultError('handover/taken', 'Another window has claimed this request')
      return undefined
    })
    if (!claimed) throw unknown()
    bus.publish(`handover ${id}`)
    return { sealed: claimed.question, secret }
  })

  defineRoute(app, postHandoverWait, async ({ body, context, param }) => {
    const id = param('id')
    await limits.spend({ action: 'handover-wait', key: id, max: maxWaits, windowMs: handoverLifeMs })
    const [frame, window] = [secretOf('frame', body.secret), secretOf('window', body.secret)]
    const found = await poll(id, { ms: waitMs, signal: context.signal }, async (isLast) => {
      const [row] = await connection.use((database) =>
        database
          .select()
          .from(vaultHandovers)
          .where(and(alive(id), or(eq(vaultHandovers.frame, frame), eq(vaultHandovers.window, window)))),
      )
      if (!row) throw unknown()
      return row.state !== body.seen || isLast ? row : undefined
    })
    if (!found) throw unknown()
    const isFrames = found.frame === frame
    // The response stays available until the frame confirms receipt, so that it survives a failed request.
    return { state: found.state, sealed: isFrames ? found.answer : null }
  })

  defineRoute(
    app,
    postHandoverStep,
    async ({ body, param }) => {
      const { secret, state, sealed = null } = body
      const id = param('id')
      const from = ({ doing: ['claimed'], closed: ['claimed'], answered: ['claimed', 'doing'] } as const)[state]
      if (await change(id, { secret, from, to: { state, ...(state === 'answered' && { answer: sealed }) } })) return {}
      throw unknown()
    },
    { maxBodyBytes },
  )

  defineRoute(app, postHandoverEnd, async ({ body, param }) => {
    const id = param('id')
    const own = and(eq(vaultHandovers.id, id), eq(vaultHandovers.frame, secretOf('frame', body.secret)))
    const expired = await connection.use((database) =>
      database
        .delete(vaultHandovers)
        .where(and(own, ne(vaultHandovers.state, 'doing')))
        .returning({ id: vaultHandovers.id }),
    )
    if (expired.length > 0) {
      bus.publish(`handover ${id}`)
      return {}
    }
    const [row] = await connection.use((database) =>
      database
        .select({ id: vaultHandovers.id })
        .from(vaultHandovers)
        .where(and(own, alive(id))),
    )
    if (row) throw new VaultError('handover/taken', 'The window is already handling this request')
    return {}
  })
}

/** Deletes expired handovers. */
export async function sweepHandovers({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, vaultHandovers, lt(vaultHandovers.expiresAt, now()))
}
