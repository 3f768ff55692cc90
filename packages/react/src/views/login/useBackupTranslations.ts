import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { backupMessages } from './backupMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages about passkeys and key management. */
export function useBackupTranslations(): Translator<Source & typeof backupMessages> {
  return useTranslations(backupMessages)
}
