import {
  type PageConnection,
  postConnection,
  postConnectionMe,
  postConnectionSignOut,
} from '@latchkey/protocol/http/keys/crossSite'
import { and, desc, eq, gt, notInArray } from 'drizzle-orm'
import { hashOf, randomToken } from '../../storage/secretDigests.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import { vaultConnections, vaultSessions } from '../tables/vaultSchema.ts'

/** The maximum number of pages per sign-in. A new page replaces the oldest. */
const maxConnections = 50

/**
 * Adds the routes for connection tokens. A frame on a cross-site page uses such a token in browsers that block its cookie. With
 * the token, the frame can check whether the session is active, and can end it. The token expires with the session.
 */
export function crossSiteTokenRoutes(
  app: KeysApp,
  services: KeysServices,
  { embedders }: { embedders: Embedders },
): void {
  const { accounts, audit, connection, limits, now } = services

  const sessionOf = async ({ token, page }: PageConnection) => {
    const [row] = await connection.use((database) =>
      database
        .select({
          id: vaultSessions.id,
          userId: vaultSessions.userId,
          createdAt: vaultSessions.createdAt,
          expiresAt: vaultSessions.expiresAt,
        })
        .from(vaultConnections)
        .innerJoin(vaultSessions, eq(vaultSessions.id, vaultConnections.sessionId))
        .where(
          and(
            eq(vaultConnections.token, hashOf('connection', token)),
            eq(vaultConnections.page, page),
            gt(vaultSessions.expiresAt, new Date(now())),
          ),
        ),
    )
    return row
  }

  defineKeysRoute(app, postConnection, async ({ body: { page }, context }) => {
    const { user, sessionId, browser } = await context.requireSignedIn()
    if (!(await embedders.may(page)))
      throw new KeysError('origin/refused', 'This page is not allowed to use the wallet')
    await limits.spend({ action: 'connection', key: `${user.id} ${browser}`, max: 60, windowMs: 10 * 60_000 })
    const token = randomToken()
    await connection.use(async (database) => {
      await database
        .insert(vaultConnections)
        .values({ token: hashOf('connection', token), sessionId, page, createdAt: now() })
      const newest = database
        .select({ token: vaultConnections.token })
        .from(vaultConnections)
        .where(eq(vaultConnections.sessionId, sessionId))
        .orderBy(desc(vaultConnections.createdAt))
        .limit(maxConnections)
      await database
        .delete(vaultConnections)
        .where(and(eq(vaultConnections.sessionId, sessionId), notInArray(vaultConnections.token, newest)))
    })
    return { token }
  })

  defineKeysRoute(app, postConnectionMe, async ({ body }) => {
    const session = await sessionOf(body)
    const user = session && (await accounts.userById(session.userId))
    if (!user) throw new KeysError('session/none', 'Not signed in')
    return { user, since: session.createdAt.getTime(), expiresAt: session.expiresAt.getTime(), now: now() }
  })

  defineKeysRoute(app, postConnectionSignOut, async ({ body, context }) => {
    const session = await sessionOf(body)
    if (!session) return {}
    await connection.use((database) => database.delete(vaultSessions).where(eq(vaultSessions.id, session.id)))
    await audit.note(session.userId, 'signed-out', undefined, context.place)
    return {}
  })
}
