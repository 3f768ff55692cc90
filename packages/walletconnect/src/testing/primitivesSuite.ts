import { fromHex, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { cryptoEngines } from './cryptoEngines.ts'

/** Defines the tests for the published vectors and for consistency across engines. The tests run in Node and in browsers. */
export function primitivesSuite(): void {
  test.each(cryptoEngines())('X25519 matches the vector in RFC 7748, 6.1: $name', async ({ load }) => {
    const { agreement } = await load()
    const alice = hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a')
    const bob = hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb')
    const shared = '0x4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'
    expect(toHex(await agreement.publicKey(alice))).toBe(
      '0x8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
    )
    expect(toHex(await agreement.shared(alice, await agreement.publicKey(bob)))).toBe(shared)
    expect(toHex(await agreement.shared(bob, await agreement.publicKey(alice)))).toBe(shared)
  })

  test.each(cryptoEngines())(
    'no shared secret is derived from a public key of small order: $name',
    async ({ load }) => {
      const { agreement, random } = await load()
      for (const point of ['00'.repeat(32), `01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`])
        await expect(agreement.shared(random(32), hex(point))).rejects.toThrow()
    },
  )

  test.each(cryptoEngines())('Ed25519 matches the vector in RFC 8032, 7.1: $name', async ({ load }) => {
    const { signature } = await load()
    const seed = hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb')
    const publicKey = await signature.publicKey(seed)
    expect(toHex(publicKey)).toBe('0x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')
    const signed = await signature.sign(seed, hex('72'))
    expect(toHex(signed)).toBe(
      '0x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    )
    expect(await signature.verify(publicKey, hex('72'), signed)).toBe(true)
    expect(await signature.verify(publicKey, hex('73'), signed)).toBe(false)
    expect(await signature.verify(publicKey, hex('72'), signed.with(3, 0))).toBe(false)
  })

  test.each(cryptoEngines())(
    'HKDF and SHA-256 match the vectors in RFC 5869, A.3, and FIPS 180-2: $name',
    async ({ load }) => {
      const { hkdf, sha256 } = await load()
      expect(toHex(await hkdf(new Uint8Array(22).fill(0x0b)))).toBe(
        '0x8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
      )
      expect(toHex(await sha256(toUtf8('abc')))).toBe(
        '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      )
    },
  )

  test('all engines produce the same ciphertext, and each can decrypt it', async () => {
    const all = await Promise.all(cryptoEngines().map(({ load }) => load()))
    const [key, iv] = [new Uint8Array(32).fill(1), new Uint8Array(12).fill(2)]
    for (const length of [0, 1, 15, 16, 17, 64, 1_000]) {
      const text = new Uint8Array(length).fill(3)
      const sealed = await Promise.all(all.map(({ cipher }) => cipher.seal(key, iv, text)))
      for (const message of sealed) expect(message).toEqual(sealed[0])
      for (const { cipher } of all) expect(await cipher.open(key, iv, sealed[0] as Uint8Array)).toEqual(text)
    }
  })
}

function hex(text: string): Uint8Array {
  const bytes = fromHex(text)
  if (!bytes) throw new TypeError('No hex')
  return bytes
}
