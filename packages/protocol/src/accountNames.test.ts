import { expect, test } from 'vitest'
import { chainIdOfCoinType, coinTypeOf, isNameZone, labelProblem, registrationMessage } from './accountNames.ts'

test('an account name has at least four letters, digits or hyphens [R5.15]', () => {
  for (const label of ['abcd', 'ab-1', '1234', 'a'.repeat(64)]) expect(labelProblem(label), label).toBeUndefined()
  expect(labelProblem('abc')).toBe('too-short')
  expect(labelProblem('a'.repeat(65))).toBe('too-long')
  for (const label of ['ab_1', 'ab 1', 'ab.1', 'Abcd', '!abcd', 'аlice', 'alice\u200d'])
    expect(labelProblem(label), label).toBe('characters')
})

test('hyphens are not allowed at the start or end of a label, or together in the third and fourth position', () => {
  for (const label of ['-abc', 'abc-', 'xn--80ak6aa92e', 'ab--cd']) expect(labelProblem(label), label).toBe('hyphens')
  expect(labelProblem('abc--d')).toBeUndefined()
})

test('a zone has two labels', () => {
  for (const zone of ['shop.example', 'a.b', 'my-shop.example']) expect(isNameZone(zone), zone).toBe(true)
  for (const zone of ['shop', 'a.b.c', '-a.b', 'a-.b', 'A.b', '', 'a.', 'ä.b'])
    expect(isNameZone(zone), zone).toBe(false)
})

test('coin types of EVM chains follow ENSIP-11', () => {
  expect(coinTypeOf(1)).toBe(2_147_483_649)
  expect(coinTypeOf(137)).toBe(2_147_483_785)
  for (const chainId of [0, -1, 1.5, 2_147_483_648]) expect(() => coinTypeOf(chainId)).toThrow('Invalid chainId')
  expect([60, 2_147_483_649, 2_147_483_785, 0, 501, 2_147_483_648, 4_294_967_296].map(chainIdOfCoinType)).toEqual([
    1,
    1,
    137,
    ...Array(4).fill(undefined),
  ])
})

test('the signed text is compact JSON', () => {
  expect(registrationMessage({ name: 'alice.shop.example', timestamp: 1_700_000_000 })).toBe(
    '{"name":"alice.shop.example","attributes":{},"timestamp":1700000000}',
  )
})
