import type { Source } from '../i18n/messages.ts'
import type { Translator } from '../i18n/useTranslations.ts'
import type { viewMessages } from './viewMessages.ts'

/** A translator for the modal's messages and the messages that the views other than Connect share. */
export type ViewTranslator = Translator<Source & typeof viewMessages>
