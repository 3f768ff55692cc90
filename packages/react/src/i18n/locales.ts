import type { Messages } from './messages.ts'

/** The languages that come with Latchkey. */
export const locales = ['en', 'es', 'zh', 'ja', 'ko', 'pt', 'fr', 'de', 'ar'] as const

/** A language that comes with Latchkey. */
export type Locale = (typeof locales)[number]

/** Where each catalogue is; English travels with the modal. Written out, so that bundlers make a chunk of each. */
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

/** The way a language is written. */
export function direction(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}

/**
 * The first of `tags` that we speak, by its language part; English when there is none.
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
