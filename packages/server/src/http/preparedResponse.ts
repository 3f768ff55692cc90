import type { Context } from 'hono'
import type { PublicRequest } from '../projects/readProjectRequest.ts'

/** The headers of every response of the public API. */
export const commonHeaders = {
  'access-control-expose-headers': 'x-request-id, retry-after',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The CORS headers of public endpoints. Any page can send requests, because `authorizeProject` checks the Origin header itself
 * and no response depends on a cookie.
 */
export const openHeaders = { 'access-control-allow-origin': '*' } as const

/** All headers of a public response except the request ID. Created once for many responses. */
export interface PreparedHeaders extends Readonly<Record<string, string>> {}

/** Adds the common headers to a route's own headers, which take precedence. */
export function prepareHeaders(own: Readonly<Record<string, string>>): PreparedHeaders {
  return { ...openHeaders, ...commonHeaders, ...own }
}

/** A response with all its headers except the request ID. */
export interface PreparedAnswer {
  readonly status: number
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly headers: PreparedHeaders
}

/** A response that clients can cache. */
export interface CacheableAnswer extends Omit<PreparedAnswer, 'status'> {
  readonly etag: string
  /** The headers of a response without a body. Default: `headers`. */
  readonly unchangedHeaders?: PreparedHeaders
}

/** Returns a response that clients can cache, or status 304 if the client has the current version. */
export function cacheableAnswer(
  request: Pick<PublicRequest, 'header'>,
  { body, etag, headers, unchangedHeaders = headers }: CacheableAnswer,
): PreparedAnswer {
  if (hasCurrentVersion(request, etag)) return { status: 304, body: null, headers: unchangedHeaders }
  return { status: 200, body, headers }
}

/**
 * Responds with a complete set of headers. Adding headers to a response later takes longer than the rest of a simple request,
 * because it converts the plain object to a `Headers` object and back.
 */
export function respondPrepared(c: Context, answer: PreparedAnswer): Response {
  const response = preparedResponse(answer, c.get('requestId'))
  c.set('preparedResponse', response)
  return response
}

/** Creates the response to the request with the given ID. */
export function preparedResponse({ status, body, headers }: PreparedAnswer, requestId: string): Response {
  return new Response(body, { status, headers: { ...headers, 'x-request-id': requestId } })
}

/** Returns whether the response already has all its headers. */
export function isPrepared(c: Context): boolean {
  return c.get('preparedResponse') === c.res
}

/** Returns whether the client has the current version, so that status 304 without a body is sufficient. */
function hasCurrentVersion(request: Pick<PublicRequest, 'header'>, etag: string): boolean {
  const etags = request.header('if-none-match')
  if (!etags) return false
  return etags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
