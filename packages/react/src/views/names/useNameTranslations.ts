import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { nameMessages } from './nameMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages about account names. */
export function useNameTranslations(): Translator<Source & typeof nameMessages> {
  return useTranslations(nameMessages)
}
