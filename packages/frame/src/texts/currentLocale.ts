/**
 * Returns the locale for dates and counts. It combines the language of the screens with the user's region if the browser
 * specifies one. The digits are always 0 to 9, as in messages and amounts, so that a screen never mixes numerals.
 */
export function currentLocale(): string {
  const language = globalThis.document?.documentElement.lang || 'en'
  const wanted = globalThis.navigator?.languages ?? []
  const found = wanted.find((tag) => tag.toLowerCase().split('-')[0] === language)
  return new Intl.Locale(found ?? language, { numberingSystem: 'latn' }).toString()
}
