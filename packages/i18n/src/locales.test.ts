import { describe, expect, test } from 'vitest'
import { languages } from './languages.ts'
import { frame } from './locales/en/frame.ts'
import { mailLocales } from './mailLocales.ts'
import { recoveryLocales } from './recoveryLocales.ts'

type Catalogue = Readonly<Record<string, string>>

/** The messages of each language and part, keyed by file path. */
const files = import.meta.glob<Readonly<Record<string, Catalogue>>>('./locales/*/*.ts', { eager: true })

/** The English messages of the modal are next to the views that use them. */
const modalSources = import.meta.glob<Readonly<Record<string, Catalogue>>>('../../react/src/**/*{m,M}essages.ts', {
  eager: true,
})

const english: Readonly<Record<string, Catalogue>> = {
  modal: Object.assign({}, ...Object.values(modalSources).flatMap((module) => Object.values(module))),
  frame: { ...frame },
  mail: { ...mailLocales.en },
  recovery: { ...recoveryLocales.en },
}
const parts = Object.keys(english)
const translations = languages.filter((language) => language !== 'en')

/** Messages that are the same as in English, because they are names or because the language uses the English term. */
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {}

const catalogueOf = (language: string, part: string): Catalogue => {
  const catalogue = files[`./locales/${language}/${part}.ts`]?.[part]
  if (!catalogue) throw new Error(`locales/${language}/${part}.ts is missing`)
  return catalogue
}
const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const pluralKeys = (messages: Catalogue) =>
  Object.keys(messages).flatMap((key) => (key.endsWith('.other') ? key.slice(0, -'.other'.length) : []))

test('each language has a file for each part, and no other files', () => {
  const expected = translations.flatMap((language) => parts.map((part) => `./locales/${language}/${part}.ts`))
  const found = Object.keys(files).filter((path) => !path.startsWith('./locales/en/'))
  expect(found.sort()).toEqual(expected.sort())
})

const cases = translations.flatMap((language) => parts.map((part) => ({ language, part })))
describe.each(cases)('$language, $part', ({ language, part }) => {
  const source = english[part] ?? {}
  const catalogue = catalogueOf(language, part)

  test('has every message, and no additional keys except plural forms', () => {
    const rules = new Intl.PluralRules(language)
    // Only the plural categories of the first 200 integers. Some languages have more, for fractions or for a million and above.
    const kinds = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))
    const forms = new Set(pluralKeys(source).flatMap((key) => [...kinds].map((kind) => `${key}.${kind}`)))
    expect(Object.keys(source).filter((key) => !(key in catalogue) && !/\.(one|other)$/.test(key))).toEqual([])
    expect([...forms].filter((key) => !(key in catalogue))).toEqual([])
    expect(Object.keys(catalogue).filter((key) => !(key in source) && !forms.has(key))).toEqual([])
  })

  test('keeps the placeholders of each message', () => {
    for (const [key, text] of Object.entries(catalogue)) {
      const expected = placeholdersOf(source[key] ?? source[key.replace(/\.\w+$/, '.other')] ?? '')
      // A translation can say "one wallet" instead of using `{count}`, but it cannot use placeholders that never get a value.
      if (/\.(zero|one|two)$/.test(key)) expect(expected, key).toEqual(expect.arrayContaining(placeholdersOf(text)))
      else expect(placeholdersOf(text), key).toEqual(expected)
    }
  })

  test('has no empty messages and no untranslated sentences', () => {
    const allowed = [...(sameAsEnglish[language] ?? []), ...(sameAsEnglish.all ?? [])]
    for (const [key, text] of Object.entries(catalogue)) {
      expect(text, key).not.toBe('')
      expect(text.trim(), key).toBe(text)
      const isSentence = /\p{L} +\p{L}/u.test(text.replace(/\{\w+\}/g, ''))
      if (isSentence && !allowed.includes(text)) expect(text, key).not.toBe(source[key])
    }
  })
})

/** Realistic values for each placeholder, so that the measured lengths match what users see. */
const examples: Readonly<Record<string, string>> = {
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

test.each(translations)('%s: no message in the modal is much longer than in English', (language) => {
  const catalogue = catalogueOf(language, 'modal')
  for (const [key, text] of Object.entries(english.modal ?? {})) {
    const length = read(text).length
    const translated = read(catalogue[key] ?? '')
    expect(translated.length, `${key}: ${translated}`).toBeLessThanOrEqual(
      Math.max(Math.ceil(length * 1.75), length + 16),
    )
  }
})
