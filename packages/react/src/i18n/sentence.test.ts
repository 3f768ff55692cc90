import { expect, expectTypeOf, test } from 'vitest'
import { buttonMessages } from './buttonMessages.ts'
import { messages } from './messages.ts'
import { type Blanks, pieces, sentence } from './sentence.ts'

test('a sentence fills its blanks', () => {
  expect(sentence(messages, 'downloads.title', { wallet: 'Rabby' })).toBe('Get Rabby')
  expect(sentence(messages, 'modal.close')).toBe('Close')
})

test('what fills a blank is words: no further blank, no replacement pattern', () => {
  expect(sentence(messages, 'downloads.title', { wallet: '{network} $& $1' })).toBe('Get {network} $& $1')
})

test('blanks are in the types, so that a forgotten one does not compile', () => {
  expectTypeOf<Blanks<'{wallet} on {network}'>>().toEqualTypeOf<'wallet' | 'network'>()
  // @ts-expect-error: the wallet's name is missing
  sentence(messages, 'downloads.title')
  // @ts-expect-error: there is no such sentence
  expect(sentence(messages, 'no.such')).toBe('no.such')
})

test('a sentence comes apart at its blanks, in its own order', () => {
  expect(pieces('Accept {terms} and {privacy}.')).toEqual([
    { words: 'Accept ' },
    { blank: 'terms' },
    { words: ' and ' },
    { blank: 'privacy' },
    { words: '.' },
  ])
})

test('the catalogue contains the words of the buttons', () => {
  expect(messages).toMatchObject(buttonMessages)
})
