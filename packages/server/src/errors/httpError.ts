import { ApiError } from '@latchkey/protocol/http/apiError'

/** The HTTP status codes that an error response can have. */
export type HttpErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 422 | 426 | 429 | 500 | 503

/** An error that a route throws. The app converts it to a JSON error response. */
export class HttpError extends ApiError<HttpErrorStatus> {
  override readonly name = 'Failure'
}
