import { expect, test } from 'vitest'
import { dollars, weiOf } from './products.ts'

test('weiOf() never returns less than the price in dollars', () => {
  expect(weiOf(320_000)).toBe(10n ** 18n)
  expect(weiOf(1)).toBe(3_125_000_000_000n)
  expect(weiOf(0)).toBe(0n)
  expect(weiOf(7)).toBe(21_875_000_000_000n)
})

test('dollars() formats a price with two decimals', () => {
  expect(dollars(680)).toBe('$6.80')
})
