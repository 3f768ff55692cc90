import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { signInSettingsMessages } from './signInSettingsMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the sign-in settings messages. */
export function useSignInSettingsTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, {
        ...messages,
        ...signInSettingsMessages,
        ...translations.messages,
      }),
    [translations],
  )
}
