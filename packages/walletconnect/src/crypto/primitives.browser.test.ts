import { expect, test } from 'vitest'
import { primitivesSuite } from '../testing/primitivesSuite.ts'
import { webCrypto } from './webCrypto.ts'

primitivesSuite()

// Chromium 150 supports the curves, but not ChaCha20-Poly1305 yet. The suite above uses native algorithms where they are
// supported.
test('Chromium natively supports the curves that the protocol uses', async () => {
  const { signature, agreement } = webCrypto(crypto.subtle)
  const key = crypto.getRandomValues(new Uint8Array(32))
  expect(await agreement.publicKey(key)).toHaveLength(32)
  expect(await signature.publicKey(key)).toHaveLength(32)
})
