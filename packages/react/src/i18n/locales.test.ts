import { describe, expect, test } from 'vitest'
import { infoMessages } from './infoMessages.ts'
import { direction, type Locale, localeLoaders, locales, matchLocale } from './locales.ts'
import { loginMessages } from './loginMessages.ts'
import { messages as modalMessages } from './messages.ts'
import { pairingMessages } from './pairingMessages.ts'
import { securityMessages } from './securityMessages.ts'
import { signInMessages } from './signInMessages.ts'
import { signInSettingsMessages } from './signInSettingsMessages.ts'
import { smartSessionMessages } from './smartSessionMessages.ts'
import { createTranslator } from './useTranslations.ts'

const messages = {
  ...modalMessages,
  ...loginMessages,
  ...securityMessages,
  ...pairingMessages,
  ...smartSessionMessages,
  ...signInSettingsMessages,
  ...infoMessages,
  ...signInMessages,
}
const blanksOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
/** Realistic values for each placeholder, so that the measured lengths match what users see. */
const examples: Record<string, string> = {
  wallet: 'MetaMask',
  network: 'Ethereum',
  explorer: 'Etherscan',
  search: 'rabby',
  count: '512',
  name: 'alice.eth',
  provider: 'Facebook',
  email: 'ana@example.org',
  app: 'Bakery',
  seconds: '27',
  terms: '',
  privacy: '',
  message: '',
}
const read = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? '')

describe.each(locales.filter((locale) => locale !== 'en'))('%s', (locale) => {
  const load = localeLoaders[locale as Exclude<Locale, 'en'>]

  test('has every message, and no additional keys except plural forms', async () => {
    const catalogue = await load()
    const extra = Object.keys(catalogue).filter((key) => !(key in messages) && !/\.(zero|two|few|many)$/.test(key))
    expect(Object.keys(messages).filter((key) => !(key in catalogue))).toEqual([])
    expect(extra).toEqual([])
  })

  test('keeps the placeholders of each message', async () => {
    const catalogue: Readonly<Record<string, string>> = await load()
    for (const [key, english] of Object.entries(messages)) {
      // A language can write "one wallet" without a digit.
      if (/\.(zero|one|two)$/.test(key)) continue
      const translated = blanksOf(catalogue[key] ?? '')
      expect([...new Set(translated)], key).toEqual([...new Set(blanksOf(english))])
    }
  })

  test('does not exceed the maximum length for the English message', async () => {
    const catalogue: Readonly<Record<string, string>> = await load()
    for (const [key, english] of Object.entries(messages)) {
      const room = Math.max(Math.ceil(read(english).length * 1.75), read(english).length + 16)
      expect(read(catalogue[key] ?? '').length, `${key}: ${catalogue[key]}`).toBeLessThanOrEqual(room)
      expect(catalogue[key]?.trim(), key).toBe(catalogue[key])
      expect(catalogue[key], key).not.toBe('')
    }
  })

  test('has every plural form that its language requires', async () => {
    const catalogue: Readonly<Record<string, string>> = await load()
    for (const key of Object.keys(messages).filter((key) => key.endsWith('.other'))) {
      const base = key.slice(0, -'.other'.length)
      for (const count of [0, 1, 2, 3, 11, 100]) {
        const form = new Intl.PluralRules(locale).select(count)
        expect(catalogue, `${base} for ${count}`).toHaveProperty([`${base}.${form}`])
      }
    }
  })
})

test('plurals follow the language and numbers use its digits', async () => {
  expect(createTranslator('en', messages).plural('allWallets.count', 1)).toBe('1 wallet')
  expect(createTranslator('en', messages).plural('allWallets.count', 1234)).toBe('1,234 wallets')
  expect(createTranslator('de', await localeLoaders.de()).plural('allWallets.count', 1234)).toBe('1.234 Wallets')
  expect(createTranslator('ar', await localeLoaders.ar()).plural('allWallets.count', 2)).toBe('محفظتان')
})

test('Arabic is written from right to left, and the page determines the language', () => {
  expect(locales.filter((locale) => direction(locale) === 'rtl')).toEqual(['ar'])
  expect(matchLocale(['', 'de-AT', 'en'])).toBe('de')
  expect(matchLocale(['zh-Hant-TW'])).toBe('zh')
  expect(matchLocale(['tlh'])).toBe('en')
})
