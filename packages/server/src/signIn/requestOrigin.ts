import { HttpError } from '../httpError.ts'

/** Where somebody signs in: a project, and the pages that may ask for it. */
export interface RelyingParty {
  readonly projectId: string
  allowsOrigin(origin: string): boolean
  /** Whether several projects and pages share the server; then each has cookies of its own, and always says who it is. */
  readonly isShared: boolean
  /** Whether all of its pages are https. */
  readonly isHttps: boolean
}

/**
 * The origin of the page that asks; `undefined` for a page of the server's own origin that only reads. Refuses everybody else: what a
 * browser sends along by itself (cookies) must be of no use to another site.
 */
export function requestOrigin(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  relyingParty: RelyingParty,
): string | undefined {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin !== null) {
    if (!isSafeOrigin(origin)) throw originError('Signing in needs https, or a page of this machine')
    if (!relyingParty.allowsOrigin(origin)) throw originError('Unauthorized: origin not allowed')
    return origin
  }
  // Browsers leave Origin away where a page reads from its own server, and say so in a header that no page can set.
  const reads = method === 'GET' || method === 'HEAD'
  if (relyingParty.isShared || !reads) throw originError('Unauthorized: there is no Origin')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw originError('Unauthorized: origin not allowed')
  return undefined
}

function originError(sentence: string): HttpError {
  return new HttpError(401, 'origin', sentence)
}

/** Whether a text is an origin, letter for letter, of a page that nobody on the way can have changed. */
export function isSafeOrigin(text: string): boolean {
  if (text.includes('*') || !URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  if (origin !== text) return false
  return protocol === 'https:' || (protocol === 'http:' && isLocalhost(hostname))
}

/** Whether a host name leads to this very machine. */
export function isLocalhost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
