import { fromHex, toHex } from '@latchkey/protocol/bytes'
import { seededRandom } from '@latchkey/protocol/testing'
import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Bytes, systemEnvironment } from '../cryptoEnvironment.ts'
import { deriveAddresses } from './deriveAddresses.ts'
import { entropyToSeed, entropyToWords } from './mnemonic.ts'
import { derivePolkadotAddress } from './polkadot.ts'
import { withRootSecret } from './rootSecret.ts'
import { deriveEd25519Key } from './slip10.ts'
import { deriveSolanaKey } from './solana.ts'

const environment = systemEnvironment()
const entropyOf = (words: string) => new Uint8Array(mnemonicToEntropy(words, wordlist)) as Bytes

// BIP-84 and BIP-86 list the Bitcoin addresses for this mnemonic. The other addresses are those that common wallets show for it.
const abandon = `${'abandon '.repeat(11)}about`

test('a published mnemonic yields the published address in each of the five namespaces', async () => {
  const addresses = await withRootSecret(environment, entropyOf(abandon), (root) => deriveAddresses(environment, root))
  expect(addresses).toEqual({
    eip155: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    solana: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    bip122: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    bip122Taproot: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    cosmos: 'cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4',
    polkadot: expect.stringMatching(/^1[1-9A-HJ-NP-Za-km-z]{46,47}$/),
  })
})

test('the Substrate development mnemonic yields the development account', async () => {
  const words = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk'
  const address = await withRootSecret(environment, entropyOf(words), (root) =>
    derivePolkadotAddress(environment, root, 42),
  )
  expect(address).toBe('5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV')
})

// SLIP-0010, test vectors 1 and 2 for ed25519.
test.each([
  ['000102030405060708090a0b0c0d0e0f', "m/0'", '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
  [
    '000102030405060708090a0b0c0d0e0f',
    "m/0'/1'/2'/2'/1000000000'",
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    "m/0'/2147483647'/1'/2147483646'/2'",
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
])('the ed25519 key for the seed %s at the path %s matches the test vector', (seed, path, key) => {
  expect(toHex(deriveEd25519Key(fromHex(seed)!, path))).toBe(`0x${key}`)
})

test('ed25519 derivation rejects a step that is not hardened', () => {
  expect(() => deriveEd25519Key(new Uint8Array(32), 'm/44')).toThrow(RangeError)
})

test('the mnemonics, seeds and addresses of 12 random vaults match those from other libraries', async () => {
  const chance = seededRandom(20_261_121)
  for (let round = 0; round < 12; round++) {
    const entropy = Uint8Array.from({ length: 32 }, () => chance.int(256))
    const words = entropyToWords(entropy)
    expect(mnemonicToEntropy(words.join(' '), wordlist)).toEqual(entropy)
    expect(await entropyToSeed(environment, entropy)).toEqual(new Uint8Array(mnemonicToSeedSync(words.join(' '))))
    await withRootSecret(environment, entropy, async (root) => {
      const { eip155, solana } = await deriveAddresses(environment, root)
      expect(eip155).toBe(mnemonicToAccount(words.join(' ')).address)
      expect(solana).toBe((await createKeyPairSignerFromPrivateKeyBytes(deriveSolanaKey(root))).address)
    })
  }
}, 60_000)

test('the seed is wiped after use, even if the callback throws', async () => {
  let lent: Uint8Array = new Uint8Array()
  const failing = withRootSecret(environment, new Uint8Array(32), ({ seed }) => {
    lent = seed
    expect(lent.some((byte) => byte !== 0)).toBe(true)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(lent.every((byte) => byte === 0)).toBe(true)
})
