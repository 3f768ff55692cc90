/** The names of the cookies on the keys origin. */
export interface CookieNames {
  /** The cookie for the sign-in session. */
  readonly session: string
  /** The cookie for the frame session, which binds a code, redirect or challenge to the frame that requested it. */
  readonly flow: string
  /** The cookie that identifies the browser to which a device is bound. */
  readonly browser: string
  /** Whether the cookies are `Secure`. `false` for http on `localhost`, which has no certificate. */
  readonly secure: boolean
}

/**
 * Returns the names of the cookies for `origin`. Over http, the names contain the port, because all ports of a host share
 * cookies and a developer can run several servers. The `__Host-` prefix requires `Secure`, and therefore https.
 */
export function cookieNames(origin: string): CookieNames {
  const { protocol, port } = new URL(origin)
  const secure = protocol === 'https:'
  const named = (what: string) => (secure ? `__Host-latchkey.${what}` : `latchkey.${what}.${port || '80'}`)
  return { session: named('session'), flow: named('flow'), browser: named('browser'), secure }
}
