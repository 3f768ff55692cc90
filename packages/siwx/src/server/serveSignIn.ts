import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import { AuthError, errorResponse } from './authError.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import type { AuthRequest } from './tokenTransport.ts'

/** The handler of a sign-in endpoint. */
export interface Handler {
  /** Resolves to the response. Rejects with an `AuthError` if the request is not accepted. */
  (authRequest: AuthRequest): Promise<Response>
}

/** A sign-in endpoint with its handler. */
export interface SignInRoute {
  /** The method and the path. Only the last segment of the path is compared. */
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>
  /** Handles a request to the endpoint. */
  readonly handle: Handler
  /** Whether any page can call the endpoint. Only for endpoints whose response is the same for everyone. */
  readonly isPublic?: boolean
}

/**
 * Handles a request for `relyingParty`. Finds the route by the end of the path, converts errors to responses, and adds the CORS
 * headers.
 *
 * @example
 * const response = await serveSignIn(request, relyingParty, Object.values(handlers.routes))
 */
export async function serveSignIn(
  request: Request,
  relyingParty: RelyingParty,
  routes: readonly SignInRoute[],
  address?: string,
): Promise<Response> {
  const cors = corsHeaders(request, relyingParty)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...cors, ...preflight } })
  const last = lastOf(new URL(request.url).pathname)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  try {
    const route = routes.find(({ endpoint }) => endpoint.method === method && lastOf(endpoint.path) === last)
    if (!route) throw new AuthError(404, 'path', 'Not found')
    const page = route.isPublic ? undefined : requestOrigin(request, relyingParty)
    const response = await route.handle({ request, relyingParty, page, address })
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value)
    return response
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return errorResponse(error, cors)
  }
}

function lastOf(path: string): string | undefined {
  return path.split('/').at(-1)
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': 'authorization, x-nonce-jwt, x-otp, content-type',
  'access-control-max-age': '600',
} as const

/** Returns the CORS headers that let only this project's pages read a response. */
export function corsHeaders(request: Request, relyingParty: RelyingParty): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || !isSafeOrigin(origin) || !relyingParty.allowsOrigin(origin)) return { vary: 'origin' }
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  }
}

/** Creates a JSON response that sets `cookies` and must not be cached. */
export function jsonResponse(json: unknown, cookies: readonly string[] = []): Response {
  const response = Response.json(json, { headers: { 'cache-control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Returns the `account` query parameter of a request. */
export function accountParamOf({ request }: Pick<AuthRequest, 'request'>): string | null {
  return new URL(request.url).searchParams.get('account')
}
