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
import type { Connection } from '../data/connection.ts'
import { vaultTransfers } from '../data/vaultSchema.ts'
import type { Clock } from '../ports.ts'
import { serve, type VaultApp } from './calls.ts'
import { Refusal } from './refusal.ts'
import { randomToken } from './secrets.ts'
import type { Vault } from './vault.ts'

const lifeMs = 10 * 60_000
const waitMs = 25_000

type Row = typeof vaultTransfers.$inferSelect

/** A mailbox between two devices of one account. What is in it is sealed or public; the order of its steps is kept here. */
export function transferRoutes(app: VaultApp, vault: Vault): void {
  const { audit, bus, connection, limits, now } = vault
  const alive = () => gt(vaultTransfers.expiresAt, now())
  const isMine = (userId: string) => eq(vaultTransfers.userId, userId)

  async function find(userId: string, id: string): Promise<Row> {
    const [row] = await connection.use((database) =>
      database
        .select()
        .from(vaultTransfers)
        .where(and(isMine(userId), eq(vaultTransfers.id, id), alive())),
    )
    if (!row) throw new Refusal('transfer/unknown', 'Nothing of the kind is on its way')
    return row
  }

  serve(app, postTransfer, async ({ body, visit }) => {
    const { user } = await visit.mustBeFresh()
    await limits.spend({ what: 'transfer', whom: user.id, most: 10, windowMs: lifeMs })
    const browser = visit.browser()
    const row: Row = {
      id: randomToken(),
      userId: user.id,
      browser,
      // Not what the caller calls itself: whoever reads the mailbox would write to the owner with it.
      name: visit.place,
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
    await audit.note(user.id, 'transfer-asked', visit.place, visit.place)
    return { transfer: shown(row, browser) }
  })

  serve(app, getTransfers, async ({ visit }) => {
    const { user } = await visit.mustBeSignedIn()
    const rows = await connection.use((database) =>
      database
        .select()
        .from(vaultTransfers)
        .where(and(isMine(user.id), alive()))
        .orderBy(desc(vaultTransfers.createdAt)),
    )
    return { transfers: rows.map((row) => shown(row, visit.browser())) }
  })

  serve(app, getTransfer, async ({ visit, param }) => {
    const { user } = await visit.mustBeSignedIn()
    const seen = Math.min(Number(param('steps')) || 0, transferSteps.length)
    const until = now() + waitMs
    for (;;) {
      // Listens before it looks: a step that is taken in between is heard all the same.
      const looked = new AbortController()
      const woken = vault.wake(`transfer ${param('id')}`, AbortSignal.any([visit.signal, looked.signal]))
      try {
        const row = await find(user.id, param('id'))
        const taken = transferSteps.filter((step) => row[step] !== null).length
        if (taken > seen || taken === transferSteps.length || now() >= until || visit.signal.aborted)
          return { transfer: shown(row, visit.browser()) }
        await woken
      } finally {
        looked.abort()
      }
    }
  })

  serve(app, postTransferStep, async ({ body, visit, param }) => {
    const { user } = await visit.mustBeSignedIn()
    const step = transferSteps.find((name) => name === param('step'))
    if (!step) throw new Refusal('path/unknown', 'There is no such step')
    const row = await find(user.id, param('id'))
    const isNewDevice = row.browser === visit.browser()
    const outOfTurn = () => new Refusal('transfer/out-of-turn', 'It is not the turn of this step')
    if (isNewDevice !== (step === 'reveal')) throw outOfTurn()
    const before = transferSteps[transferSteps.indexOf(step) - 1]
    if (before && row[before] === null) throw outOfTurn()
    const values: { [Step in TransferStep]?: string } = { [step]: body.value }
    // Written once: of two old devices that answer, the first one does.
    const [changed] = await connection.use((database) =>
      database
        .update(vaultTransfers)
        .set(values)
        .where(and(isMine(user.id), eq(vaultTransfers.id, row.id), alive(), isNull(vaultTransfers[step])))
        .returning(),
    )
    if (!changed) throw outOfTurn()
    bus.publish(`transfer ${row.id}`)
    if (step === 'sealed') await audit.note(user.id, 'transfer-sealed', row.name, visit.place)
    return { transfer: shown(changed, visit.browser()) }
  })

  serve(app, deleteTransfer, async ({ visit, param }) => {
    const { user } = await visit.mustBeSignedIn()
    const [gone] = await connection.use((database) =>
      database
        .delete(vaultTransfers)
        .where(and(isMine(user.id), eq(vaultTransfers.id, param('id'))))
        .returning(),
    )
    if (!gone) return {}
    // Whoever waits for its next step learns at once that there is none.
    bus.publish(`transfer ${gone.id}`)
    if (gone.browser !== visit.browser()) await audit.note(user.id, 'transfer-refused', gone.name, visit.place)
    return {}
  })
}

/** Forgets transfers that are over. */
export async function sweepTransfers({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await connection.use((database) => database.delete(vaultTransfers).where(lt(vaultTransfers.expiresAt, now())))
}

function shown(row: Row, browser: string): VaultTransfer {
  const { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt } = row
  return { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt, isMine: row.browser === browser }
}
