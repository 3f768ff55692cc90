import { type Context, createContext } from 'react'
import type { Locale } from './locales.ts'
import type { Messages } from './messages.ts'

/** The language in force, and the sentences that stand before the English ones. */
export interface Words {
  readonly locale: Locale
  /** The host's own sentences over the locale's; English fills the gaps. */
  readonly messages: Partial<Messages>
}

/** What `TextProvider` says. A leaf: it carries no catalogue, so the buttons can read it for nothing. */
export const TextContext: Context<Words> = createContext<Words>({ locale: 'en', messages: {} })
