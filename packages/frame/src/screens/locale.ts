import type { LocalizedDocument, Message, MessageKey } from './messages.ts'
import { documentMessages } from './messages.ts'

/** Messages in another language. A missing message falls back to English and fails a test. */
export type Translations = { readonly [Name in MessageKey]?: Message }

/** The loaders of the languages; English is bundled with the screens. Listed explicitly, so that each becomes a separate chunk. */
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

/** The inputs that determine the language. */
export interface LanguagePreferences {
  /** The language of the embedding page, as specified by the page. */
  readonly page?: string | null | undefined
  /** The user's preferred languages from the browser, most preferred first. */
  readonly visitor: readonly string[]
}

/**
 * The language of the screens. This is the page's language if it is among the user's preferred languages, otherwise the first preferred
 * language that is supported: a page must not be able to show a request in a language that the user cannot read.
 *
 * @example pickLanguage({ page: 'de', visitor: ['fr-CH', 'de-CH'] }) // 'de'
 */
export function pickLanguage({ page, visitor }: LanguagePreferences): Language {
  const wanted = visitor.map(primarySubtag).filter(isLanguage)
  const request = primarySubtag(page ?? '')
  return wanted.find((language) => language === request) ?? wanted[0] ?? 'en'
}

/** Sets the language of `t` in `document`. Falls back to English if the messages fail to load. */
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
