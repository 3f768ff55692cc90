import { type VaultFailure, type VaultFailureCode, vaultFailures } from '@latchkey/protocol/http/vault'

/** An expected failure of a vault call. The app converts it into a response with one of the specified codes. */
export class VaultError extends Error {
  override readonly name = 'Refusal'
  readonly code: VaultFailureCode
  readonly details: Pick<VaultFailure, 'seconds' | 'triesLeft' | 'version'>

  constructor(code: VaultFailureCode, message: string, details: VaultError['details'] = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Converts a `VaultError` into a response. */
export function refusalAnswer({ code, message, details }: VaultError): Response {
  const body: VaultFailure = { code, message, ...details }
  const headers = details.seconds === undefined ? undefined : { 'retry-after': String(details.seconds) }
  return Response.json(body, { status: vaultFailures[code], ...(headers ? { headers } : {}) })
}
