import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  balanceParts,
  balanceText,
  fiatParts,
  fiatText,
  formatUnits,
  numberText,
  parseUnits,
  plainNumber,
  quantityText,
} from './amount.ts'
import { addressGroups, middleEllipsis } from './shortenText.ts'
import { seededRandom } from './testing/seededRandom.ts'
import { timeAgo, timeAgoText } from './timeAgo.ts'

test.each([
  ['1', 18, 10n ** 18n],
  ['1.5', 18, 15n * 10n ** 17n],
  ['.5', 1, 5n],
  ['5.', 1, 50n],
  ['0', 18, 0n],
  ['000.100', 1, 1n],
  ['1.10', 1, 11n],
  ['0.000000000000000001', 18, 1n],
  ['123456789012345678901234567890.123456789012345678', 18, 123456789012345678901234567890123456789012345678n],
  ['7', 0, 7n],
  ['1.11', 1, undefined],
  ['0.5', 0, undefined],
  ['', 18, undefined],
  ['.', 18, undefined],
  ['-1', 18, undefined],
  ['+1', 18, undefined],
  ['1e5', 18, undefined],
  ['0x10', 18, undefined],
  ['1,5', 18, undefined],
  ['1.2.3', 18, undefined],
  [' 1', 18, undefined],
  ['1\n', 18, undefined],
  ['١', 18, undefined],
  ['NaN', 18, undefined],
  ['Infinity', 18, undefined],
  ['9'.repeat(201), 18, undefined],
])('parses "%s" with %i decimals as %s base units', (text, decimals, units) => {
  expect(parseUnits(text, decimals)).toBe(units)
})

test.each([
  [1500n, 3, '1.5'],
  [0n, 18, '0'],
  [1n, 18, '0.000000000000000001'],
  [-1500n, 3, '-1.5'],
  [7n, 0, '7'],
  [10n ** 30n, 18, '1000000000000'],
])('formats %s base units with %i decimals as "%s"', (value, decimals, text) => {
  expect(formatUnits(value, decimals)).toBe(text)
})

test('formatting and then parsing an amount preserves it (2,000 random values)', () => {
  const { int, digits } = seededRandom(1)
  for (let turn = 0; turn < 2000; turn++) {
    const decimals = int(37)
    const value = BigInt(digits(1 + int(60)))
    const text = formatUnits(value, decimals)
    expect(parseUnits(text, decimals)).toBe(value)
    expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
  }
})

const eth = (text: string): bigint => parseUnits(text, 18) as bigint

describe('balances', () => {
  test.each([
    ['1.23999', '1.239'],
    ['1.2', '1.2'],
    ['1', '1'],
    ['0', '0.000'],
    ['0.0009', '0.000'],
    ['0.001', '0.001'],
    ['0.9999', '0.999'],
    ['1234.5678', '1,234.567'],
    ['9007199254740993.0019', '9,007,199,254,740,993.001'],
  ])('a balance of %s is formatted as "%s", with at most three decimal places, rounded down [R9.4]', (amount, text) => {
    expect(balanceText(eth(amount), 18)).toBe(text)
  })

  test('an unknown balance is formatted as "0.000" [R9.4]', () => {
    expect(balanceText(undefined, 18)).toBe('0.000')
  })

  test('a balance is never rounded up (1,000 random values) [R9.4]', () => {
    const { int, digits } = seededRandom(2)
    for (let turn = 0; turn < 1000; turn++) {
      const value = BigInt(digits(1 + int(30)))
      const read = parseUnits(balanceText(value, 18).replaceAll(',', ''), 18) as bigint
      expect(read <= value && value - read < 10n ** 15n).toBe(true)
    }
  })

  test('a balance is returned in two parts, so that the decimals can be dimmed', () => {
    expect(balanceParts(eth('1234.5'), 18)).toEqual({ whole: '1,234', fraction: '.5' })
    expect(balanceParts(eth('3'), 18)).toEqual({ whole: '3', fraction: '' })
    expect(balanceParts(0n, 18)).toEqual({ whole: '0', fraction: '.000' })
  })

  test('a balance uses the locale’s separators', () => {
    expect(balanceText(eth('1234.5'), 18, 'de')).toBe('1.234,5')
    expect(balanceText(eth('12345.5'), 18, 'fr')).toMatch(/^12\s345,5$/u)
    expect(balanceText(eth('1234.5'), 18, 'ar-EG')).toBe('١٬٢٣٤٫٥')
  })
})

