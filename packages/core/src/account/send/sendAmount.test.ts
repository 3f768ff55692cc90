import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import { seededRandom } from '@latchkey/protocol/testing'
import { describe, expect, test } from 'vitest'
import type { Token } from '../portfolioTypes.ts'
import { amountText, fiatValue, maxAmount, parseAmount } from './sendAmount.ts'

const ether: Token = { id: 'native', chain: 'eip155:1', name: 'Ether', symbol: 'ETH', decimals: 18, amount: 10n ** 18n }
const priced = (amount: string, token: Token = ether): Token => ({ ...token, price: { amount, at: 0 } })

/** Creates a seeded generator of numbers and amounts, so that failures can be reproduced. */
function random(seed: number) {
  const { int } = seededRandom(seed)
  const digits = (count: number): string => Array.from({ length: count }, () => String(int(10))).join('')
  return { int, units: (maxDigits: number): bigint => BigInt(digits(1 + int(maxDigits))) }
}

describe('amounts are exact', () => {
  test('at up to 18 decimals, the text of every amount is parsed to the same amount', () => {
    const { int, units } = random(1)
    for (let round = 0; round < 2_000; round++) {
      const token = { ...ether, decimals: 1 + int(18) }
      const amount = units(40)
      expect(parseAmount(amountText(amount, 'token', token), 'token', token)).toBe(amount)
    }
  })

  test('an amount in dollars is never more in tokens than the dollars are worth, and at most one unit less', () => {
    const { int, units } = random(2)
    for (let round = 0; round < 2_000; round++) {
      const token = priced(formatUnits(units(12) + 1n, int(9)), { ...ether, decimals: 1 + int(18) })
      const dollars = formatUnits(units(9), 2)
      const amount = parseAmount(dollars, 'fiat', token)
      if (amount === undefined) throw new Error('There is a price.')
      const places = 40
      const value = (units: bigint) => parseUnits(fiatValue(units, token) ?? '', places) ?? -1n
      const exact = parseUnits(dollars, places) ?? -1n
      expect(value(amount) <= exact).toBe(true)
      expect(value(amount + 1n) > exact).toBe(true)
    }
  })

  test('the maximum and its fee are never more than the balance', () => {
    const { units } = random(3)
    for (let round = 0; round < 2_000; round++) {
      const [balance, fee, more] = [units(22), units(18), units(18)]
      const max = maxAmount({ ...ether, amount: balance }, { amount: fee, maxAmount: fee + more })
      if (max === undefined) throw new Error('The fee is known.')
      expect(max >= 0n).toBe(true)
      expect(max === 0n || max + fee + more <= balance).toBe(true)
    }
  })
})

test('the maximum of a token is its balance, and the maximum of the network’s currency depends on the fee', () => {
  const token: Token = { ...ether, id: 'eip155:1:0xa', address: '0xa', amount: 5n }
  expect(maxAmount(token, undefined)).toBe(5n)
  expect(maxAmount(ether, undefined)).toBeUndefined()
  expect(maxAmount({ ...ether, amount: 10n }, { amount: 4n, maxAmount: 6n })).toBe(4n)
  expect(maxAmount({ ...ether, amount: 5n }, { amount: 4n, maxAmount: 6n })).toBe(0n)
})

test('dollars are rounded down to cents, and a token without a price has no amount in dollars', () => {
  expect(amountText(1_999_999n, 'fiat', priced('3', { ...ether, decimals: 6 }))).toBe('5.99')
  expect(parseAmount('6', 'fiat', priced('3', { ...ether, decimals: 6 }))).toBe(2_000_000n)
  expect(parseAmount('1', 'fiat', ether)).toBeUndefined()
  expect(parseAmount('1', 'fiat', priced('0'))).toBeUndefined()
  expect(fiatValue(1n, ether)).toBeUndefined()
})

test.each(['', '.', '1e5', '-1', '0.0000000000000000001', '0x1', '1,5'])('%o is not an amount', (text) => {
  expect(parseAmount(text, 'token', ether)).toBeUndefined()
})
