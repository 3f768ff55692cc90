import type { Language } from '@latchkey/i18n/languages'
import { type Context, createContext } from 'react'
import type { Messages } from './messages.ts'

/** The active language, and the messages that override the English ones. */
export interface Translations {
  readonly locale: Language
  /** The locale's messages, with the host's overrides. Missing messages fall back to English. */
  readonly messages: Partial<Messages>
}

/** Provided by `TranslationsProvider`. It imports no messages, so that buttons can use it without loading them. */
export const TranslationsContext: Context<Translations> = createContext<Translations>({ locale: 'en', messages: {} })
