import { PublicError, publicErrorMessage } from '../publicError.ts'
import { t } from '../texts/translations.ts'

/**
 * Returns the message for a failed passkey request. Browsers report a refusal, a missing passkey and a timeout with the same
 * error.
 */
export function passkeyErrorText(error: unknown): string {
  if (error instanceof PublicError) return publicErrorMessage(error)
  const name = error instanceof Error ? error.name : ''
  return t(name === 'InvalidStateError' ? 'passkeyThere' : name === 'NotAllowedError' ? 'passkeyNone' : 'passkeyFailed')
}
