import { ApiError } from '@latchkey/protocol/http/apiError'

/** The HTTP status codes of an `AuthError`. */
export type AuthErrorStatus = 400 | 401 | 404 | 413 | 429 | 503

/**
 * An error that a sign-in handler throws and `serveSignIn` converts to a JSON error response. Its `field` is the name of a header
 * or body field, or the reason for rejecting the message.
 */
export class AuthError extends ApiError<AuthErrorStatus> {
  /** Always `AuthError`. */
  override readonly name = 'AuthError'
}

/** Creates the response to a request that failed with `error`. */
export function errorResponse(error: AuthError, headers: Readonly<Record<string, string>>): Response {
  const retry: Record<string, string> = error.seconds === undefined ? {} : { 'retry-after': String(error.seconds) }
  return Response.json(error, {
    status: error.status,
    headers: { ...headers, ...retry, 'cache-control': 'no-store' },
  })
}
