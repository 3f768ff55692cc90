import { CodedError } from '@latchkey/protocol/codedError'
import { type KeysFailure, type KeysFailureCode, keysFailures } from '@latchkey/protocol/http/keys'

/** An expected failure of a call to the keys origin. The app converts it to a response with one of the specified codes. */
export class KeysError extends CodedError<KeysFailureCode> {
  override readonly name = 'Refusal'
  readonly details: Pick<KeysFailure, 'seconds' | 'triesLeft' | 'version'>

  constructor(code: KeysFailureCode, message: string, details: KeysError['details'] = {}) {
    super(code, message)
    this.details = details
  }

  override toJSON(): KeysFailure {
    return { code: this.code, message: this.message, ...this.details }
  }
}

/** Converts a `KeysError` to a response. */
export function refusalAnswer(error: KeysError): Response {
  const { seconds } = error.details
  const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) }
  return Response.json(error, { status: keysFailures[error.code], ...(headers ? { headers } : {}) })
}
