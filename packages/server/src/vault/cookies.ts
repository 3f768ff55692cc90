/** The cookie names of the keys origin. */
export interface CookieNames {
  /** The sign-in session. */
  readonly session: string
  /** The frame session, which binds a code, redirect or challenge to the frame that requested it. */
  readonly flow: string
  /** The browser that a device's server half is bound to. */
  readonly browser: string
  /** Whether the cookies are `Secure`. False for http on `localhost`, which has no certificate. */
  readonly secure: boolean
}

/**
 * The names of the cookies at `origin`. Over http they contain the port, because all ports of a host share cookies and a developer can run
 * several servers. `__Host-` requires `Secure`, and therefore https.
 */
export function cookieNames(origin: string): CookieNames {
  const { protocol, port } = new URL(origin)
  const secure = protocol === 'https:'
  const named = (what: string) => (secure ? `__Host-latchkey.${what}` : `latchkey.${what}.${port || '80'}`)
  return { session: named('session'), flow: named('flow'), browser: named('browser'), secure }
}
