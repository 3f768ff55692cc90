import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { sendReviewMessages } from './sendReviewMessages.ts'

/** The translator for the messages of the review. */
export type SendReviewTranslator = Translator<Source & typeof sendReviewMessages>

/** Returns the translator for the messages of the review. */
export function useSendReviewTranslations(): SendReviewTranslator {
  return useTranslations(sendReviewMessages)
}
