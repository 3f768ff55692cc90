import { expect, test } from 'vitest'
import { createSignIn } from './createSignIn.ts'
import { memoryReplayStore } from './replayStore.ts'

const shop = 'https://shop.example'
const signIn = createSignIn({
  origins: [shop],
  secret: 'a test secret of at least 32 characters',
  verifiers: {},
  replayStore: memoryReplayStore(),
})
const requestFrom = (origin: string): Request => new Request(`${shop}/api/keys`, { headers: { origin } })

test('every page can read the public keys', async () => {
  expect((await signIn.handle(requestFrom('https://evil.example'))).status).toBe(200)
})

test.each(['me', 'nonce'] as const)(
  '%s is available only to the server’s own pages, even at a path that ends like the path of the keys',
  async (call) => {
    expect((await signIn[call](requestFrom('https://evil.example'))).status).toBe(401)
    expect((await signIn[call](requestFrom(shop))).ok).toBe(true)
  },
)
