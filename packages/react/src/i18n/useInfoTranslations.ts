import { useContext, useMemo } from 'react'
import { infoMessages } from './infoMessages.ts'
import { messages, type WholeSource } from './messages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the messages that explain wallets and networks. */
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
