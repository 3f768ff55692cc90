import { expect, test } from 'vitest'
import { pluralMessage } from './plural.ts'

test.each([
  ['en', 1, 'one'],
  ['en', 0, 'other'],
  ['ar', 2, 'two'],
  ['ar', 3, 'few'],
  ['ja', 1, 'other'],
])('in %s, the plural form for %i is %s', (language, count, form) => {
  const messages = { 'item.one': 'one', 'item.two': 'two', 'item.few': 'few', 'item.other': 'other' }
  expect(pluralMessage(messages, 'item', { count, language })).toBe(form)
})

test('a missing form falls back to "other", and a message without plural forms returns undefined', () => {
  expect(pluralMessage({ 'item.other': 'other' }, 'item', { count: 2, language: 'ar' })).toBe('other')
  expect(pluralMessage({ item: 'item' }, 'item', { count: 2, language: 'ar' })).toBeUndefined()
})
