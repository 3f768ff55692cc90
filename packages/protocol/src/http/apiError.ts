import { CodedError } from '../codedError.ts'
import { type FailureAnswer, failed } from './apiRoutes.ts'

/** An error of the public API or of sign-in, which becomes the error response that the specification prescribes. */
export class ApiError<Status extends number = number> extends CodedError<string> {
  /** The HTTP status of the error response. */
  readonly status: Status
  /** The Retry-After delay in seconds, if known. */
  readonly seconds: number | undefined

  constructor(status: Status, field: string, description: string, seconds?: number) {
    super(field, description)
    this.status = status
    this.seconds = seconds
  }

  /** What is wrong: a header, a parameter, a field of the body, or the reason for rejecting a message. */
  get field(): string {
    return this.code
  }

  /** Returns the body of the error response: `FAILED`, with `field` and the message as its only reason. */
  override toJSON(): FailureAnswer {
    return failed(this.code, this.message)
  }
}
