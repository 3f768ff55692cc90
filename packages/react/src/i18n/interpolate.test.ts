import { expect, expectTypeOf, test } from 'vitest'
import { buttonMessages } from './buttonMessages.ts'
import { formatMessage, type PlaceholderNames, splitMessage } from './interpolate.ts'
import { messages } from './messages.ts'

test('formatMessage fills in placeholders', () => {
  expect(formatMessage(messages, 'downloads.title', { wallet: 'Rabby' })).toBe('Get Rabby')
  expect(formatMessage(messages, 'modal.close')).toBe('Close')
})

test('inserted values are not interpreted as placeholders or replacement patterns', () => {
  expect(formatMessage(messages, 'downloads.title', { wallet: '{network} $& $1' })).toBe('Get {network} $& $1')
})

test('placeholders are typed, so a missing value does not compile', () => {
  expectTypeOf<PlaceholderNames<'{wallet} on {network}'>>().toEqualTypeOf<'wallet' | 'network'>()
  // @ts-expect-error: the wallet's name is missing
  formatMessage(messages, 'downloads.title')
  // @ts-expect-error: there is no such message
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

test('the catalog contains the button messages', () => {
  expect(messages).toMatchObject(buttonMessages)
})
