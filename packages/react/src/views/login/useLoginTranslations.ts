import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { loginMessages } from './loginMessages.ts'

/** A translator for the modal's messages and the login messages. */
export type LoginTranslator = Translator<Source & typeof loginMessages>

/** Returns the same translator as `useTranslations`, extended with the login messages. */
export function useLoginTranslations(): LoginTranslator {
  return useTranslations(loginMessages)
}
