import { type FailureAnswer, failed } from '@latchkey/protocol/http/contract'

/** The statuses a refusal can have. */
export type HttpErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 422 | 426 | 429 | 500 | 503

/** A refusal that a route throws and the app turns into the error JSON of the wire. */
export class HttpError extends Error {
  override readonly name = 'Failure'
  readonly status: HttpErrorStatus
  readonly field: string
  /** When to try again, where that is known. */
  readonly seconds: number | undefined

  constructor(status: HttpErrorStatus, field: string, description: string, seconds?: number) {
    super(description)
    this.status = status
    this.field = field
    this.seconds = seconds
  }
}

/** The error JSON of the wire. */
export function httpErrorBody(failure: HttpError): FailureAnswer {
  return failed(failure.field, failure.message)
}
