import { type FailureAnswer, failed } from '@latchkey/protocol/http/apiRoutes'

/** The HTTP status codes of an error. */
export type HttpErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 422 | 426 | 429 | 500 | 503

/** An error that a route throws and the app turns into a JSON error response. */
export class HttpError extends Error {
  override readonly name = 'Failure'
  readonly status: HttpErrorStatus
  readonly field: string
  /** The Retry-After delay, if known. */
  readonly seconds: number | undefined

  constructor(status: HttpErrorStatus, field: string, description: string, seconds?: number) {
    super(description)
    this.status = status
    this.field = field
    this.seconds = seconds
  }
}

/** Returns the JSON body of an error response. */
export function httpErrorBody(failure: HttpError): FailureAnswer {
  return failed(failure.field, failure.message)
}
