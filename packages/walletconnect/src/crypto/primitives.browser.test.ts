import { expect, test } from 'vitest'
import { primitivesSuite } from '../testing/primitivesSuite.ts'
import { webCrypto } from './webCrypto.ts'

primitivesSuite()

// ChaCha20-Poly1305 came later than the curves: Chromium 150 has none yet. The suite above runs with whatever there is.
test('Chromium has the curves of the protocol by itself', async () => {
  const { signature, agreement } = webCrypto(crypto.subtle)
  const key = crypto.getRandomValues(new Uint8Array(32))
  expect(await agreement.publicKey(key)).toHaveLength(32)
  expect(await signature.publicKey(key)).toHaveLength(32)
})
