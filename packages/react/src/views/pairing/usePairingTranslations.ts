import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { viewMessages } from '../viewMessages.ts'
import { pairingMessages } from './pairingMessages.ts'

const ownMessages = { ...viewMessages, ...pairingMessages } as const

/** Returns the same translator as `useTranslations(viewMessages)`, extended with the pairing messages. */
export function usePairingTranslations(): Translator<Source & typeof ownMessages> {
  return useTranslations(ownMessages)
}
