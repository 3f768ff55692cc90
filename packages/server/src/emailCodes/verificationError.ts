import { CodedError } from '@latchkey/protocol/codedError'
import type { KeysFailure } from '@latchkey/protocol/http/keys'

/** The reason why a code or an action is rejected. */
export type VerificationErrorCode = 'code/wrong' | 'code/expired' | 'email/throttled' | 'limit/reached'

/**
 * Thrown if a code is wrong or expired or was requested too often, or if a limit is reached. The sign-in API and the keys origin
 * convert it to their own error.
 */
export class VerificationError extends CodedError<VerificationErrorCode> {
  override readonly name = 'VerificationError'
  readonly details: Pick<KeysFailure, 'seconds' | 'triesLeft'>

  constructor(code: VerificationErrorCode, message: string, details: VerificationError['details'] = {}) {
    super(code, message)
    this.details = details
  }
}
