import { expect, test } from 'vitest'
import { pickLanguage } from './pickLanguage.ts'

test.each([
  ['the user’s first supported language', { visitor: ['de-AT', 'en'] }, 'de'],
  ['a supported language after unsupported ones', { visitor: ['tlh', 'pt-BR', 'fr'] }, 'pt'],
  ['English if none of the user’s languages is supported', { visitor: ['tlh', 'cy'] }, 'en'],
  ['English if no language is given', { visitor: [] }, 'en'],
  ['the page’s language if the user also reads it', { page: 'de-CH', visitor: ['fr-CH', 'de-CH'] }, 'de'],
  ['the user’s language if they do not read the page’s language', { page: 'ar', visitor: ['en-US', 'de'] }, 'en'],
  ['the user’s language if the page’s language is invalid', { page: '__proto__', visitor: ['ja'] }, 'ja'],
])('picks %s', (_, wishes, language) => {
  expect(pickLanguage(wishes)).toBe(language)
})
