import { PublicError, publicErrorMessage } from '../publicError.ts'
import { t } from './translations.ts'

/** The message for a failed passkey request. Browsers use the same error for a refusal, a missing passkey and a timeout. */
export function passkeyErrorText(error: unknown): string {
  if (error instanceof PublicError) return publicErrorMessage(error)
  const name = error instanceof Error ? error.name : ''
  return t(name === 'InvalidStateError' ? 'passkeyThere' : name === 'NotAllowedError' ? 'passkeyNone' : 'passkeyFailed')
}
