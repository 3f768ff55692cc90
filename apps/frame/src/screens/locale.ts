import type { LocalizedDocument, Message, MessageKey } from './messages.ts'
import { documentMessages } from './messages.ts'

/** Sentences in another language; what is missing is said in English, and fails a test. */
export type Translations = { readonly [Name in MessageKey]?: Message }

/** Where each language is; English travels with the screens. Written out, so that each becomes a chunk of its own. */
export const locales = {
  es: async () => (await import('./locales/es.ts')).es,
  zh: async () => (await import('./locales/zh.ts')).zh,
  ja: async () => (await import('./locales/ja.ts')).ja,
  ko: async () => (await import('./locales/ko.ts')).ko,
  pt: async () => (await import('./locales/pt.ts')).pt,
  fr: async () => (await import('./locales/fr.ts')).fr,
  de: async () => (await import('./locales/de.ts')).de,
  ar: async () => (await import('./locales/ar.ts')).ar,
} as const satisfies Readonly<Record<string, () => Promise<Translations>>>

/** A language of the frame. */
export type Language = 'en' | keyof typeof locales

/** Who has a say in the language. */
export interface LanguagePreferences {
  /** What the page around us is written in, as it says. */
  readonly page?: string | null | undefined
  /** What the visitor's browser is set to, the most wanted first. */
  readonly visitor: readonly string[]
}

/**
 * The language of the screens. The page's own where the visitor's browser names it too, else the visitor's first that we speak: a page
 * must not be able to have a question asked in a language that nobody here reads.
 *
 * @example languageFor({ page: 'de', visitor: ['fr-CH', 'de-CH'] }) // 'de'
 */
export function pickLanguage({ page, visitor }: LanguagePreferences): Language {
  const wanted = visitor.map(primarySubtag).filter(isLanguage)
  const request = primarySubtag(page ?? '')
  return wanted.find((language) => language === request) ?? wanted[0] ?? 'en'
}

/** Has `say` speak this language in `document`. English where its sentences do not arrive. */
export async function setLanguage(document: Document, preferences: LanguagePreferences): Promise<Language> {
  const language = pickLanguage(preferences)
  const words = language === 'en' ? {} : await locales[language]().catch(() => undefined)
  const found = words ? language : 'en'
  ;(document as LocalizedDocument)[documentMessages] = words ?? {}
  document.documentElement.lang = found
  document.documentElement.dir = found === 'ar' ? 'rtl' : 'ltr'
  return found
}

function primarySubtag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}

function isLanguage(tag: string): tag is Language {
  return tag === 'en' || Object.hasOwn(locales, tag)
}
