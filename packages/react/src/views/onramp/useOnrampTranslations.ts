import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { onrampMessages } from './onrampMessages.ts'

/** The translator for the messages about buying crypto. */
export type OnrampTranslator = Translator<Source & typeof onrampMessages>

/** Returns the same translator as `useTranslations`, extended with the messages about buying crypto. */
export function useOnrampTranslations(): OnrampTranslator {
  return useTranslations(onrampMessages)
}
