import { getSharesLog, postShares, postSharesRelease, shareEvents } from '@latchkey/protocol/http/keys/assistedCustody'
import { desc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { EscrowKeyService } from '../assistedShareKeyService.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'
import { vaultShareLog, vaultShares } from '../tables/assistedCustodySchema.ts'

const hour = 60 * 60_000
const shown = 200

/** Adds the routes for assisted custody, which store and release the operator's two shares of a vault and log every access. */
export function assistedCustodyRoutes(app: KeysApp, services: KeysServices, escrowKeyService: EscrowKeyService): void {
  const { connection, limits, log, now } = services

  async function note(
    context: RequestContext,
    userId: string,
    event: (typeof shareEvents)[number],
    wrapper: string,
  ): Promise<void> {
    await connection.use((database) =>
      database.insert(vaultShareLog).values({ userId, at: now(), event, wrapper, browser: context.browser() }),
    )
    // Logged as a warning, so that it stands out from ordinary requests.
    log('warn', 'assisted custody', { event, user: userId })
  }

  defineKeysRoute(app, postShares, async ({ body, context }) => {
    const { user } = await context.requireAccount(body.userId, { recent: true })
    const { wallet, wrapper, server } = body
    await limits.spend({ action: 'shares', key: user.id, max: 10, windowMs: hour })
    const escrow = await escrowKeyService.seal(body.escrow, { user: user.id, wallet })
    const row = { wallet, wrapper, server, escrow, createdAt: now() }
    await connection.use((database) =>
      database
        .insert(vaultShares)
        .values({ userId: user.id, ...row })
        .onConflictDoUpdate({ target: vaultShares.userId, set: row }),
    )
    await note(context, user.id, 'kept', wrapper)
    return {}
  })

  defineKeysRoute(app, postSharesRelease, async ({ body, context }) => {
    const { user } = await context.requireAccount(body.userId, { recent: true })
    await limits.spend({ action: 'shares-release', key: user.id, max: 10, windowMs: hour })
    const [row] = await connection.use((database) =>
      database.select().from(vaultShares).where(eq(vaultShares.userId, user.id)),
    )
    if (!row || row.wrapper !== body.wrapper) {
      await note(context, user.id, 'refused', body.wrapper)
      throw new KeysError('device/unknown', 'The operator has no share of this key')
    }
    // Logged first, so that no share is released without an entry.
    await note(context, user.id, body.recover ? 'recovered' : 'released', row.wrapper)
    const escrow = body.recover ? await escrowKeyService.open(row.escrow, { user: user.id, wallet: row.wallet }) : null
    return { server: row.server, escrow }
  })

  defineKeysRoute(app, getSharesLog, async ({ context }) => {
    const { user } = await context.requireSignedIn()
    const rows = await connection.use((database) =>
      database
        .select({ at: vaultShareLog.at, event: vaultShareLog.event, wrapper: vaultShareLog.wrapper })
        .from(vaultShareLog)
        .where(eq(vaultShareLog.userId, user.id))
        .orderBy(desc(vaultShareLog.id))
        .limit(shown),
    )
    return { entries: rows.map((row) => ({ ...row, event: v.parse(v.picklist(shareEvents), row.event) })) }
  })
}
