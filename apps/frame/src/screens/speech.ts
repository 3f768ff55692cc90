import type { Sentence, Spoken, Word } from './words.ts'
import { spoken } from './words.ts'

/** Sentences in another language; what is missing is said in English, and fails a test. */
export type Catalogue = { readonly [Name in Word]?: Sentence }

/** Where each language is; English travels with the screens. Written out, so that each becomes a chunk of its own. */
export const catalogues = {
  es: async () => (await import('./languages/es.ts')).es,
  zh: async () => (await import('./languages/zh.ts')).zh,
  ja: async () => (await import('./languages/ja.ts')).ja,
  ko: async () => (await import('./languages/ko.ts')).ko,
  pt: async () => (await import('./languages/pt.ts')).pt,
  fr: async () => (await import('./languages/fr.ts')).fr,
  de: async () => (await import('./languages/de.ts')).de,
  ar: async () => (await import('./languages/ar.ts')).ar,
} as const satisfies Readonly<Record<string, () => Promise<Catalogue>>>

/** A language of the frame. */
export type Language = 'en' | keyof typeof catalogues

/** Who has a say in the language. */
export interface Wishes {
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
export function languageFor({ page, visitor }: Wishes): Language {
  const wanted = visitor.map(partOf).filter(isLanguage)
  const asked = partOf(page ?? '')
  return wanted.find((language) => language === asked) ?? wanted[0] ?? 'en'
}

/** Has `say` speak this language in `document`. English where its sentences do not arrive. */
export async function speak(document: Document, wishes: Wishes): Promise<Language> {
  const language = languageFor(wishes)
  const words = language === 'en' ? {} : await catalogues[language]().catch(() => undefined)
  const found = words ? language : 'en'
  ;(document as Spoken)[spoken] = words ?? {}
  document.documentElement.lang = found
  document.documentElement.dir = found === 'ar' ? 'rtl' : 'ltr'
  return found
}

function partOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}

function isLanguage(tag: string): tag is Language {
  return tag === 'en' || Object.hasOwn(catalogues, tag)
}
