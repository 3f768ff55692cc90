import { KeyError } from '../keys/index.ts'
import { publicErrorMessage } from '../publicError.ts'
import { t } from '../screens/messages.ts'

/** Returns the message for an error on this page, with a suggested action. */
export function pageErrorText(error: unknown): string {
  if (!(error instanceof KeyError)) return publicErrorMessage(error)
  if (error.code === 'vault/locked') return t('pageLocked')
  if (error.code === 'wrapper/last') return t('removeLast')
  if (error.code === 'wrapper/too-many') return t('pageTooMany')
  // The server's record is older than the last seen version, belongs to another user, or was forged.
  return t(error.code === 'vault/conflict' ? 'pageConflict' : 'pageRecord')
}
