import { expect, test } from 'vitest'
import { primitivesSuite } from '../testing/primitivesSuite.ts'
import { webCrypto } from './webCrypto.ts'

primitivesSuite()

test('Chromium has all that the protocol needs by itself', async () => {
  const { cipher, signature, agreement } = webCrypto(crypto.subtle)
  const key = crypto.getRandomValues(new Uint8Array(32))
  const iv = new Uint8Array(12)
  expect(await cipher.open(key, iv, await cipher.seal(key, iv, Uint8Array.of(1)))).toEqual(Uint8Array.of(1))
  expect(await agreement.publicKey(key)).toHaveLength(32)
  expect(await signature.publicKey(key)).toHaveLength(32)
})
