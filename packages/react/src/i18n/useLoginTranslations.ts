import { useContext, useMemo } from 'react'
import { loginMessages } from './loginMessages.ts'
import { messages, type WholeSource } from './messages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** Translates messages, including the login messages. */
export type LoginTranslator = Translator<WholeSource>

/** `useTranslations`, including the login messages. */
export function useLoginTranslations(): LoginTranslator {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...loginMessages, ...translations.messages }),
    [translations],
  )
}
