/**
 * Returns the value of a request cookie, or `undefined` if the cookie is missing, malformed or duplicated. A duplicate must have
 * been set by a different host on the same site.
 */
export function readCookie(headers: Headers, name: string, shape: RegExp = /^[\w-]{43}$/): string | undefined {
  const found = (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return found.length === 1 && shape.test(found[0] ?? '') ? found[0] : undefined
}

/** Returns the `Set-Cookie` header value for an `HttpOnly` cookie that is limited to this host. */
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
