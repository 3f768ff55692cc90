import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { backupMessages } from './backupMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages about passkeys and key management. */
export function useBackupTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, {
        ...messages,
        ...backupMessages,
        ...translations.messages,
      }),
    [translations],
  )
}
