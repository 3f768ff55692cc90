/** The parts of `Window` used to detect cookie access. */
export interface CookieWindow {
  readonly document: Pick<Document, 'cookie'>
  readonly location: Pick<Location, 'protocol'>
  readonly crypto: Pick<Crypto, 'getRandomValues'>
}

/**
 * Whether the browser stores a `SameSite=Strict` cookie from this document. In a frame, the browser stores the cookie only if all
 * embedding pages are same-site, even if third-party cookies are allowed. In a top-level window, the browser stores it unless
 * cookies are disabled. The value is random, so that a page on a parent domain cannot set the cookie in advance.
 */
export function hasCookieAccess({ document, location, crypto }: CookieWindow): boolean {
  const value = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join('.')
  const pair = `latchkey.try=${value}`
  const more = `; Path=/; SameSite=Strict${location.protocol === 'https:' ? '; Secure' : ''}`
  try {
    document.cookie = `${pair}; Max-Age=5${more}`
    const isStored = document.cookie.split('; ').includes(pair)
    document.cookie = `${pair}; Max-Age=0${more}`
    return isStored
  } catch {
    // The document is in a sandboxed frame with an opaque origin.
    return false
  }
}
