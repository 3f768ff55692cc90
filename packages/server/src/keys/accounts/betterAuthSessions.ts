import { randomUUID } from 'node:crypto'
import type { AuthContext } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import * as v from 'valibot'
import type { Database } from '../../storage/databaseConnection.ts'
import { vaultAccounts, vaultSessions, vaultUsers, vaultVerifications } from '../tables/vaultSchema.ts'
import type { CookieNames } from './cookieNames.ts'

/** A user as stored by better-auth. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAt: Date
}

/** A session and its user as stored by better-auth. */
export interface SessionRow {
  readonly user: UserRow
  readonly session: {
    readonly id: string
    readonly browser: string
    readonly createdAt: Date
    readonly expiresAt: Date
  }
}

/** The better-auth sessions and users in one open database. */
export interface BetterAuthSessions {
  getSession(headers: Headers): Promise<SessionRow | null>
  /** Opens a session that lasts from `at` to `until`. Resolves to the `Set-Cookie` headers. */
  openSession(params: { userId: string; browser: string; at: number; until: number }): Promise<readonly string[]>
  /** Ends the session that the cookies identify. Resolves to the headers that clear the cookies. */
  signOut(headers: Headers): Promise<readonly string[]>
  users(): Promise<AuthContext['internalAdapter']>
}

/** Creates a better-auth instance, which is bound to one open database. */
export function createBetterAuthSessions({
  database,
  origin,
  secret,
  names,
  sessionMs,
}: {
  database: Database
  origin: string
  secret: string
  names: CookieNames
  sessionMs: number
}): BetterAuthSessions {
  const auth = betterAuth({
    baseURL: origin,
    secret,
    logger: { disabled: true },
    telemetry: { enabled: false },
    database: drizzleAdapter(database, {
      provider: 'pg',
      schema: {
        user: vaultUsers,
        session: vaultSessions,
        account: vaultAccounts,
        verification: vaultVerifications,
      },
    }),
    session: {
      expiresIn: Math.floor(sessionMs / 1000),
      disableSessionRefresh: true,
      additionalFields: { browser: { type: 'string', required: true, input: false } },
    },
    advanced: {
      useSecureCookies: false,
      cookies: {
        session_token: { name: names.session, attributes: { secure: names.secure, sameSite: 'lax', path: '/' } },
      },
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => randomUUID() },
    },
    plugins: [{ id: 'latchkey', endpoints: { openSession } }],
  })

  return {
    getSession: (headers) =>
      auth.api.getSession({ headers, query: { disableCookieCache: true, disableRefresh: true } }),
    openSession: async (body) => {
      const { headers } = await auth.api.openSession({ body, returnHeaders: true })
      return headers.getSetCookie()
    },
    signOut: async (headers) => {
      const response = await auth.api.signOut({ headers, returnHeaders: true })
      return response.headers.getSetCookie()
    },
    users: async () => (await auth.$context).internalAdapter,
  }
}

/** Opens a session. The endpoint has no path, so only this server can call it. */
const openSession = createAuthEndpoint(
  {
    method: 'POST',
    metadata: { SERVER_ONLY: true },
    body: v.object({ userId: v.string(), browser: v.string(), at: v.number(), until: v.number() }),
  },
  async (ctx) => {
    const { userId, browser, at, until } = ctx.body
    const user = await ctx.context.internalAdapter.findUserById(userId)
    if (!user) throw new Error('The user no longer exists')
    const session = await ctx.context.internalAdapter.createSession(
      userId,
      false,
      {
        browser,
        ipAddress: '',
        userAgent: '',
        createdAt: new Date(at),
        updatedAt: new Date(at),
        expiresAt: new Date(until),
      },
      true,
    )
    await setSessionCookie(ctx, { session, user })
  },
)
