import { expect, test } from 'vitest'
import { requestLanguage } from './requestLanguage.ts'

test.each([
  ['the most preferred language', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['the language with the highest weight, regardless of order', 'en;q=0.5, fr;q=0.9', 'fr'],
  ['a supported language that follows unsupported ones', 'tlh, cy;q=0.9, ko;q=0.1', 'ko'],
  ['English instead of a language that the header excludes', 'ja;q=0', 'en'],
  ['English if there is no header', undefined, 'en'],
  ['English if the header is invalid', ';;q=x,*', 'en'],
])('picks %s', (_, header, language) => {
  expect(requestLanguage(new Headers(header === undefined ? {} : { 'accept-language': header }))).toBe(language)
})
