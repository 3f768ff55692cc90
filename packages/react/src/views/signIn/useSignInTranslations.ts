import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { signInMessages } from './signInMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the sign-in messages. */
export function useSignInTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...signInMessages, ...translations.messages }),
    [translations],
  )
}
