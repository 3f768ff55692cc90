import type { Messages } from './messages.ts'

/** The languages included with Latchkey. */
export const locales = ['en', 'es', 'zh', 'ja', 'ko', 'pt', 'fr', 'de', 'ar'] as const

/** A language included with Latchkey. */
export type Locale = (typeof locales)[number]

/** Loaders of the catalogs. English is bundled with the modal. Written out, so that bundlers create a chunk for each. */
export const localeLoaders: Readonly<Record<Exclude<Locale, 'en'>, () => Promise<Messages>>> = {
  es: async () => (await import('./locales/es.ts')).es,
  zh: async () => (await import('./locales/zh.ts')).zh,
  ja: async () => (await import('./locales/ja.ts')).ja,
  ko: async () => (await import('./locales/ko.ts')).ko,
  pt: async () => (await import('./locales/pt.ts')).pt,
  fr: async () => (await import('./locales/fr.ts')).fr,
  de: async () => (await import('./locales/de.ts')).de,
  ar: async () => (await import('./locales/ar.ts')).ar,
}

/** Returns the writing direction of a language. */
export function direction(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}

/**
 * Returns the first supported language among `tags`, compared by primary language, or English.
 *
 * @example matchLocale(['de-AT', 'en']) // 'de'
 */
export function matchLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const language = tag.toLowerCase().split(/[-_]/)[0]
    const found = locales.find((locale) => locale === language)
    if (found) return found
  }
  return 'en'
}
