import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { securityMessages } from './securityMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'
import { createTranslator, type Translator } from './useTranslations.ts'

/** `useTranslations`, including the messages about passkeys and key management. */
export function useSecurityTranslations(): Translator<WholeSource> {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () =>
      createTranslator<WholeSource>(translations.locale, {
        ...messages,
        ...securityMessages,
        ...translations.messages,
      }),
    [translations],
  )
}
