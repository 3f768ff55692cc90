import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { smartSessionMessages } from './smartSessionMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages for smart sessions. */
export function useSmartSessionTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, {
        ...messages,
        ...smartSessionMessages,
        ...translations.messages,
      }),
    [translations],
  )
}
