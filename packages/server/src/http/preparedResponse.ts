import type { Context } from 'hono'

/** The headers of every response of the public API. */
export const commonHeaders = {
  'access-control-expose-headers': 'x-request-id, retry-after',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The headers of public endpoints: any page can send requests, and `authorizeProject` checks the Origin header itself. No response
 * depends on a cookie.
 */
export const openHeaders = { 'access-control-allow-origin': '*' } as const

/** All headers of a public response except the request ID. Created once for many responses. */
export interface PreparedHeaders extends Readonly<Record<string, string>> {}

/** Adds the common headers to a route's own headers, which take precedence. */
export function prepareHeaders(own: Readonly<Record<string, string>>): PreparedHeaders {
  return { ...openHeaders, ...commonHeaders, ...own }
}

/**
 * Responds with headers that are already complete. Headers that are added to a response later cost more than the rest of a simple
 * request, because they turn a plain object into a `Headers` object and back.
 */
export function respondPrepared(
  c: Context,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: PreparedHeaders,
  status = 200,
): Response {
  const response = new Response(body, { status, headers: { ...headers, 'x-request-id': c.get('requestId') } })
  c.set('preparedResponse', response)
  return response
}

/** Returns whether the response already has all its headers. */
export function isPrepared(c: Context): boolean {
  return c.get('preparedResponse') === c.res
}

/** Returns whether the client has the current version, so that status 304 without a body is sufficient. */
export function hasCurrentVersion(c: Context, etag: string): boolean {
  const etags = c.req.header('if-none-match')
  if (!etags) return false
  return etags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
