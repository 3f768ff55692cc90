import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { viewMessages } from '../viewMessages.ts'
import { networkMessages } from './networkMessages.ts'

const ownMessages = { ...viewMessages, ...networkMessages } as const

/** The translator for the messages about networks. */
export type NetworkTranslator = Translator<Source & typeof ownMessages>

/** Returns the same translator as `useTranslations(viewMessages)`, extended with the messages about networks. */
export function useNetworkTranslations(): NetworkTranslator {
  return useTranslations(ownMessages)
}
