import { type Language, languages, rightToLeft } from './languages.ts'

/**
 * Returns the supported languages among `tags` in the same order. Only the primary subtag of each tag is compared.
 *
 * @example supportedLanguages(['tlh', 'de-AT', 'en']) // ['de', 'en']
 */
export function supportedLanguages(tags: readonly string[]): readonly Language[] {
  return tags.flatMap((tag) => {
    const [primary] = tag.toLowerCase().split(/[-_]/)
    return languages.find((language) => language === primary) ?? []
  })
}

/**
 * Returns the first supported language among `tags`, or English if there is none.
 *
 * @example matchLanguage(['de-AT', 'en']) // 'de'
 */
export function matchLanguage(tags: readonly string[]): Language {
  return supportedLanguages(tags)[0] ?? 'en'
}

/** Returns the writing direction of a language. */
export function direction(language: Language): 'ltr' | 'rtl' {
  return rightToLeft.includes(language) ? 'rtl' : 'ltr'
}
