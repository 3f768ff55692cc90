import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { signInMessages } from './signInMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the sign-in messages. */
export function useSignInTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...signInMessages, ...translations.messages }),
    [translations],
  )
}
