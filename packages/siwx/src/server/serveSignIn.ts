import { AuthError, errorResponse } from './authError.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import type { AuthRequest } from './tokenTransport.ts'

/** The handler of one sign-in call. */
export interface Handler {
  (authRequest: AuthRequest): Promise<Response>
  /** Whether every page can call it, because its response is the same for everyone. */
  readonly isPublic?: boolean
}

/**
 * Handles a request for `relyingParty`: finds the handler by the end of the path, converts errors into responses, and adds the CORS
 * headers.
 */
export async function serveSignIn(
  request: Request,
  relyingParty: RelyingParty,
  handlers: Readonly<Record<string, Handler>>,
  address?: string,
): Promise<Response> {
  const cors = corsHeaders(request, relyingParty)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...cors, ...preflight } })
  const last = new URL(request.url).pathname.split('/').at(-1)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  try {
    const handler = handlers[`${method} ${last}`]
    if (!handler) throw new AuthError(404, 'path', 'Not found')
    const page = handler.isPublic ? undefined : requestOrigin(request, relyingParty)
    const response = await handler({ request, relyingParty, page, address })
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value)
    return response
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return errorResponse(error, cors)
  }
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': 'authorization, x-nonce-jwt, x-otp, content-type',
  'access-control-max-age': '600',
} as const

/** The CORS headers that allow only pages of this project to read a response. */
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

/** A JSON response with cookies that must not be cached. */
export function jsonResponse(json: unknown, cookies: readonly string[] = []): Response {
  const response = Response.json(json, { headers: { 'cache-control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** The `account` query parameter of a call. */
export function accountParamOf({ request }: Pick<AuthRequest, 'request'>): string | null {
  return new URL(request.url).searchParams.get('account')
}
