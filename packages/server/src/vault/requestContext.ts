import { browserName } from '@latchkey/protocol/http/vault'
import { type AddressGroup, addressGroups, clientBlock, clientGroup } from '../clientAddress.ts'
import type { Accounts, SignedIn } from './accounts.ts'
import { clockStepMs } from './challengeStore.ts'
import { type CookieNames, cookieHeader, readCookie } from './cookies.ts'
import { hashOf, randomToken } from './secretDigests.ts'
import { VaultError } from './vaultError.ts'

const flowSeconds = 24 * 60 * 60
const browserSeconds = 400 * 24 * 60 * 60

/** How recent a sign-in must be for what gives a browser lasting power. */
const freshMs = 10 * 60_000

/** One request of a frame: who it is from, and what the answer will set. */
export interface RequestContext {
  readonly headers: Headers
  readonly signal: AbortSignal
  /** The visitor's network, for limits: its IPv4 address or its /64 of IPv6; `null` where it is not known. */
  readonly network: string | null
  /** That and the wider networks around it, with what each may use. */
  readonly networks: readonly AddressGroup[]
  /** The block around it, all of which one stranger may own: a /24 of IPv4 or a /48 of IPv6; `null` where it is not known. */
  readonly block: string | null
  /** The kind of browser and system, as it calls itself: "Chrome on Linux". */
  readonly place: string
  /** The frame session, as a digest; begun where there is none. */
  flow(): string
  /** The browser, as a digest; given a name where it has none. */
  browser(): string
  /** Whoever is signed in, if anybody. */
  signedIn(): Promise<SignedIn | undefined>
  /** Whoever is signed in, or a refusal. */
  requireSignedIn(): Promise<SignedIn>
  /** The same, and signed in within the last ten minutes. */
  requireRecentSignIn(): Promise<SignedIn>
  /** The same as `mustBeSignedIn`, and it is this account. */
  requireAccount(userId: string, options?: { recent: boolean }): Promise<SignedIn>
  /** Headers for the answer. */
  readonly setCookies: string[]
}

/** Reads a request. */
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
    networks: addressGroups(address),
    block: clientBlock(address),
    place: browserName(request.headers.get('user-agent') ?? ''),
    // Without the operator's secret: they outlive a new one, and 256 bits of chance need none.
    flow: () => hashOf('flow', cookie(names.flow, flowSeconds)),
    browser: () => hashOf('browser', cookie(names.browser, browserSeconds)),
    signedIn: () => accounts.signedIn(request.headers),
    requireSignedIn: async () => {
      const session = await context.signedIn()
      if (!session) throw new VaultError('session/none', 'Nobody is signed in')
      return session
    },
    requireRecentSignIn: async () => {
      const session = await context.requireSignedIn()
      const age = now() - session.since
      // One of the future is of before the clock was set back: nobody knows how old it is.
      if (age > freshMs || age < -clockStepMs) throw new VaultError('session/stale', 'Signed in too long ago for this')
      return session
    },
    requireAccount: async (userId, { recent } = { recent: false }) => {
      const session = recent ? await context.requireRecentSignIn() : await context.requireSignedIn()
      if (session.user.id !== userId) throw new VaultError('session/other-account', 'Another account is signed in')
      return session
    },
    setCookies,
  }
  return context
}
