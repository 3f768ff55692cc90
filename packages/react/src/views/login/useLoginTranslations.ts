import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { loginMessages } from './loginMessages.ts'

/** A translator for all messages, including the login messages. */
export type LoginTranslator = Translator<WholeSource>

/** Returns the same translator as `useTranslations`, extended with the login messages. */
export function useLoginTranslations(): LoginTranslator {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...loginMessages, ...translations.messages }),
    [translations],
  )
}
