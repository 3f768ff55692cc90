/** The parts of a window by which it is found out what the browser keeps for us. */
export interface CookieWindow {
  readonly document: Pick<Document, 'cookie'>
  readonly location: Pick<Location, 'protocol'>
  readonly crypto: Pick<Crypto, 'getRandomValues'>
}

/**
 * Whether the browser takes a cookie of this document that is for this site alone. In a frame it does so only where every page around it is
 * of the same site, whatever it lets other sites keep; in a window it does unless cookies are switched off. The value is a new one each time,
 * so that no page of a parent domain can have set it before.
 */
export function hasCookieAccess({ document, location, crypto }: CookieWindow): boolean {
  const value = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join('.')
  const pair = `latchkey.try=${value}`
  const more = `; Path=/; SameSite=Strict${location.protocol === 'https:' ? '; Secure' : ''}`
  try {
    document.cookie = `${pair}; Max-Age=5${more}`
    const isKept = document.cookie.split('; ').includes(pair)
    document.cookie = `${pair}; Max-Age=0${more}`
    return isKept
  } catch {
    // A sandboxed frame without an origin.
    return false
  }
}
