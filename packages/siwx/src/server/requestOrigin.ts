import { AuthError } from './authError.ts'

/** A project that users sign in to, with its allowed pages. */
export interface RelyingParty {
  /** The project's ID, which is the audience (`aud`) of its tokens. */
  readonly projectId: string
  /** Whether pages on `origin` can sign users in. `origin` is the exact `Origin` header. */
  allowsOrigin(origin: string): boolean
  /**
   * Whether several projects share the server. If so, each page has its own cookies, and every request must have an `Origin`
   * header.
   */
  readonly isShared: boolean
  /** Whether all of its pages use https. */
  readonly isHttps: boolean
}

/**
 * Returns the origin of the requesting page, or `undefined` for a read without an `Origin` header that the browser does not
 * report as cross-site. Throws for any other request, so that a different site cannot use cookies that browsers attach
 * automatically.
 */
export function requestOrigin(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  relyingParty: RelyingParty,
): string | undefined {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin !== null) {
    if (!isSafeOrigin(origin)) throw originError('Signing in requires https, except on this machine')
    if (!relyingParty.allowsOrigin(origin)) {
      throw originError(
        `Unauthorized: origin not allowed. Add ${origin} to \`origins\` of createSignIn, or to the project`,
      )
    }
    return origin
  }
  // For same-origin reads, browsers omit `Origin` but set `Sec-Fetch-Site`, which pages cannot change.
  const reads = method === 'GET' || method === 'HEAD'
  if (relyingParty.isShared || !reads) throw originError('Unauthorized: the Origin header is missing')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw originError('Unauthorized: origin not allowed')
  return undefined
}

function originError(description: string): AuthError {
  return new AuthError(401, 'origin', description)
}

/**
 * Whether `text` is the exact serialized origin of a page that cannot be modified in transit, which requires https or localhost.
 */
export function isSafeOrigin(text: string): boolean {
  if (text.includes('*') || !URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  if (origin !== text) return false
  return protocol === 'https:' || (protocol === 'http:' && isLocalhost(hostname))
}

/** Whether a host name refers to this machine. */
export function isLocalhost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
