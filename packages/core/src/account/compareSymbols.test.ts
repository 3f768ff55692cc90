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
] as const)('the displayed symbol %s and the reported symbol %s are %s', (displayed, reported, expected) => {
  expect(compareSymbols({ symbol: displayed, name: '' }, reported)).toBe(expected)
  expect(compareSymbols({ symbol: reported, name: '' }, displayed)).toBe(expected)
})

test('the result is `unknown` if the contract reports no symbol', () => {
  expect(compareSymbols({ symbol: 'USDC', name: '' }, undefined)).toBe('unknown')
  expect(compareSymbols({ symbol: 'USDC', name: '' }, '\u200b')).toBe('unknown')
})

test('without a displayed symbol, the result is `unknown` if a name is displayed, and `same` for a plain address', () => {
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(compareSymbols({ symbol: '', name: '', address }, 'USDC')).toBe('same')
  expect(compareSymbols({ symbol: '', name: 'EPjF…Dt1v', address }, 'USDC')).toBe('same')
  expect(compareSymbols({ symbol: '', name: 'EPjF…Dt1w', address }, 'USDC')).toBe('unknown')
  expect(compareSymbols({ symbol: '\u200b', name: 'Test Coin', address }, 'WBTC')).toBe('unknown')
})
