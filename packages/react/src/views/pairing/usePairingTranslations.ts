import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from '../../i18n/messages.ts'
import { TranslationsContext } from '../../i18n/TranslationsContext.ts'
import { createTranslator, type Translator } from '../../i18n/useTranslations.ts'
import { pairingMessages } from './pairingMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the pairing messages. */
export function usePairingTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, { ...messages, ...pairingMessages, ...translations.messages }),
    [translations],
  )
}
