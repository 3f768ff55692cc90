import type { Language } from '@latchkey/i18n/languages'
import { cookieHeader, readCookie } from '@latchkey/protocol/http/cookies'
import { browserName } from '@latchkey/protocol/http/keys'
import { type ClientNetworks, clientBlock, clientGroup, ipAddressGroups } from '../ipAddresses/ipAddressGroups.ts'
import { requestLanguage } from '../mail/requestLanguage.ts'
import { clockStepMs } from '../storage/pendingStepStore.ts'
import { hashOf, randomToken } from '../storage/secretDigests.ts'
import type { Accounts, SignedIn } from './accounts/accounts.ts'
import type { CookieNames } from './accounts/cookieNames.ts'
import { KeysError } from './keysError.ts'

const flowSeconds = 24 * 60 * 60
const browserSeconds = 400 * 24 * 60 * 60

/** The maximum age of a sign-in for actions that give a browser lasting access. */
const freshMs = 10 * 60_000

/** The context of a request to the keys origin. It describes the client and collects the cookies to set. */
export interface RequestContext extends ClientNetworks {
  readonly headers: Headers
  readonly signal: AbortSignal
  /** The browser and operating system according to the user agent, such as "Chrome on Linux". */
  readonly place: string
  /** The language for the user's emails and pages. */
  readonly language: Language
  /** Returns a digest of the frame session's cookie. Creates the cookie if it is missing. */
  flow(): string
  /** Returns a digest of the browser's cookie. Creates the cookie if it is missing. */
  browser(): string
  /** Resolves to the current session, or `undefined` if the user is not signed in. */
  signedIn(): Promise<SignedIn | undefined>
  /** Resolves to the current session. Rejects if the user is not signed in. */
  requireSignedIn(): Promise<SignedIn>
  /** Like `requireSignedIn`, but also rejects if the sign-in is more than ten minutes old. */
  requireRecentSignIn(): Promise<SignedIn>
  /** Like `requireSignedIn`, but also rejects if the session belongs to a different account. */
  requireAccount(userId: string, options?: { recent: boolean }): Promise<SignedIn>
  /** The `Set-Cookie` headers for the response. */
  readonly setCookies: string[]
}

/** Creates the context of a request. */
export function createRequestContext({
  request,
  address,
  names,
  accounts,
  now,
}: {
  request: Request
  address: string | undefined
  names: CookieNames
  accounts: Accounts
  now: () => number
}): RequestContext {
  const setCookies: string[] = []
  const values = new Map<string, string>()

  function cookie(name: string, maxAgeSeconds: number): string {
    const session = values.get(name) ?? readCookie(request.headers, name) ?? randomToken()
    if (!values.has(name)) {
      values.set(name, session)
      if (readCookie(request.headers, name) === undefined)
        setCookies.push(cookieHeader({ name, value: session, maxAgeSeconds, secure: names.secure }))
    }
    return session
  }

  const context: RequestContext = {
    headers: request.headers,
    signal: request.signal,
    network: clientGroup(address),
    networks: ipAddressGroups(address),
    block: clientBlock(address),
    place: browserName(request.headers.get('user-agent') ?? ''),
    language: requestLanguage(request.headers),
    // Hashed without the operator's secret, because the digests must outlive a rotation of the secret. The cookies are 256 random
    // bits, so a digest without a key does not reveal them.
    flow: () => hashOf('flow', cookie(names.flow, flowSeconds)),
    browser: () => hashOf('browser', cookie(names.browser, browserSeconds)),
    signedIn: () => accounts.signedIn(request.headers),
    requireSignedIn: async () => {
      const session = await context.signedIn()
      if (!session) throw new KeysError('session/none', 'Not signed in')
      return session
    },
    requireRecentSignIn: async () => {
      const session = await context.requireSignedIn()
      const age = now() - session.since
      // A session from the future was created before the clock was set back, so its age is unknown.
      if (age > freshMs || age < -clockStepMs) throw new KeysError('session/stale', 'The sign-in is too old for this')
      return session
    },
    requireAccount: async (userId, { recent } = { recent: false }) => {
      const session = recent ? await context.requireRecentSignIn() : await context.requireSignedIn()
      if (session.user.id !== userId) throw new KeysError('session/other-account', 'Another account is signed in')
      return session
    },
    setCookies,
  }
  return context
}
