import {
  deleteTransfer,
  getTransfer,
  getTransfers,
  postTransfer,
  postTransferStep,
  type TransferStep,
  transferSteps,
  type VaultTransfer,
} from '@latchkey/protocol/http/vault'
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import * as v from 'valibot'
import type { Connection } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultTransfers } from '../data/vaultSchema.ts'
import { createChallengeStore } from '../login/challengeStore.ts'
import { deviceAskedMail } from '../mail/mailTemplates.ts'
import type { Clock } from '../serverDependencies.ts'
import { defineRoute, type VaultApp } from './defineRoute.ts'
import { randomToken } from './secretDigests.ts'
import { VaultError } from './vaultError.ts'
import type { Vault } from './vaultServices.ts'

const lifeMs = 10 * 60_000
const waitMs = 25_000
/** How long an elapsed waiting period is remembered, so that a later request does not start a new one. */
const heldForMs = 24 * 60 * 60_000

type Row = typeof vaultTransfers.$inferSelect

/** Transfers between two devices of one account. Their contents are sealed or public; the server enforces the order of the steps. */
export function transferRoutes(app: VaultApp, vault: Vault): void {
  const { audit, bus, connection, digest, limits, mailer, now, origin, policy } = vault
  const { deviceHoldMs } = policy
  // When a browser made its first request. Each request expires after ten minutes, but the waiting period continues.
  const waits = createChallengeStore({
    connection,
    kind: 'device-wait',
    data: v.object({ until: v.number() }),
    lifetimeMs: deviceHoldMs + heldForMs,
    now,
  })
  const waitOf = ({ userId, browser }: Pick<Row, 'userId' | 'browser'>): string =>
    digest('device-wait', `${userId} ${browser}`)
  /** Until when the new device of a transfer can only be approved with a key of the owner, or `undefined` if that time has passed. */
  const heldUntil = async (row: Row): Promise<number | undefined> => {
    if (deviceHoldMs === 0) return undefined
    // A device without a record has not started to wait.
    const until = (await waits.find(waitOf(row)))?.data.until ?? now() + deviceHoldMs
    return until > now() ? until : undefined
  }
  const told = async (row: Row, browser: string): Promise<VaultTransfer> => ({
    ...shown(row, browser),
    heldUntil: await heldUntil(row),
  })
  const alive = () => gt(vaultTransfers.expiresAt, now())
  const isMine = (userId: string) => eq(vaultTransfers.userId, userId)

  async function find(userId: string, id: string): Promise<Row> {
    const [row] = await connection.use((database) =>
      database
        .select()
        .from(vaultTransfers)
        .where(and(isMine(userId), eq(vaultTransfers.id, id), alive())),
    )
    if (!row) throw new VaultError('transfer/unknown', 'There is no such request')
    return row
  }

  defineRoute(app, postTransfer, async ({ body, context }) => {
    const { user } = await context.requireRecentSignIn()
    await limits.spend({ action: 'transfer', key: user.id, max: 10, windowMs: lifeMs })
    const browser = context.browser()
    const row: Row = {
      id: randomToken(),
      userId: user.id,
      browser,
      // Not a name chosen by the caller: an attacker could use it to send the owner a message.
      name: context.place,
      commitment: body.commitment,
      offer: null,
      reveal: null,
      sealed: null,
      createdAt: now(),
      expiresAt: now() + lifeMs,
    }
    await connection.use(async (database) => {
      await database.delete(vaultTransfers).where(and(isMine(user.id), eq(vaultTransfers.browser, browser)))
      await database.insert(vaultTransfers).values(row)
    })
    await audit.note(user.id, 'transfer-asked', context.place, context.place)
    if (deviceHoldMs > 0 && !(await waits.find(waitOf(row)))) {
      const until = now() + deviceHoldMs
      await waits.put({ flow: waitOf(row), secret: '', data: { until } })
      if (user.email !== null)
        await mailer
          .send(deviceAskedMail({ to: user.email, place: context.place, site: new URL(origin).host, until }))
          .catch((error: unknown) => {
            vault.log('error', 'an email could not be sent', { error: error instanceof Error ? error.name : 'unknown' })
          })
    }
    return { transfer: await told(row, browser) }
  })

  defineRoute(app, getTransfers, async ({ context }) => {
    const { user } = await context.requireSignedIn()
    const rows = await connection.use((database) =>
      database
        .select()
        .from(vaultTransfers)
        .where(and(isMine(user.id), alive()))
        .orderBy(desc(vaultTransfers.createdAt)),
    )
    return { transfers: await Promise.all(rows.map((row) => told(row, context.browser()))) }
  })

  defineRoute(app, getTransfer, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const seen = Math.min(Number(param('steps')) || 0, transferSteps.length)
    const until = now() + waitMs
    for (;;) {
      // Subscribe before reading, so that a step taken in between is not missed.
      const looked = new AbortController()
      const woken = vault.wake(`transfer ${param('id')}`, AbortSignal.any([context.signal, looked.signal]))
      try {
        const row = await find(user.id, param('id'))
        const taken = transferSteps.filter((step) => row[step] !== null).length
        if (taken > seen || taken === transferSteps.length || now() >= until || context.signal.aborted)
          return { transfer: await told(row, context.browser()) }
        await woken
      } finally {
        looked.abort()
      }
    }
  })

  defineRoute(app, postTransferStep, async ({ body, context, param }) => {
    const { user } = await context.requireSignedIn()
    const step = transferSteps.find((name) => name === param('step'))
    if (!step) throw new VaultError('path/unknown', 'Unknown step')
    const row = await find(user.id, param('id'))
    const isNewDevice = row.browser === context.browser()
    const outOfTurn = () => new VaultError('transfer/out-of-turn', 'This step is out of order')
    if (isNewDevice !== (step === 'reveal')) throw outOfTurn()
    const before = transferSteps[transferSteps.indexOf(step) - 1]
    if (before && row[before] === null) throw outOfTurn()
    // The approving device reports how it was opened. It can be trusted, as its owner is using it.
    const until = step === 'offer' && body.openedWith !== 'key' ? await heldUntil(row) : undefined
    if (until !== undefined)
      throw new VaultError('transfer/held', 'This device must wait', { seconds: Math.ceil((until - now()) / 1000) })
    const values: { [Step in TransferStep]?: string } = { [step]: body.value }
    // Written once: if two devices respond, only the first is recorded.
    const [changed] = await connection.use((database) =>
      database
        .update(vaultTransfers)
        .set(values)
        .where(and(isMine(user.id), eq(vaultTransfers.id, row.id), alive(), isNull(vaultTransfers[step])))
        .returning(),
    )
    if (!changed) throw outOfTurn()
    bus.publish(`transfer ${row.id}`)
    if (step === 'sealed') await audit.note(user.id, 'transfer-sealed', row.name, context.place)
    return { transfer: await told(changed, context.browser()) }
  })

  defineRoute(app, deleteTransfer, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const [gone] = await connection.use((database) =>
      database
        .delete(vaultTransfers)
        .where(and(isMine(user.id), eq(vaultTransfers.id, param('id'))))
        .returning(),
    )
    if (!gone) return {}
    // Wake long polls immediately, as no further step will follow.
    bus.publish(`transfer ${gone.id}`)
    if (gone.browser !== context.browser()) {
      // A rejected device has to start its waiting period again.
      await waits.drop(waitOf(gone))
      await audit.note(user.id, 'transfer-refused', gone.name, context.place)
    }
    return {}
  })
}

/** Deletes expired transfers. */
export async function sweepTransfers({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, vaultTransfers, lt(vaultTransfers.expiresAt, now()))
}

function shown(row: Row, browser: string): VaultTransfer {
  const { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt } = row
  return { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt, isMine: row.browser === browser }
}
