import { expect, test } from 'vitest'
import { amountInput } from './amountInput.ts'
import { shownAmount } from './tokenAmounts.ts'

test.each([
  ['0', '0'],
  ['05', '5'],
  ['.', '0.'],
  [',5', '0.5'],
  ['1.', '1.'],
  ['1,5', '1.5'],
  ['1.234', '1.234'],
  ['1,234', '1.234'],
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  ['1,234,567', '1234567'],
  ['1.234.567', '1234567'],
  ['1 234,5', '1234.5'],
  ["1'234.5", '1234.5'],
  ['١٫٥', '1.5'],
  ['  2 ', '2'],
  ['', ''],
])('the entered text %o is the amount %o', (text, amount) => {
  expect(amountInput(text, { decimals: 18 })).toBe(amount)
})

test.each(['1.2.3', '1e5', '-1', '0x10', '1,2,3', '1,23,456', 'a', '1.2.', '9'.repeat(61)])(
  'the text %o is not an amount, so it is ignored',
  (text) => {
    expect(amountInput(text, { decimals: 18 })).toBeUndefined()
  },
)

test('digits beyond the token’s decimals are truncated, not rounded', () => {
  expect(amountInput('1.2399999', { decimals: 3 })).toBe('1.239')
  expect(amountInput('0.999', { decimals: 2 })).toBe('0.99')
  expect(amountInput('7.9', { decimals: 0 })).toBe('7')
})

test('the field shows the decimal separator of the language', () => {
  expect(['en', 'de', 'fr', 'ar'].map((locale) => shownAmount('1234.5', locale).length)).toEqual([6, 6, 6, 6])
  expect(shownAmount('0.5', 'de')).toBe('0,5')
  expect(shownAmount('0.', 'en')).toBe('0.')
})
