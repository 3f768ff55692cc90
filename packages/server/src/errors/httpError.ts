import { ApiError } from '@latchkey/protocol/http/apiError'

/** The HTTP status codes that an error response can have. */
export type HttpErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 422 | 426 | 429 | 500 | 503

/** An error that a route throws. The app converts it to a JSON error response. */
export class HttpError extends ApiError<HttpErrorStatus> {
  override readonly name = 'Failure'
}

/** How long clients wait before they request a part of the server that is not configured again, in seconds. */
const notConfiguredSeconds = 3_600

/** Creates the error for a part of the server that the operator has not configured. */
export function notConfigured(field: string, message = 'This server is not configured for this request'): HttpError {
  return new HttpError(503, field, message, notConfiguredSeconds)
}
