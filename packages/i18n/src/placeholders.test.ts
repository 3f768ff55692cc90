import { expect, expectTypeOf, test } from 'vitest'
import { interpolate, type PlaceholderArgs, type PlaceholderNames, splitMessage } from './placeholders.ts'

test('interpolate fills in placeholders and leaves unknown placeholders in place', () => {
  expect(interpolate('Get {wallet}', { wallet: 'Rabby' })).toBe('Get Rabby')
  expect(interpolate('Get {wallet}', { network: 'Base' })).toBe('Get {wallet}')
  expect(interpolate('Get {toString}', {})).toBe('Get {toString}')
  expect(interpolate('Close', undefined)).toBe('Close')
})

test('inserted values are not interpreted as placeholders or replacement patterns', () => {
  expect(interpolate('Get {wallet}', { wallet: '{network} $& $1', network: 'Base' })).toBe('Get {network} $& $1')
})

test('placeholders are typed, so that code with a missing value does not compile', () => {
  expectTypeOf<PlaceholderNames<'{wallet} on {network}'>>().toEqualTypeOf<'wallet' | 'network'>()
  expectTypeOf<PlaceholderArgs<'Get {wallet}'>>().toEqualTypeOf<[values: Readonly<Record<'wallet', string | number>>]>()
  expectTypeOf<PlaceholderArgs<'Close'>>().toEqualTypeOf<[values?: undefined]>()
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
