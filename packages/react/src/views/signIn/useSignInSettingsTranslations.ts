import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { signInSettingsMessages } from './signInSettingsMessages.ts'

/** Returns the same translator as `useTranslations`, extended with the messages for sign-in in the settings. */
export function useSignInSettingsTranslations(): Translator<Source & typeof signInSettingsMessages> {
  return useTranslations(signInSettingsMessages)
}
