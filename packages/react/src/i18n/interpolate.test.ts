import { expect, expectTypeOf, test } from 'vitest'
import { buttonMessages } from './buttonMessages.ts'
import { formatMessage, type PlaceholderNames, splitMessage } from './interpolate.ts'
import { messages } from './messages.ts'

test('a sentence fills its blanks', () => {
  expect(formatMessage(messages, 'downloads.title', { wallet: 'Rabby' })).toBe('Get Rabby')
  expect(formatMessage(messages, 'modal.close')).toBe('Close')
})

test('what fills a blank is words: no further blank, no replacement pattern', () => {
  expect(formatMessage(messages, 'downloads.title', { wallet: '{network} $& $1' })).toBe('Get {network} $& $1')
})

test('blanks are in the types, so that a forgotten one does not compile', () => {
  expectTypeOf<PlaceholderNames<'{wallet} on {network}'>>().toEqualTypeOf<'wallet' | 'network'>()
  // @ts-expect-error: the wallet's name is missing
  formatMessage(messages, 'downloads.title')
  // @ts-expect-error: there is no such sentence
  expect(formatMessage(messages, 'no.such')).toBe('no.such')
})

test('splitMessage returns text and placeholders in the order of the message', () => {
  expect(splitMessage('Accept {terms} and {privacy}.')).toEqual([
    { text: 'Accept ' },
    { placeholder: 'terms' },
    { text: ' and ' },
    { placeholder: 'privacy' },
    { text: '.' },
  ])
})

test('the catalogue contains the words of the buttons', () => {
  expect(messages).toMatchObject(buttonMessages)
})
