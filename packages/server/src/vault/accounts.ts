import { createHmac, randomUUID } from 'node:crypto'
import type { VaultUser } from '@latchkey/protocol/http/vault'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { and, eq, lt, ne } from 'drizzle-orm'
import * as v from 'valibot'
import type { Connection, Database } from '../data/databaseConnection.ts'
import { removeInBatches } from '../data/removeInBatches.ts'
import { vaultAccounts, vaultSessions, vaultUsers, vaultVerifications } from '../data/vaultSchema.ts'
import type { Clock } from '../serverPorts.ts'
import { type CookieNames, readCookie } from './cookies.ts'
import type { Browsers } from './knownBrowsers.ts'
import { sameText } from './secretDigests.ts'

/** A sign-in that lives. */
export interface SignedIn {
  readonly user: VaultUser
  readonly sessionId: string
  readonly since: number
  readonly until: number
  /** Which browser signed in, as a digest of its cookie. */
  readonly browser: string
}

/** Who a provider says somebody is. */
export interface Identity {
  readonly provider: string
  readonly subject: string
  readonly name: string | null
  /** Only an address that the provider vouches for. */
  readonly email: string | null
}

/** Users and their sign-ins, kept by better-auth. */
export interface Accounts {
  /** Whoever the cookies say is signed in. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>
  /** Signs in and answers with the headers that set the cookie. The browser is known to the account from then on, unless `remember` is false. */
  signIn(params: { userId: string; browser: string; remember?: boolean }): Promise<readonly string[]>
  /** Ends the sign-in of these cookies and answers with the headers that clear it. */
  signOut(headers: Headers): Promise<readonly string[]>
  /** Ends the sign-ins of a user: those of one browser, or all but one. Of the browsers that have signed in before, only `by`, which asks, stays known. */
  endSessions(userId: string, which: ({ browser: string } | { except: string }) & { by: string }): Promise<void>
  userByEmail(email: string): Promise<VaultUser | undefined>
  /** The user of a verified address, made where there is none. */
  withEmail(email: string): Promise<{ user: VaultUser; isNew: boolean }>
  /** The user that a provider vouches for: known by it, else by the verified address, else made. */
  withIdentity(identity: Identity): Promise<{ user: VaultUser; isNew: boolean }>
  /** A user without an address, whom nothing but what is added to it identifies. */
  nameless(): Promise<VaultUser>
  /** Forgets a user that nothing was added to. */
  forget(userId: string): Promise<void>
  userById(id: string): Promise<VaultUser | undefined>
  changeEmail(userId: string, email: string): Promise<VaultUser>
  /** Forgets sign-ins that are over. */
  sweep(): Promise<void>
}

interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAt: Date
}

