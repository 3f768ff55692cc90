import { readFileSync } from 'node:fs'
import { fromBase64Url, fromHex, fromUtf8, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { describe, expect, test } from 'vitest'
import type { Primitives } from './crypto/primitiveTypes.ts'
import { openEnvelope, readEnvelope, seal } from './envelope.ts'
import { formatPairingUri, parsePairingUri } from './pairingUri.ts'
import { didKey, relayToken } from './relay/relayAuthToken.ts'
import { cryptoEngines } from './testing/cryptoEngines.ts'

// The vectors come from the public standards. `e2e/referenceClientVectors.spec.ts` checks them against the official client.
const vectors = JSON.parse(readFileSync(new URL('./testing/vectors.json', import.meta.url), 'utf8'))

const bytes = (hex: string): Uint8Array => fromHex(`0x${hex}`) as Uint8Array
const hex = (value: Uint8Array): string => toHex(value).slice(2)

describe.each(cryptoEngines())('$name', ({ load }) => {
  test('derives the public keys, shared secret, session key and topic in the vectors', async () => {
    const { agreement, hkdf, sha256 } = await load()
    const { alice, bob, shared, key, topic } = vectors.agreement
    for (const { privateKey, publicKey } of [alice, bob])
      expect(hex(await agreement.publicKey(bytes(privateKey)))).toBe(publicKey)
    const secret = await agreement.shared(bytes(alice.privateKey), bytes(bob.publicKey))
    expect(hex(secret)).toBe(shared)
    expect(hex(await hkdf(secret))).toBe(key)
    expect(hex(await sha256(bytes(key)))).toBe(topic)
  })

  test('encrypts and decrypts both envelope types in the vectors', async () => {
    const loaded = await load()
    const { iv, text, type0, type1 } = vectors.envelope
    const crypto: Primitives = { ...loaded, random: () => bytes(iv) }
    const key = bytes(vectors.agreement.key)
    const sender = bytes(vectors.agreement.alice.publicKey)
    expect(await seal(crypto, { key, text })).toBe(type0)
    expect(await seal(crypto, { key, text, sender })).toBe(type1)
    for (const message of [type0, type1]) {
      const envelope = readEnvelope(message)
      if (!envelope) throw new Error('It is one')
      expect(await openEnvelope(crypto, { envelope, key })).toBe(text)
    }
    expect(readEnvelope(type1)?.sender).toEqual(sender)
  })

  test('a token contains the public key that verifies its signature', async () => {
    const crypto = await load()
    const { seed, publicKey, did } = vectors.token
    expect(didKey(bytes(publicKey))).toBe(did)
    const token = await relayToken(crypto, {
      seed: bytes(seed),
      audience: 'wss://relay.example',
      now: 1_700_000_000_000,
    })
    const [header = '', claims = '', signature = ''] = token.split('.')
    const read = (part: string): unknown => JSON.parse(fromUtf8(fromBase64Url(part) as Uint8Array) ?? '')
    expect(read(header)).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(read(claims)).toMatchObject({ iss: did, aud: 'wss://relay.example', iat: 1_700_000_000, exp: 1_700_086_400 })
    const signed = fromBase64Url(signature) as Uint8Array
    expect(await crypto.signature.verify(bytes(publicKey), toUtf8(`${header}.${claims}`), signed)).toBe(true)
  })
})

test('formats and parses the pairing URI in the vectors', () => {
  const { uri, topic, symKey, expiry } = vectors.pairing
  const pairing = { topic, symKey: bytes(symKey), expiry, methods: ['wc_sessionAuthenticate'] }
  expect(formatPairingUri(pairing)).toBe(uri)
  expect(parsePairingUri(uri)).toEqual(pairing)
})
