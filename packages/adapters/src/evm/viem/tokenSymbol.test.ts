import { createClient, custom, encodeAbiParameters, type Hex, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { readTokenSymbol } from './tokenSymbol.ts'

const token = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const symbolOf = (answer: Hex) =>
  readTokenSymbol(createClient({ transport: custom({ request: async () => answer }) }), token)
const text = (symbol: string) => encodeAbiParameters([{ type: 'string' }], [symbol])

test.each<[string, Hex, string | undefined]>([
  ['a string', text('USD₮0'), 'USD₮0'],
  ['a string with spaces', text(' USDC '), 'USDC'],
  ['bytes32, as older tokens have it', stringToHex('MKR', { size: 32 }), 'MKR'],
  ['bytes32 of the full length', stringToHex('A'.repeat(32)), 'A'.repeat(32)],
  ['an empty string', text(''), undefined],
  ['empty bytes32', `0x${'0'.repeat(64)}`, undefined],
  ['nothing, as an address without a contract does', '0x', undefined],
  ['a broken encoding', `0x${'f'.repeat(128)}`, undefined],
  ['more than a symbol', text('A'.repeat(2_000)), undefined],
])('the symbol is read from %s', async (_, answer, expected) => {
  expect(await symbolOf(answer)).toBe(expected)
})
