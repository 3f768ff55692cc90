import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../i18n/messages.ts'
import { TranslationsContext } from '../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../i18n/useTranslations.ts'
import { infoMessages } from './infoMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages that explain wallets and networks. */
export function useInfoTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, {
        ...messages,
        ...infoMessages,
        ...translations.messages,
      }),
    [translations],
  )
}
