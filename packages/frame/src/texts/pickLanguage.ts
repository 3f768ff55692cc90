import { frameLocales } from '@latchkey/i18n/frameLocales'
import type { Language } from '@latchkey/i18n/languages'
import { direction, supportedLanguages } from '@latchkey/i18n/locale'
import { type Catalog, documentMessages, type LocalizedDocument } from './translations.ts'

/** The preferences from which the language is picked. */
export interface LanguagePreferences {
  /** The embedding page's language, as specified by the page. */
  readonly page?: string | null | undefined
  /** The user's preferred languages as reported by the browser, most preferred first. */
  readonly visitor: readonly string[]
}

/**
 * Returns the language for the screens. The page's language is used if it is among the user's preferred languages. Otherwise, the
 * first supported preferred language is used, so that a page cannot show a request in a language that the user does not read.
 *
 * @example pickLanguage({ page: 'de', visitor: ['fr-CH', 'de-CH'] }) // 'de'
 */
export function pickLanguage({ page, visitor }: LanguagePreferences): Language {
  const wanted = supportedLanguages(visitor)
  const [request] = supportedLanguages([page ?? ''])
  return wanted.find((language) => language === request) ?? wanted[0] ?? 'en'
}

/** Sets the language that `t` uses in `document`. Falls back to English if the messages fail to load. */
export async function setLanguage(document: Document, preferences: LanguagePreferences): Promise<Language> {
  const language = pickLanguage(preferences)
  const messages = await load(language).catch(() => undefined)
  const found = messages ? language : 'en'
  ;(document as LocalizedDocument)[documentMessages] = messages ?? {}
  document.documentElement.lang = found
  document.documentElement.dir = direction(found)
  return found
}

async function load(language: Language): Promise<Catalog> {
  return language === 'en' ? {} : (await frameLocales[language]()).frame
}