/** Accounts in a database; cookies are set and read under `names`. */
export function createAccounts({
  connection,
  origin,
  secrets,
  names,
  sessionMs,
  browsers,
  now,
}: {
  connection: Connection
  origin: string
  /** The newest first. */
  secrets: readonly string[]
  names: CookieNames
  sessionMs: number
  browsers: Pick<Browsers, 'remember' | 'forget' | 'forgetOthers'>
  now: Clock
}): Accounts {
  const [secret = '', ...olderSecrets] = secrets

  /** The headers with a sign-in that an older secret signed signed by the newest, which better-auth alone knows. */
  function resigned(headers: Headers): Headers {
    const value = readCookie(headers, names.session, /^[\w.%~*!'()-]{1,1000}$/)
    const [, token = '', signature = ''] = /^([\w-]+)\.(.+)$/.exec(decoded(value ?? '')) ?? []
    const isOlder = olderSecrets.some((older) => sameText(signatureOf(token, older), signature))
    if (token === '' || !isOlder) return headers
    const changed = new Headers(headers)
    const cookie = encodeURIComponent(`${token}.${signatureOf(token, secret)}`)
    changed.set('cookie', `${names.session}=${cookie}`)
    return changed
  }

  // A database in a folder comes and goes; better-auth is bound to one that is open.
  const known = new WeakMap<Database, Accounts>()

  function make(database: Database): Accounts {
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

    const users = () => auth.$context.then(({ internalAdapter }) => internalAdapter)

    async function created(row: { email: string; emailVerified: boolean; name: string }): Promise<VaultUser> {
      const user = await (await users()).createUser(row, { method: 'other' })
      return userOf(user)
    }

    const accounts: Accounts = {
      signedIn: async (headers) => {
        const found = await auth.api.getSession({
          headers: resigned(headers),
          query: { disableCookieCache: true, disableRefresh: true },
        })
        if (!found || found.session.expiresAt.getTime() <= now()) return undefined
        return {
          user: userOf(found.user),
          sessionId: found.session.id,
          since: found.session.createdAt.getTime(),
          until: found.session.expiresAt.getTime(),
          browser: found.session.browser,
        }
      },
      signIn: async ({ remember = true, ...params }) => {
        const { headers } = await auth.api.openSession({
          body: { ...params, at: now(), until: now() + sessionMs },
          returnHeaders: true,
        })
        if (remember) await browsers.remember(params.userId, params.browser)
        return headers.getSetCookie()
      },
      signOut: async (headers) => {
        const answer = await auth.api.signOut({ headers: resigned(headers), returnHeaders: true })
        return answer.headers.getSetCookie()
      },
      endSessions: async (userId, which) => {
        const those = 'browser' in which ? eq(vaultSessions.browser, which.browser) : ne(vaultSessions.id, which.except)
        await database.delete(vaultSessions).where(and(eq(vaultSessions.userId, userId), those))
        await browsers.forgetOthers(userId, which.by)
        if ('browser' in which) await browsers.forget(userId, which.browser)
      },
      userByEmail: async (email) => {
        const found = await (await users()).findUserByEmail(email)
        return found?.user.emailVerified ? userOf(found.user) : undefined
      },
      withEmail: async (email) => {
        const found = await accounts.userByEmail(email)
        if (found) return { user: found, isNew: false }
        try {
          return { user: await created({ email, emailVerified: true, name: '' }), isNew: true }
        } catch (error) {
          // Two codes for one new address, typed in two browsers at once: the second finds what the first made.
          const other = await accounts.userByEmail(email)
          if (other) return { user: other, isNew: false }
          throw error
        }
      },
      withIdentity: async ({ provider, subject, name, email }) => {
        const key = { providerId: provider, accountId: subject }
        const internal = await users()
        const owner = await internal.findAccountOwnerByKey(key)
        if (owner?.kind === 'owned') return { user: userOf(owner.user), isNew: false }
        const sameAddress = email === null ? undefined : await accounts.userByEmail(email)
        const user =
          sameAddress ??
          (await created({
            email: email ?? nobody(),
            emailVerified: email !== null,
            name: name ?? '',
          }))
        try {
          await internal.linkAccount({ ...key, userId: user.id })
        } catch (error) {
          // Twice at once in two browsers: the first account is the one, ours goes.
          if (!sameAddress) await internal.deleteUser(user.id)
          const first = await internal.findAccountOwnerByKey(key)
          if (first?.kind !== 'owned') throw error
          return { user: userOf(first.user), isNew: false }
        }
        return { user, isNew: sameAddress === undefined }
      },
      nameless: () => created({ email: nobody(), emailVerified: false, name: '' }),
      forget: async (userId) => (await users()).deleteUser(userId),
      userById: async (id) => {
        const found = await (await users()).findUserById(id)
        return found ? userOf(found) : undefined
      },
      changeEmail: async (userId, email) =>
        userOf(await (await users()).updateUser<UserRow>(userId, { email, emailVerified: true })),
      sweep: async () => {
        await removeInBatches(connection, vaultSessions, lt(vaultSessions.expiresAt, new Date(now())))
      },
    }
    return accounts
  }

  function through<SignInParams extends readonly unknown[], Answer>(
    ask: (accounts: Accounts) => (...params: SignInParams) => Promise<Answer>,
  ): (...params: SignInParams) => Promise<Answer> {
    return (...params) =>
      connection.use((database) => {
        const found = known.get(database) ?? make(database)
        known.set(database, found)
        return ask(found)(...params)
      })
  }

  return {
    signedIn: through((accounts) => accounts.signedIn),
    signIn: through((accounts) => accounts.signIn),
    signOut: through((accounts) => accounts.signOut),
    endSessions: through((accounts) => accounts.endSessions),
    userByEmail: through((accounts) => accounts.userByEmail),
    withEmail: through((accounts) => accounts.withEmail),
    withIdentity: through((accounts) => accounts.withIdentity),
    nameless: through((accounts) => accounts.nameless),
    forget: through((accounts) => accounts.forget),
    userById: through((accounts) => accounts.userById),
    changeEmail: through((accounts) => accounts.changeEmail),
    sweep: through((accounts) => accounts.sweep),
  }
}

/** An endpoint without a path: only this server can call it. */
const openSession = createAuthEndpoint(
  {
    method: 'POST',
    metadata: { SERVER_ONLY: true },
    body: v.object({ userId: v.string(), browser: v.string(), at: v.number(), until: v.number() }),
  },
  async (ctx) => {
    const { userId, browser, at, until } = ctx.body
    const user = await ctx.context.internalAdapter.findUserById(userId)
    if (!user) throw new Error('The user is gone')
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

// As better-auth signs a cookie.
function signatureOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** better-auth needs an address; this one can never be anybody's (RFC 2606). */
function nobody(): string {
  return `${randomUUID()}@nobody.invalid`
}

function userOf({ id, name, email, emailVerified, createdAt }: UserRow): VaultUser {
  return {
    id,
    email: emailVerified ? email : null,
    userName: name === '' ? null : name,
    createdAt: createdAt.getTime(),
  }
}
