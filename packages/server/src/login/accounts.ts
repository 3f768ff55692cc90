import { createHmac, randomUUID } from 'node:crypto'
import { readCookie } from '@latchkey/protocol/http/cookies'
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
import type { Clock } from '../serverDependencies.ts'
import type { CookieNames } from '../vault/cookies.ts'
import { sameText } from '../vault/secretDigests.ts'
import type { Browsers } from './knownBrowsers.ts'

/** An unexpired session. */
export interface SignedIn {
  readonly user: VaultUser
  readonly sessionId: string
  readonly since: number
  readonly until: number
  /** The browser that signed in, as a digest of its cookie. */
  readonly browser: string
}

/** An identity that a provider has verified. */
export interface Identity {
  readonly provider: string
  readonly subject: string
  readonly name: string | null
  /** The email address if the provider has verified it, otherwise `null`. */
  readonly email: string | null
}

/** Users and their sessions, managed by better-auth. */
export interface Accounts {
  /** The session of these cookies, or `undefined`. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>
  /** Signs in and resolves to the `Set-Cookie` headers. The account remembers the browser, unless `remember` is false. */
  signIn(params: { userId: string; browser: string; remember?: boolean }): Promise<readonly string[]>
  /** Ends the session of these cookies and resolves to the headers that clear them. */
  signOut(headers: Headers): Promise<readonly string[]>
  /** Ends the sessions of one browser, or all sessions but one. Of the known browsers, only `by`, which made the request, stays known. */
  endSessions(userId: string, which: ({ browser: string } | { except: string }) & { by: string }): Promise<void>
  userByEmail(email: string): Promise<VaultUser | undefined>
  /** The user with this verified address, created if none exists. */
  withEmail(email: string): Promise<{ user: VaultUser; isNew: boolean }>
  /** The user of a provider identity: found by the identity, else by its verified address, else created. */
  withIdentity(identity: Identity): Promise<{ user: VaultUser; isNew: boolean }>
  /** Creates a user without an address. Only a credential that is added later identifies it. */
  nameless(): Promise<VaultUser>
  /** Deletes a user that no credential was added to. */
  forget(userId: string): Promise<void>
  userById(id: string): Promise<VaultUser | undefined>
  changeEmail(userId: string, email: string): Promise<VaultUser>
  /** Deletes expired sessions. */
  sweep(): Promise<void>
}

interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAt: Date
}

/** Accounts in a database. `names` are the names of the cookies. */
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
  /** Newest first. */
  secrets: readonly string[]
  names: CookieNames
  sessionMs: number
  browsers: Pick<Browsers, 'remember' | 'forget' | 'forgetOthers'>
  now: Clock
}): Accounts {
  const [secret = '', ...olderSecrets] = secrets

  /** Signs the session cookie again if an older secret signed it, as better-auth only knows the newest secret. */
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

  // A file database is opened and closed as needed, and a better-auth instance is bound to one open database.
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
          // Two browsers can submit codes for the same new address at the same time. The second finds the user that the first created.
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
          // Two browsers raced: keep the account created first and delete ours.
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

/** An endpoint without a path can only be called by this server. */
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

// Signs cookies the way better-auth does.
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

/** A unique placeholder, as better-auth requires an address. `.invalid` is never assigned (RFC 2606). */
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
