import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { viewMessages } from '../viewMessages.ts'
import { signInMessages } from './signInMessages.ts'

const ownMessages = { ...viewMessages, ...signInMessages } as const

/** Returns the same translator as `useTranslations(viewMessages)`, extended with the sign-in messages. */
export function useSignInTranslations(): Translator<Source & typeof ownMessages> {
  return useTranslations(ownMessages)
}
