/**
 * The locale for dates and counts: the language of the screens, with the user's region if the browser specifies one. Always uses the
 * digits 0 to 9, like the messages and amounts, so that a screen never mixes numerals.
 */
export function currentLocale(): string {
  const language = globalThis.document?.documentElement.lang || 'en'
  const wanted = globalThis.navigator?.languages ?? []
  const found = wanted.find((tag) => tag.toLowerCase().split('-')[0] === language)
  return new Intl.Locale(found ?? language, { numberingSystem: 'latn' }).toString()
}
