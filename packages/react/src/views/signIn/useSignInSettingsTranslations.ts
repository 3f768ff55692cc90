import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { signInSettingsMessages } from './signInSettingsMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages for sign-in in the settings. */
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
