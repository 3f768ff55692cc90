import { fromHex, toBase58, toUtf8 } from '@latchkey/protocol/bytes'
import type { AccountId } from '@latchkey/protocol/caip'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  address,
  compileOffchainMessageV0Envelope,
  compileOffchainMessageV1Envelope,
  OffchainMessageContentFormat,
  offchainMessageApplicationDomain,
} from '@solana/kit'
import { expect, test } from 'vitest'
import { solanaVerifier } from './solana.ts'

const verify = solanaVerifier()
const secret = new Uint8Array(32).fill(7)
const key = ed25519.getPublicKey(secret)
const at = (bytes: Uint8Array): AccountId => `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${toBase58(bytes)}`
const hex = (text: string): Uint8Array => fromHex(text) ?? new Uint8Array()

// The vectors in RFC 8032, section 7.1, whose messages are text.
test.each([
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'r',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
])('the RFC 8032 vector with the key %s verifies', async (publicKey, message, signature) => {
  const signed = { account: at(hex(publicKey)), message, signature: toBase58(hex(signature)) }
  expect(await verify(signed)).toBe(true)
  expect(await verify({ ...signed, message: `${message} ` })).toBe(false)
})

test('a key of small order is rejected, although its zero signature matches every message', async () => {
  // The keys are the neutral point, a point of order eight, and a point of order two. R is the neutral point and S is zero.
  for (const weak of [
    `01${'00'.repeat(31)}`,
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    `ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f`,
  ]) {
    const signature = toBase58(hex(`01${'00'.repeat(63)}`))
    for (const message of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(await verify({ account: at(hex(weak)), message, signature })).toBe(false)
  }
})

test.each(['one line', 'two\nlines', 'Grüße 🦊', 'long '.repeat(300)])(
  'a hardware wallet’s signature of an off-chain message that contains the text verifies: %#',
  async (message) => {
    const bytes = toUtf8(message)
    const requiredSignatories = [{ address: address(toBase58(key)) }]
    const plain = /^[ -~]+$/.test(message)
    const format = plain
      ? OffchainMessageContentFormat.RESTRICTED_ASCII_1232_BYTES_MAX
      : OffchainMessageContentFormat.UTF8_1232_BYTES_MAX
    const applicationDomain = offchainMessageApplicationDomain('1'.repeat(32))
    const zero =
      bytes.length > 1_100
        ? { format: OffchainMessageContentFormat.UTF8_65535_BYTES_MAX, text: message }
        : { format, text: message }
    // The off-chain messages are created with Solana's own library.
    const envelopes = [
      compileOffchainMessageV0Envelope({
        version: 0,
        applicationDomain,
        content: zero as never,
        requiredSignatories,
      }),
      compileOffchainMessageV1Envelope({ version: 1, content: message, requiredSignatories }),
    ]
    for (const { content } of envelopes) {
      const signature = toBase58(ed25519.sign(new Uint8Array(content), secret))
      expect(await verify({ account: at(key), message, signature })).toBe(true)
      expect(await verify({ account: at(key), message: `${message}.`, signature })).toBe(false)
    }
  },
)

test('a message with the header of early hardware wallets is accepted, unless its version or text differs from what is expected', async () => {
  const message = 'two\nlines'
  const signed = (head: readonly number[], text = message): string =>
    toBase58(ed25519.sign(new Uint8Array([0xff, ...toUtf8('solana offchain'), ...head, ...toUtf8(text)]), secret))
  const holds = (signature: string): Promise<boolean> => verify({ account: at(key), message, signature })
  expect(await holds(signed([0, 0, 9, 0]))).toBe(true)
  expect(await holds(signed([0, 1, 9, 0]))).toBe(true)
  expect(await holds(signed([2, 1, 9, 0]))).toBe(false)
  expect(await holds(signed([0, 1, 10, 0], `${message}!`))).toBe(false)
  expect(await holds(signed([0, 1, 8, 0]))).toBe(false)
})
