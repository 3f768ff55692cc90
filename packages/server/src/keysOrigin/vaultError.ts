import { CodedError } from '@latchkey/protocol/codedError'
import { type VaultFailure, type VaultFailureCode, vaultFailures } from '@latchkey/protocol/http/vault'

/** An expected failure of a call to the keys origin. The app converts it to a response with one of the specified codes. */
export class VaultError extends CodedError<VaultFailureCode> {
  override readonly name = 'Refusal'
  readonly details: Pick<VaultFailure, 'seconds' | 'triesLeft' | 'version'>

  constructor(code: VaultFailureCode, message: string, details: VaultError['details'] = {}) {
    super(code, message)
    this.details = details
  }

  override toJSON(): VaultFailure {
    return { code: this.code, message: this.message, ...this.details }
  }
}

/** Converts a `VaultError` to a response. */
export function refusalAnswer(error: VaultError): Response {
  const { seconds } = error.details
  const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) }
  return Response.json(error, { status: vaultFailures[error.code], ...(headers ? { headers } : {}) })
}
