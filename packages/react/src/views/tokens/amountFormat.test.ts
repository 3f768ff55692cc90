import { describe, expect, test } from 'vitest'
import { createAmountFormat, isOldPrice } from './amountFormat.ts'
import { exactAmount } from './tokenAmounts.ts'

const en = createAmountFormat('en')
const de = createAmountFormat('de')

describe('createAmountFormat', () => {
  test.each<[value: bigint, decimals: number, shown: string]>([
    [1_239_990_000_000_000_000n, 18, '1.239'],
    [999_999_999_999_999_999n, 18, '0.999'],
    [1_000_000_000_000_000n, 18, '0.001'],
    [999_999_999_999_999n, 18, '0.000'],
    [0n, 18, '0.000'],
    [12_500_000n, 6, '12.5'],
    [7n, 0, '7'],
    [123_456_789_012_345_678_901_234_567_890n, 18, '123,456,789,012.345'],
    [
      2n ** 256n - 1n,
      0,
      '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457,584,007,913,129,639,935',
    ],
  ])('amount(%s, %s) is truncated to three decimals: %s', (value, decimals, shown) => {
    expect(en.amount(value, decimals)).toBe(shown)
  })

  test.each([
    ['12.5', '12.5'],
    ['1234.56789', '1,234.567'],
    ['0.0009', '<0.001'],
    ['0.000', '0'],
    ['0', '0'],
    ['100000000000000000001.9999', '100,000,000,000,000,000,001.999'],
  ])('quantity(%s) is truncated to three decimals: %s', (numeric, shown) => {
    expect(en.quantity(numeric)).toBe(shown)
  })

  test.each([
    ['1234.5', '$1,234.50'],
    ['0', '$0.00'],
    ['0.004', '<$0.01'],
    ['0.01', '$0.01'],
    ['1.994', '$1.99'],
    ['1.995', '$2.00'],
    ['9007199254740993.01', '$9,007,199,254,740,993.01'],
  ])('fiat(%s) is rounded to two decimals: %s', (usd, shown) => {
    expect(en.fiat(usd)).toBe(shown)
  })

  test('uses the separators of the language', () => {
    expect(de.amount(1_234_567_890n, 6)).toBe('1.234,567')
    expect(de.fiat('1234.5')).toBe('1.234,50\u00a0$')
  })
})

test('in Arabic, the dollar sign has no letters, because they would be in the wrong order', () => {
  expect(createAmountFormat('ar').fiat('740.37')).not.toContain('US')
  expect(createAmountFormat('ar').fiat('740.37')).toContain('$')
})

test('isOldPrice is true once a price is older than ten minutes', () => {
  expect(isOldPrice(0, 600_000)).toBe(false)
  expect(isOldPrice(0, 600_001)).toBe(true)
})

test('exactAmount isolates an amount between Arabic words, where its symbol would otherwise come first', () => {
  const token = { decimals: 6, symbol: 'USDC' }
  expect(exactAmount(1_234_500_000n, token, 'ar')).toBe('\u20681,234.5\u2009USDC\u2069')
  expect(exactAmount(1_234_500_000n, token, 'en')).toBe('1,234.5\u2009USDC')
})
