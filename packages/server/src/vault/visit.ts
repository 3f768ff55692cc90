import { browserName } from '@latchkey/protocol/http/vault'
import { type AddressGroup, addressGroups, clientBlock, clientGroup } from '../clientAddress.ts'
import type { Accounts, SignedIn } from './accounts.ts'
import { type CookieNames, cookieHeader, readCookie } from './cookies.ts'
import { clockStepMs } from './pending.ts'
import { Refusal } from './refusal.ts'
import { hashOf, randomToken } from './secrets.ts'

const flowSeconds = 24 * 60 * 60
const browserSeconds = 400 * 24 * 60 * 60

/** How recent a sign-in must be for what gives a browser lasting power. */
const freshMs = 10 * 60_000

/** One request of a frame: who it is from, and what the answer will set. */
export interface Visit {
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
  mustBeSignedIn(): Promise<SignedIn>
  /** The same, and signed in within the last ten minutes. */
  mustBeFresh(): Promise<SignedIn>
  /** The same as `mustBeSignedIn`, and it is this account. */
  mustBe(userId: string, options?: { fresh: boolean }): Promise<SignedIn>
  /** Headers for the answer. */
  readonly setCookies: string[]
}

/** Reads a request. */
export function createVisit({
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
}): Visit {
  const setCookies: string[] = []
  const values = new Map<string, string>()

  function cookie(name: string, maxAgeSeconds: number): string {
    const found = values.get(name) ?? readCookie(request.headers, name) ?? randomToken()
    if (!values.has(name)) {
      values.set(name, found)
      if (readCookie(request.headers, name) === undefined)
        setCookies.push(cookieHeader({ name, value: found, maxAgeSeconds, secure: names.secure }))
    }
    return found
  }

  const visit: Visit = {
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
    mustBeSignedIn: async () => {
      const found = await visit.signedIn()
      if (!found) throw new Refusal('session/none', 'Nobody is signed in')
      return found
    },
    mustBeFresh: async () => {
      const found = await visit.mustBeSignedIn()
      const age = now() - found.since
      // One of the future is of before the clock was set back: nobody knows how old it is.
      if (age > freshMs || age < -clockStepMs) throw new Refusal('session/stale', 'Signed in too long ago for this')
      return found
    },
    mustBe: async (userId, { fresh } = { fresh: false }) => {
      const found = fresh ? await visit.mustBeFresh() : await visit.mustBeSignedIn()
      if (found.user.id !== userId) throw new Refusal('session/other-account', 'Another account is signed in')
      return found
    },
    setCookies,
  }
  return visit
}
