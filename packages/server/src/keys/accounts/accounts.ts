import { randomUUID } from 'node:crypto'
import type { KeysUser } from '@latchkey/protocol/http/keys'
import { and, eq, lt, ne } from 'drizzle-orm'
import type { Clock } from '../../serverDependencies.ts'
import type { Connection, Database } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { vaultSessions } from '../tables/vaultSchema.ts'
import { type BetterAuthSessions, createBetterAuthSessions, type UserRow } from './betterAuthSessions.ts'
import type { CookieNames } from './cookieNames.ts'
import type { Browsers } from './knownBrowsers.ts'
import { resignSessionCookie } from './resignSessionCookie.ts'

/** An unexpired session. */
export interface SignedIn {
  readonly user: KeysUser
  readonly sessionId: string
  readonly since: number
  readonly until: number
  /** A digest of the cookie of the browser that signed in. */
  readonly browser: string
}

/** An identity that a provider has verified. */
export interface Identity {
  readonly provider: string
  readonly subject: string
  readonly name: string | null
  /** The email address if the provider has verified it. Otherwise `null`. */
  readonly email: string | null
}

/** Users and their sessions, managed by better-auth. */
export interface Accounts {
  /** Resolves to the session that the cookies identify, or to `undefined` if there is none. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>
  /**
   * Signs the user in and resolves to the `Set-Cookie` headers. Unless `remember` is `false`, adds the browser to the account's
   * known browsers.
   */
  signIn(params: { userId: string; browser: string; remember?: boolean }): Promise<readonly string[]>
  /** Ends the session that the cookies identify. Resolves to the headers that clear the cookies. */
  signOut(headers: Headers): Promise<readonly string[]>
  /**
   * Ends the user's sessions in one browser, or all of the user's sessions except one. Afterwards, no browser other than `by`,
   * the browser that made the request, is known to the account.
   */
  endSessions(userId: string, which: ({ browser: string } | { except: string }) & { by: string }): Promise<void>
  userByEmail(email: string): Promise<KeysUser | undefined>
  /** Resolves to the user with this verified email address. Creates the user if there is none. */
  withEmail(email: string): Promise<{ user: KeysUser; isNew: boolean }>
  /**
   * Resolves to the user with this provider identity, or else with its verified email address. Creates the user if neither
   * exists.
   */
  withIdentity(identity: Identity): Promise<{ user: KeysUser; isNew: boolean }>
  /** Creates a user without an email address. Only a credential that is added later can identify the user. */
  nameless(): Promise<KeysUser>
  /** Deletes a user to whom no credential was added. */
  forget(userId: string): Promise<void>
  userById(id: string): Promise<KeysUser | undefined>
  changeEmail(userId: string, email: string): Promise<KeysUser>
  /** Deletes expired sessions. */
  sweep(): Promise<void>
}

/** Creates accounts that are stored in a database. `names` contains the cookie names. */
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
  /** The secrets, newest first. */
  secrets: readonly string[]
  names: CookieNames
  sessionMs: number
  browsers: Pick<Browsers, 'remember' | 'forget' | 'forgetOthers'>
  now: Clock
}): Accounts {
  const [secret = ''] = secrets
  // A file database is opened and closed on demand, and a better-auth instance is bound to one open database.
  const known = new WeakMap<Database, Accounts>()

  const accountsOf = (database: Database): Accounts => {
    const found = known.get(database)
    if (found) return found
    const accounts = createDatabaseAccounts({
      auth: createBetterAuthSessions({ database, origin, secret, names, sessionMs }),
      resign: (headers) => resignSessionCookie(headers, { cookieName: names.session, secrets }),
      connection,
      database,
      sessionMs,
      browsers,
      now,
    })
    known.set(database, accounts)
    return accounts
  }

  function through<Params extends readonly unknown[], Result>(
    methodOf: (accounts: Accounts) => (...params: Params) => Promise<Result>,
  ): (...params: Params) => Promise<Result> {
    return (...params) => connection.use((database) => methodOf(accountsOf(database))(...params))
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

/** Creates accounts that are bound to one open database. */
function createDatabaseAccounts({
  auth,
  resign,
  connection,
  database,
  sessionMs,
  browsers,
  now,
}: {
  auth: BetterAuthSessions
  /** Signs the session cookie again with the newest secret if it was signed with an older one. */
  resign: (headers: Headers) => Headers
  connection: Connection
  database: Database
  sessionMs: number
  browsers: Pick<Browsers, 'remember' | 'forget' | 'forgetOthers'>
  now: Clock
}): Accounts {
  const { users } = auth

  async function created(row: { email: string; emailVerified: boolean; name: string }): Promise<KeysUser> {
    const user = await (await users()).createUser(row, { method: 'other' })
    return userOf(user)
  }

  const accounts: Accounts = {
    signedIn: async (headers) => {
      const found = await auth.getSession(resign(headers))
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
      const cookies = await auth.openSession({ ...params, at: now(), until: now() + sessionMs })
      if (remember) await browsers.remember(params.userId, params.browser)
      return cookies
    },
    signOut: (headers) => auth.signOut(resign(headers)),
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
        // Two browsers can submit codes for the same new address concurrently. The second one gets the user that the first one
        // created.
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
        // Two browsers created an account concurrently. Keep the first account and delete this one.
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

/** Returns a unique placeholder, because better-auth requires an address. `.invalid` is never assigned (RFC 2606). */
function nobody(): string {
  return `${randomUUID()}@nobody.invalid`
}

function userOf({ id, name, email, emailVerified, createdAt }: UserRow): KeysUser {
  return {
    id,
    email: emailVerified ? email : null,
    userName: name === '' ? null : name,
    createdAt: createdAt.getTime(),
  }
}
