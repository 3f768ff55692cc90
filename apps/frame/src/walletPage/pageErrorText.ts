import { KeyError } from '../keys/index.ts'
import { publicErrorMessage } from '../publicError.ts'
import { t } from '../screens/messages.ts'

/** Why something did not work on this page, and what to do about it. */
export function pageErrorText(error: unknown): string {
  if (!(error instanceof KeyError)) return publicErrorMessage(error)
  if (error.code === 'vault/locked') return t('pageLocked')
  if (error.code === 'wrapper/last') return t('removeLast')
  if (error.code === 'wrapper/too-many') return t('pageTooMany')
  // Older than seen, of another user, forged: the server's record is not the one that this device knows.
  return t(error.code === 'vault/conflict' ? 'pageConflict' : 'pageRecord')
}
