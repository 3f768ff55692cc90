import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { smartSessionMessages } from './smartSessionMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the smart session messages. */
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
