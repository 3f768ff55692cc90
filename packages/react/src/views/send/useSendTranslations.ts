import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { sendMessages } from './sendMessages.ts'

/** The translator for the messages of the form. */
export type SendTranslator = Translator<Source & typeof sendMessages>

/** Returns the translator for the messages of the form. */
export function useSendTranslations(): SendTranslator {
  return useTranslations(sendMessages)
}
