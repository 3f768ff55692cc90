import { expect, test } from 'vitest'
import { locales, pickLanguage, type Translations } from './locale.ts'
import { type Message, type MessageKey, messages } from './messages.ts'

test.each([
  ['the user’s first supported language', { visitor: ['de-AT', 'en'] }, 'de'],
  ['a supported language after unsupported ones', { visitor: ['tlh', 'pt-BR', 'fr'] }, 'pt'],
  ['English if none of them is supported', { visitor: ['tlh', 'cy'] }, 'en'],
  ['English if no language is given', { visitor: [] }, 'en'],
  ['the page’s language if the user also reads it', { page: 'de-CH', visitor: ['fr-CH', 'de-CH'] }, 'de'],
  ['the user’s language if they do not read the page’s', { page: 'ar', visitor: ['en-US', 'de'] }, 'en'],
  ['the user’s language if the page’s is invalid', { page: '__proto__', visitor: ['ja'] }, 'ja'],
])('picks the right language: %s', (_, wishes, language) => {
  expect(pickLanguage(wishes)).toBe(language)
})

const languages = Object.keys(locales) as (keyof typeof locales)[]

/** Messages that intentionally fall back to English, each with its reason. */
const inEnglish: { readonly [Name in MessageKey]?: string } = {}

const formsOf = (sentence: Message): readonly string[] =>
  typeof sentence === 'string' ? [sentence] : Object.values(sentence)
const blanksOf = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

test.each(languages)('%s has every message', async (name) => {
  const catalogue: Translations = await locales[name]()
  const untranslated = Object.keys(messages).filter((word) => !(word in catalogue) && !(word in inEnglish))
  expect(untranslated).toEqual([])
})

test.each(languages)('%s keeps the placeholders, and has no empty message', async (name) => {
  const catalogue: Translations = await locales[name]()
  for (const [word, sentence] of Object.entries(catalogue)) {
    expect(messages, word).toHaveProperty(word)
    const english: Message = messages[word as MessageKey]
    const blanks = blanksOf(typeof english === 'string' ? english : english.other)
    for (const text of formsOf(sentence)) {
      expect(text.trim(), word).toBe(text)
      expect(text, word).not.toBe('')
      // The forms for one and two can omit the number, but no other placeholder may be added.
      expect(blanks, word).toEqual(expect.arrayContaining([...blanksOf(text)]))
    }
    expect(blanksOf(typeof sentence === 'string' ? sentence : sentence.other), word).toEqual(blanks)
  }
})

test.each(languages)('%s only has plural forms that its language distinguishes', async (name) => {
  const catalogue: Translations = await locales[name]()
  const kinds = new Intl.PluralRules(name).resolvedOptions().pluralCategories
  for (const [word, sentence] of Object.entries(catalogue)) {
    if (typeof sentence !== 'string') expect(kinds, word).toEqual(expect.arrayContaining(Object.keys(sentence)))
    else expect(typeof messages[word as MessageKey], word).toBe('string')
  }
})
