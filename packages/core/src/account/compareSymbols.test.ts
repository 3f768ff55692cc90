import { expect, test } from 'vitest'
import { compareSymbols } from './compareSymbols.ts'

test.each([
  ['USDC', 'USDC', 'same'],
  ['wBTC', 'WBTC', 'same'],
  ['USDC', 'USD\u200bC', 'same'],
  ['USDC', 'USDC.e', 'similar'],
  ['BTC.b', 'BTC', 'similar'],
  ['USDC', 'm.USDC', 'similar'],
  ['USDT', 'USD₮0', 'similar'],
  ['USDT', 'USD₮', 'similar'],
  ['USDC', 'WBTC', 'different'],
  // The last letter is Cyrillic.
  ['USDC', 'USDС', 'different'],
  ['USDC', 'USDC1', 'different'],
  ['USD', 'USDC', 'different'],
  ['🐸', '🚀', 'different'],
] as const)('%s, whose contract reports %s, is %s', (displayed, reported, expected) => {
  expect(compareSymbols(displayed, reported)).toBe(expected)
  expect(compareSymbols(reported, displayed)).toBe(expected)
})

test('a token without a displayed symbol has no wrong one, and one without a reported symbol is unknown', () => {
  expect(compareSymbols('', 'USDC')).toBe('same')
  expect(compareSymbols('\u200b', 'USDC')).toBe('same')
  expect(compareSymbols('USDC', undefined)).toBe('unknown')
  expect(compareSymbols('USDC', '\u200b')).toBe('unknown')
})
