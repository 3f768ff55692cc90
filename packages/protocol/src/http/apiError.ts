import { CodedError } from '../codedError.ts'
import { type FailureAnswer, failed } from './publicRoutes.ts'

/** An error from the public API or from sign-in. The server converts it to the error response defined by the specification. */
export class ApiError<Status extends number = number> extends CodedError<string> {
  /** The HTTP status of the error response. */
  readonly status: Status
  /** The delay in seconds for the Retry-After header, if known. */
  readonly seconds: number | undefined

  constructor(status: Status, field: string, description: string, seconds?: number) {
    super(field, description)
    this.status = status
    this.seconds = seconds
  }

  /** The header, parameter or body field that caused the error, or the reason why a message was rejected. */
  get field(): string {
    return this.code
  }

  /** Returns the body of the error response. Its status is `FAILED`, and `field` and the message form its only reason. */
  override toJSON(): FailureAnswer {
    return failed(this.code, this.message)
  }
}
