import { afterEach, expect, test, vi } from 'vitest'
import { setLanguage } from '../texts/pickLanguage.ts'
import { t } from '../texts/translations.ts'
import { periodText } from './formatPeriod.ts'
import { formatTime } from './formatTime.ts'

async function inLanguage(...visitor: readonly string[]): Promise<void> {
  const document = { documentElement: { lang: '', dir: '' } } as Document
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', { languages: visitor })
  await setLanguage(document, { visitor })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const day = 86_400

test.each([
  ['en', 7 * day, 'every week'],
  ['en', 30 * day, 'every 30 days'],
  ['en', 90, 'every 90 seconds'],
  ['de', day, 'jeden Tag'],
  ['de', 3 * day, 'alle 3 Tage'],
  ['es', 2 * 3600, 'cada 2 horas'],
  ['fr', 2 * 3600, 'par période de 2\u00a0heures'],
  ['ja', 14 * day, '2 週間ごと'],
  ['ar', 2 * day, 'كل فترة (يومان)'],
  ['ar', 3 * day, 'كل فترة (3 أيام)'],
])('in %s, formats %i seconds as %s', async (language, seconds, text) => {
  await inLanguage(language)
  expect(periodText(seconds)).toBe(text)
})

test('uses the plural form that the language requires for a count', async () => {
  await inLanguage('en')
  expect([1, 2].map((count) => t('requestsNew', { count }))).toEqual([
    '1 device wants to open this wallet',
    '2 devices want to open this wallet',
  ])
  await inLanguage('ar')
  expect([1, 2, 3, 11].map((count) => t('items', { count }))).toEqual(['قطعة واحدة', 'قطعتان', '3 قطع', '11 قطعة'])
})

test('formats a time for the user’s region in the language of the screens', async () => {
  const noon = new Date(2026, 10, 21, 12, 30).getTime()
  await inLanguage('en-GB', 'de')
  expect(formatTime(noon)).toBe('21 Nov 2026, 12:30')
  await inLanguage('tlh', 'de-AT')
  expect(formatTime(noon)).toBe('21.11.2026, 12:30')
})
