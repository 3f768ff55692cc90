import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { smartSessionMessages } from './smartSessionMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages for smart sessions. */
export function useSmartSessionTranslations(): Translator<Source & typeof smartSessionMessages> {
  return useTranslations(smartSessionMessages)
}
