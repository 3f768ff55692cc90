/**
 * How dates and counts are written here: in the language that the screens speak, in the visitor's own country where their browser names
 * one. With the digits of the sentences and amounts around them, so that no number stands beside another kind of digits.
 */
export function currentLocale(): string {
  const language = globalThis.document?.documentElement.lang || 'en'
  const wanted = globalThis.navigator?.languages ?? []
  const found = wanted.find((tag) => tag.toLowerCase().split('-')[0] === language)
  return new Intl.Locale(found ?? language, { numberingSystem: 'latn' }).toString()
}
