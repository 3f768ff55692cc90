import { PublicError, publicErrorMessage } from '../publicError.ts'
import { t } from './messages.ts'

/** Why a passkey did not do what it was asked for. Browsers give one name to "no", "none here" and "too late". */
export function passkeyErrorText(error: unknown): string {
  if (error instanceof PublicError) return publicErrorMessage(error)
  const name = error instanceof Error ? error.name : ''
  return t(name === 'InvalidStateError' ? 'passkeyThere' : name === 'NotAllowedError' ? 'passkeyNone' : 'passkeyFailed')
}
