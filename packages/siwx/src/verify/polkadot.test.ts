import { toBase58, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { AccountId } from '@latchkey/protocol/caip'
import { ed25519, ristretto255 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { getPublicKey, secretFromSeed, sign } from '@scure/sr25519'
import { expect, test } from 'vitest'
import { polkadotVerifier } from './polkadot.ts'

const verify = polkadotVerifier()
const kusama = 'polkadot:b0a8d493285c2df73290dfb7e61f870f'
const unknown = 'polkadot:00000000000000000000000000000000'

// These signatures were published with the library that Polkadot's own wallets use. The addresses have the prefixes of Kusama
// and other chains.
const ed = 'DxN4uvzwPzJLtn17yew6jEffPhXQfdKHTp2brufb98vGbPN'
const sr = 'EK1bFgKm2FsghcttHT7TB7rNyXApFgs9fCbijMGQNyFGBQm'
const wrapped = 'J9nD3s7zssCX7bion1xctAF6xcVexcpy2uwy4jTm9JL8yuK'
const ec = 'XyFVXiGaHxoBhXZkSh6NS2rjFyVaVNUo5UiZDqZbuSfUdji'
const byEd =
  '299d3bf4c8bb51af732f8067b3a3015c0862a5ff34721749d8ed6577ea2708365d1c5f76bd519009971e41156f12c70abc2533837ceb3bad9a05a99ab923de06'
const bySr =
  'ca01419b5a17219f7b78335658cab3b126db523a5df7be4bfc2bef76c2eb3b1dcf4ca86eb877d0a6cf6df12db5995c51d13b00e005d053b892bd09c594434288'
const bySrWrapped =
  '84b6afb1c8e54bbcb3f4872baf172580e21310e9387a53742627d6652d121447fa406b82805ed3184fb7bd519175cc9f99f283f97954d95cf966ee164df85489'
const byEc =
  '994638ee586d2c5dbd9bacacbc35d9b7e9018de8f7892f00c900db63bc57b1283e2ee7bc51a9b1c1dae121ac4f4b9e2a41cd1d6bf4bb3e24d7fed6faf6d85e0501'

test.each([
  ['ed25519', ed, `0x${byEd}`],
  ['ed25519 with a type byte', ed, `0x00${byEd}`],
  ['sr25519', sr, `0x${bySr}`],
  ['sr25519 with a type byte', sr, `0x01${bySr}`],
  ['sr25519 with the message wrapped by an extension', wrapped, `0x${bySrWrapped}`],
  ['ECDSA', ec, `0x${byEc}`],
  ['ECDSA with a type byte', ec, `0x02${byEc}`],
])('a published signature verifies: %s', async (_, address, signature) => {
  const signed = { account: `${unknown}:${address}` as const, message: 'hello world', signature }
  expect(await verify(signed)).toBe(true)
  expect(await verify({ ...signed, message: 'hello worlD' })).toBe(false)
  for (const other of [ed, sr, wrapped, ec].filter((candidate) => candidate !== address))
    expect(await verify({ ...signed, account: `${unknown}:${other}` })).toBe(false)
})

test('a type byte for a different scheme is rejected, not ignored', async () => {
  const holds = (address: string, signature: string): Promise<boolean> =>
    verify({ account: `${unknown}:${address}`, message: 'hello world', signature })
  expect(await holds(ed, `0x01${byEd}`)).toBe(false)
  expect(await holds(sr, `0x00${bySr}`)).toBe(false)
  expect(await holds(ec, `0x01${byEc}`)).toBe(false)
  expect(await holds(ec, `0x${byEc.slice(0, -2)}00`)).toBe(false)
  expect(await holds(ec, `0x${byEc.slice(0, -2)}1c`)).toBe(false)
  // Moonbeam accounts are 20 bytes long.
  expect(await holds('0x54Dab85EE2c7b9F7421100d7134eFb5DfA4239bF', `0x${byEc}`)).toBe(false)
})

/** Encodes an SS58 address with a prefix of one or two bytes. */
function ss58(key: Uint8Array, prefix: number, checksum?: Uint8Array, spelled?: readonly number[]): string {
  const short = prefix < 64 ? [prefix] : [((prefix & 0xfc) >> 2) | 0x40, (prefix >> 8) | ((prefix & 3) << 6)]
  const body = new Uint8Array([...(spelled ?? short), ...key])
  const sum = checksum ?? blake2b(new Uint8Array([...toUtf8('SS58PRE'), ...body])).subarray(0, 2)
  return toBase58(new Uint8Array([...body, ...sum]))
}

test('on an unknown chain, an address can have any prefix, and on a known chain, its prefix must be the chain’s own or 42', async () => {
  const pair = secretFromSeed(new Uint8Array(32).fill(3))
  const key = getPublicKey(pair)
  const signature = toHex(sign(pair, toUtf8('<Bytes>hello</Bytes>')))
  const holds = (account: string): Promise<boolean> =>
    verify({ account: account as AccountId, message: 'hello', signature })
  for (const prefix of [0, 2, 5, 42, 63, 64, 255, 1284, 16383])
    expect([prefix, await holds(`${unknown}:${ss58(key, prefix)}`)]).toEqual([prefix, true])
  expect(await holds(`${kusama}:${ss58(key, 2)}`)).toBe(true)
  expect(await holds(`${kusama}:${ss58(key, 42)}`)).toBe(true)
  expect(await holds(`${kusama}:${ss58(key, 0)}`)).toBe(false)
  expect(await holds(`polkadot:91b171bb158e2d3848fa23a9f1c25182:${ss58(key, 0)}`)).toBe(true)
  expect(await holds(`polkadot:91b171bb158e2d3848fa23a9f1c25182:${ss58(key, 2)}`)).toBe(false)
  // A small prefix must not use the long encoding.
  expect(await holds(`${unknown}:${ss58(key, 5, undefined, [0x41, 0x40])}`)).toBe(false)
  // A wrong checksum is rejected, and so is a key without a prefix and checksum.
  expect(await holds(`${unknown}:${ss58(key, 42, new Uint8Array([1, 2]))}`)).toBe(false)
  expect(await holds(`${unknown}:${toBase58(key)}`)).toBe(false)
  expect(await holds(`${unknown}:${toHex(key)}`)).toBe(false)
})

test('ed25519 and ECDSA keys can also sign wrapped messages, and ECDSA signatures with high s are rejected', async () => {
  const secret = new Uint8Array(32).fill(4)
  const text = toUtf8('<Bytes>hello</Bytes>')
  const account = `${unknown}:${ss58(ed25519.getPublicKey(secret), 42)}` as const
  expect(await verify({ account, message: 'hello', signature: toHex(ed25519.sign(text, secret)) })).toBe(true)

  const hash = blake2b(text, { dkLen: 32 })
  const owner = blake2b(secp256k1.getPublicKey(secret), { dkLen: 32 })
  const [recovery = 0, ...proof] = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
  const { r, s } = secp256k1.Signature.fromBytes(new Uint8Array(proof))
  const twin = new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
  const holds = (bytes: readonly number[]): Promise<boolean> =>
    verify({
      account: `${unknown}:${ss58(owner, 42)}`,
      message: 'hello',
      signature: toHex(new Uint8Array(bytes)),
    })
  expect(await holds([...proof, recovery])).toBe(true)
  expect(await holds([...twin, recovery ^ 1])).toBe(false)
})

test('weak keys are rejected, including the burn address and points of small order', async () => {
  const zeros = new Uint8Array(32)
  // With a secret of zero, R is r·B and s is r for any message.
  const forged = [1, 2, 3].map((r) => {
    const s = new Uint8Array(32)
    s[0] = r
    s[31] = 0x80
    return toHex(new Uint8Array([...ristretto255.Point.BASE.multiply(BigInt(r)).toBytes(), ...s]))
  })
  const neutral = new Uint8Array([1, ...new Uint8Array(31)])
  const weak = toHex(new Uint8Array([...neutral, ...new Uint8Array(32)]))
  for (const message of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    for (const signature of [...forged, weak])
      for (const key of [zeros, neutral])
        expect(await verify({ account: `${unknown}:${ss58(key, 42)}`, message, signature })).toBe(false)
  }
})
