/** The cookies of the keys origin. */
export interface CookieNames {
  /** The sign-in. */
  readonly session: string
  /** The frame session: what asked for a code, a redirect or a challenge. */
  readonly flow: string
  /** The browser: what a device's half is given to. */
  readonly browser: string
  /** Whether they are for https only; not on plain `localhost` names, which have no certificate. */
  readonly secure: boolean
}

/**
 * The names of the cookies at `origin`. Over http they carry the port: cookies are shared by all ports of a host, and a
 * host developer may run several servers. `__Host-` needs `Secure`, which browsers give to https alone.
 */
export function cookieNames(origin: string): CookieNames {
  const { protocol, port } = new URL(origin)
  const secure = protocol === 'https:'
  const named = (what: string) => (secure ? `__Host-latchkey.${what}` : `latchkey.${what}.${port || '80'}`)
  return { session: named('session'), flow: named('flow'), browser: named('browser'), secure }
}

/** A cookie of a request; nothing when it is there twice, as only somebody else's would be. */
export function readCookie(headers: Headers, name: string, shape: RegExp = /^[\w-]{43}$/): string | undefined {
  const found = (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return found.length === 1 && shape.test(found[0] ?? '') ? found[0] : undefined
}

/** The header that sets a cookie for this origin alone, unreadable to scripts. */
export function cookieHeader({
  name,
  value,
  maxAgeSeconds,
  secure,
}: {
  name: string
  value: string
  maxAgeSeconds: number
  secure: boolean
}): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
