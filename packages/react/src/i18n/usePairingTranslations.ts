import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { pairingMessages } from './pairingMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the pairing messages. */
export function usePairingTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...pairingMessages, ...translations.messages }),
    [translations],
  )
}
