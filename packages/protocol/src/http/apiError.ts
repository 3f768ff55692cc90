import { CodedError } from '../codedError.ts'
import { type FailureAnswer, failed } from './apiRoutes.ts'

/** An error of the public API or of sign-in, which becomes the error response that the specification prescribes. */
export class ApiError<Status extends number = number> extends CodedError<string> {
  readonly status: Status
  /** The Retry-After delay, if known. */
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

  override toJSON(): FailureAnswer {
    return failed(this.code, this.message)
  }
}
