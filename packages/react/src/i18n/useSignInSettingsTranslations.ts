import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { signInSettingsMessages } from './signInSettingsMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations` with the messages about signing in and out. */
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
