import { failed } from '@latchkey/protocol/http/apiRoutes'

/** The HTTP status codes of an `AuthError`. */
export type AuthErrorStatus = 400 | 401 | 404 | 413 | 429 | 503

/** An error that a sign-in handler throws and `serveSignIn` turns into a JSON error response. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly status: AuthErrorStatus
  /** What is wrong: a header, a field of the body, or the reason for rejecting the message. */
  readonly field: string
  /** The Retry-After delay, if known. */
  readonly seconds: number | undefined

  constructor(status: AuthErrorStatus, field: string, description: string, seconds?: number) {
    super(description)
    this.status = status
    this.field = field
    this.seconds = seconds
  }
}

/** The response to a request that failed with `error`. */
export function errorResponse(error: AuthError, headers: Readonly<Record<string, string>>): Response {
  const retry: Record<string, string> = error.seconds === undefined ? {} : { 'retry-after': String(error.seconds) }
  return Response.json(failed(error.field, error.message), {
    status: error.status,
    headers: { ...headers, ...retry, 'cache-control': 'no-store' },
  })
}
