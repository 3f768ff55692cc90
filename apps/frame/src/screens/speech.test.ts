import { expect, test } from 'vitest'
import { type Catalogue, catalogues, languageFor } from './speech.ts'
import { words } from './words.ts'

test.each([
  ['the visitor’s first that we speak', { visitor: ['de-AT', 'en'] }, 'de'],
  ['one that we speak, after some that we do not', { visitor: ['tlh', 'pt-BR', 'fr'] }, 'pt'],
  ['English where we speak none of them', { visitor: ['tlh', 'cy'] }, 'en'],
  ['English where nobody says anything', { visitor: [] }, 'en'],
  ['the page’s, where the visitor reads it too', { page: 'de-CH', visitor: ['fr-CH', 'de-CH'] }, 'de'],
  ['the visitor’s, where the page’s is not theirs', { page: 'ar', visitor: ['en-US', 'de'] }, 'en'],
  ['the visitor’s, where the page says nonsense', { page: '__proto__', visitor: ['ja'] }, 'ja'],
])('it speaks %s', (_, wishes, language) => {
  expect(languageFor(wishes)).toBe(language)
})

const blanksOf = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

test.each(Object.keys(catalogues) as (keyof typeof catalogues)[])(
  '%s keeps the blanks, and has no empty sentence',
  async (name) => {
    const catalogue: Catalogue = await catalogues[name]()
    for (const [word, text] of Object.entries(catalogue)) {
      expect(words, word).toHaveProperty(word)
      expect(text.trim(), word).toBe(text)
      expect(text, word).not.toBe('')
      expect(blanksOf(text), word).toEqual(blanksOf(words[word as keyof typeof words]))
    }
  },
)

test.each(Object.keys(catalogues) as (keyof typeof catalogues)[])(
  '%s has whatever stands between a visitor and a signature',
  async (name) => {
    const catalogue: Catalogue = await catalogues[name]()
    const missing = (
      [
        'sign',
        'approve',
        'cancel',
        'refusedTitle',
        'refusedSite',
        'permitUnlimited',
        'allow',
        'allowAll',
        'willFail',
        'fee',
        'covered',
        'handOver',
      ] as const
    ).filter((word) => !catalogue[word])
    expect(missing).toEqual([])
  },
)
