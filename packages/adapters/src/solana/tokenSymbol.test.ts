import { toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { littleEndian } from './encodeTransaction.ts'
import type { SolanaNode } from './solanaNode.ts'
import { readTokenSymbol } from './tokenSymbol.ts'

const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const metaplex = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
// The address that Metaplex's library derives for the mint.
const metadataAddress = '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq'

const text = (value: string, length = toUtf8(value).length) => {
  const bytes = new Uint8Array(length)
  bytes.set(toUtf8(value))
  return [...littleEndian(BigInt(length), 4), ...bytes]
}
const zeros = (length: number) => Array.from({ length }, () => 0)
const account = (owner: string, bytes: readonly number[]) => ({
  executable: false,
  lamports: 1n,
  owner,
  data: [toBase64(Uint8Array.from(bytes)), 'base64'],
})
const extension = (type: number, bytes: readonly number[]) => [
  ...littleEndian(BigInt(type), 2),
  ...littleEndian(BigInt(bytes.length), 2),
  ...bytes,
]

const plainMint = account(tokenProgram, zeros(82))
const named = (owner: string, symbol = 'USDC') =>
  account(owner, [...zeros(65), ...text('USD Coin', 32), ...text(symbol, 10), ...text('https://example.com', 200)])
const withExtensions = (...extensions: readonly (readonly number[])[]) =>
  account(token2022, [...zeros(165), 1, ...extensions.flat()])
const ownName = extension(19, [...zeros(64), ...text('Own Coin'), ...text('OWN'), ...text('https://example.com')])

/** Reads the symbol from `accounts`: the mint and its Metaplex account. */
async function symbolOf(...accounts: readonly unknown[]) {
  let requested: unknown
  const node: SolanaNode = {
    async call(_, params) {
      requested = params[0]
      return accounts as never
    },
  }
  const symbol = await readTokenSymbol(node, mint)
  expect(requested).toEqual([mint, metadataAddress])
  return symbol
}

test('the symbol of a token is read from Metaplex, or from the mint itself', async () => {
  expect(await symbolOf(plainMint, named(metaplex))).toBe('USDC')
  expect(await symbolOf(withExtensions(extension(3, zeros(32)), ownName), undefined)).toBe('OWN')
  expect(await symbolOf(withExtensions(ownName), named(metaplex))).toBe('OWN')
  expect(await symbolOf(withExtensions(extension(3, zeros(32))), named(metaplex))).toBe('USDC')
})

test('a token without metadata, or with invalid metadata, has no symbol', async () => {
  expect(await symbolOf(plainMint, undefined)).toBeUndefined()
  expect(await symbolOf(undefined, named(metaplex))).toBeUndefined()
  expect(await symbolOf(account(metaplex, zeros(82)), named(metaplex))).toBeUndefined()
  // Anyone can send funds to the address, but only Metaplex can own an account there.
  expect(await symbolOf(plainMint, named(tokenProgram))).toBeUndefined()
  expect(await symbolOf(plainMint, named(metaplex, ''))).toBeUndefined()
  expect(await symbolOf(plainMint, account(metaplex, zeros(40)))).toBeUndefined()
  expect(await symbolOf(withExtensions(extension(19, zeros(10))), undefined)).toBeUndefined()
})
