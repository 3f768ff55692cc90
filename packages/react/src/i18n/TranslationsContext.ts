import type { Language } from '@latchkey/i18n/languages'
import { type Context, createContext } from 'react'
import type { Messages } from './messages.ts'

/** The active language and its messages. */
export interface Translations {
  readonly locale: Language
  /** The messages in the active language, with the host's overrides. Missing messages fall back to English. */
  readonly messages: Partial<Messages>
}

/** The context for translations. It does not import any messages, so that the buttons can use it without the modal's catalog. */
export const TranslationsContext: Context<Translations> = createContext<Translations>({ locale: 'en', messages: {} })
