import { expect, test } from 'vitest'
import { groupsOf } from './Address.tsx'
import { amountParts } from './Amount.tsx'
import { lightsOf } from './Avatar.tsx'
import { shortAddress } from './shortAddress.ts'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'

test('an address split into groups of four keeps every character', () => {
  expect(groupsOf(address)[0]).toBe('0xAb58')
  expect(groupsOf(address).join('')).toBe(address)
  expect(groupsOf('7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q').join('')).toBe(
    '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
  )
})

test('a long address is shortened in the middle, and a short text is left unchanged [R9.4]', () => {
  expect(shortAddress(address)).toBe('0xAb58…eC9B')
  expect(shortAddress('0x1234')).toBe('0x1234')
})

test.each([
  ['1234567.891', 2, 'en', '1,234,567', '.', '89', false],
  ['1234567.891', 2, 'de', '1.234.567', ',', '89', false],
  ['0.99999', 4, 'en', '0', '.', '9999', false],
  ['0.00001', 4, 'en', '0', '.', '0001', true],
  ['0', 4, 'en', '0', '.', '', false],
  ['12.5000', 4, 'en', '12', '.', '5', false],
  ['123456789012345678901234567890.1', 4, 'en', '123,456,789,012,345,678,901,234,567,890', '.', '1', false],
])('%s is formatted with up to %i decimals in the %s locale', (value, places, locale, whole, point, decimals, less) => {
  expect(amountParts(value, places, locale)).toEqual({ whole, point, decimals, less })
})

test('different addresses have different gradients, and the letter case of an address does not affect its gradient', () => {
  expect(lightsOf(address)).toEqual(lightsOf(address.toLowerCase()))
  expect(lightsOf(address)).not.toEqual(lightsOf('0x0000000000000000000000000000000000000001'))
})
