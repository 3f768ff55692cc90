import type { Source } from '../i18n/messages.ts'
import { type Translator, useTranslations } from '../i18n/useTranslations.ts'
import { infoMessages } from './infoMessages.ts'
import { viewMessages } from './viewMessages.ts'

const ownMessages = { ...viewMessages, ...infoMessages } as const

/** Returns the translator of `useTranslations(viewMessages)`, extended with the messages that explain wallets and networks. */
export function useInfoTranslations(): Translator<Source & typeof ownMessages> {
  return useTranslations(ownMessages)
}
