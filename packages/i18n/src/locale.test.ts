import { expect, test } from 'vitest'
import { languages } from './languages.ts'
import { direction, matchLanguage, supportedLanguages } from './locale.ts'

test('matchLanguage returns the first supported language by primary subtag, or English if there is none', () => {
  expect(matchLanguage(['', 'de-AT', 'en'])).toBe('de')
  expect(matchLanguage(['zh-Hant-TW'])).toBe('zh')
  expect(matchLanguage(['pt_BR'])).toBe('pt')
  expect(matchLanguage(['tlh'])).toBe('en')
  expect(matchLanguage([])).toBe('en')
})

test('supportedLanguages keeps the order of the tags and omits unsupported and invalid tags', () => {
  expect(supportedLanguages(['tlh', 'FR-ca', '__proto__', 'en', ''])).toEqual(['fr', 'en'])
})

test('Arabic is written from right to left, and all other languages from left to right', () => {
  expect(languages.filter((language) => direction(language) === 'rtl')).toEqual(['ar'])
})
