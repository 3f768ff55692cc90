import { expect, test } from 'vitest'
import { createVerifier } from './createVerifier.ts'

test('a verifier reads the service’s response only up to a limit, and its verdict is "unknown" if the response exceeds the limit', async () => {
  let read = 0
  const verifier = createVerifier({
    verify: 'https://verify.example',
    fetch: async () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setImmediate(resolve))
            read += 1_000_000
            controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
          },
        }),
      ),
  })
  expect(await verifier.verify({ attestation: 'a.b.c', messageId: '00' }, 'https://shop.example')).toBe('unknown')
  expect(read).toBeLessThan(10_000_000)
})
