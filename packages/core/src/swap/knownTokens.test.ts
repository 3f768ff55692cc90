import { expect, test } from 'vitest'
import { imitatesKnownToken } from './knownTokens.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const fake = '0x00000000000000000000000000000000000fA4E0'
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const wrapped = { symbol: 'WETH', address: weth }

test.each([
  ['USDC', usdc, false],
  ['USDC', fake, true],
  ['usdc', fake, true],
  // The first letter is Cyrillic.
  ['UЅDC', fake, true],
  ['USDT', usdc, true],
  ['WETH', weth, false],
  ['WETH', fake, true],
  ['USDC.e', fake, false],
  ['PEPE', fake, false],
])('whether the token %s at %s imitates a well-known token: %s', (symbol, address, expected) => {
  expect(imitatesKnownToken({ chain: 'eip155:1', address, symbol }, wrapped)).toBe(expected)
})

test('tokens on networks without known contracts are never imitations', () => {
  expect(imitatesKnownToken({ chain: 'eip155:31337', address: fake, symbol: 'USDC' }, undefined)).toBe(false)
})