test.each([
  [1234.5, '1,234', '.50'],
  [1234.567, '1,234', '.57'],
  ['0.005', '0', '.01'],
  [0, '0', '.00'],
  ['', '0', '.00'],
  ['abc', '0', '.00'],
  [1e21, '1,000,000,000,000,000,000,000', '.00'],
  [1.5e-7, '0', '.00'],
  ['123456789012345678.129', '123,456,789,012,345,678', '.13'],
])('formats a dollar amount of %s as %s and %s [R9.4]', (amount, whole, fraction) => {
  expect(fiatParts(amount)).toEqual({ whole, fraction })
  expect(fiatText(amount)).toBe(whole + fraction)
})

test.each([
  ['1.23456', '1.234'],
  ['0.0004', '0'],
  ['12', '12'],
  ['1e-2', '0.01'],
  ['1.5e3', '1,500'],
  ['-2.7189', '-2.718'],
  ['123456789012345678901234.56789', '123,456,789,012,345,678,901,234.567'],
  ['lots', '0'],
  ['', '0'],
])('formats a transaction quantity of %s as "%s" [R9.4]', (quantity, text) => {
  expect(quantityText(quantity)).toBe(text)
})

test.each([
  [1234.567, 2, '1,234.57'],
  ['', 2, '0.00'],
  [undefined, 2, '0.00'],
  ['1.005', 2, '1.01'],
  [1, 0, '1'],
])('formats the number %s with %i decimal places as "%s"', (amount, places, text) => {
  expect(numberText(amount, places)).toBe(text)
})

test.each([
  ['1,234.5', 'en-US', '1234.5'],
  ['1.234,5', 'de', '1234.5'],
  ['1 234,5', 'fr', '1234.5'],
  ['١٬٢٣٤٫٥', 'ar-EG', '1234.5'],
  ['0.5', 'en-US', '0.5'],
  ['.5', 'en-US', '.5'],
  ['', 'en-US', undefined],
  ['.', 'en-US', undefined],
  ['1e5', 'en-US', undefined],
  ['-1', 'en-US', undefined],
  ['1.2.3', 'en-US', undefined],
])('parses "%s", typed in the locale %s, as %s', (typed, locale, plain) => {
  expect(plainNumber(typed, locale)).toBe(plain)
})

const [sec, min, hr, day] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'sec'],
  [59 * sec, 'sec'],
  [60 * sec, '1 min'],
  [59 * min + 59 * sec, '59 min'],
  [hr, '1 hr'],
  [2 * hr, '2 hrs'],
  [23 * hr + 59 * min, '23 hrs'],
  [day, '1 d'],
  [29 * day, '29 d'],
  [30 * day, '1 mo'],
  [364 * day, '12 mo'],
  [365 * day, '1 yr'],
  [800 * day, '2 yr'],
  [-5 * min, 'sec'],
])('formats a time %i ms ago as "%s" [R9.4]', (ago, text) => {
  const now = 1_700_000_000_000
  expect(timeAgoText(now - ago, now)).toBe(text)
})

test('returns a relative time as a count and a unit, so that it can be translated [R9.4]', () => {
  expect(timeAgo(0, 2 * hr)).toEqual({ count: 2, unit: 'hr' })
})

test('shortens an address in the middle and leaves short text unchanged [R9.4]', () => {
  expect(middleEllipsis('0x1234567890abcdef1234567890abcdef12345678')).toBe('0x12…345678')
  expect(middleEllipsis('0x1234567890abcdef', { start: 6, end: 4 })).toBe('0x1234…cdef')
  expect(middleEllipsis('bakery.eth', { start: 4, end: 0 })).toBe('bake…')
  expect(middleEllipsis('0x123456789')).toBe('0x123456789')
})

test('splits an address into groups of four characters', () => {
  expect(addressGroups('0x1234567890')).toEqual(['0x12', '3456', '7890'])
  expect(addressGroups('')).toEqual([])
})

test('addDecimals adds exactly, and ignores text that is not a number', () => {
  expect(addDecimals(['0.1', '0.2', '1e-20', 'NaN', '9007199254740993'])).toBe('9007199254740993.30000000000000000001')
  expect(addDecimals(['1.5', '-0.5'])).toBe('1')
  expect(addDecimals([])).toBe('0')
})
