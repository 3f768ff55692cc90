import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createAuthApi } from './authApi.ts'

const chunk = new Uint8Array(1_000_000).fill(0x20)

test.each([200, 500])('a sign-in server that answers %i without end is read to a limit', async (status) => {
  let read = 0
  const ask = createAuthApi({
    url: 'https://connect.example',
    projectId: 'shop',
    withCookies: false,
    origin: () => 'https://shop.example',
    clock: fakeClock(0),
    fetch: async () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise((resolve) => setImmediate(resolve))
            read += chunk.length
            controller.enqueue(chunk)
          },
        }),
        { status },
      ),
  })
  const answer = ask({ method: 'GET', path: 'me' })
  if (status === 200) expect(await answer).toBeUndefined()
  else await expect(answer).rejects.toMatchObject({ code: 'http/failed' })
  expect(read).toBeLessThan(10_000_000)
})

test('an answer that has begun and does not go on ends with the time limit', async () => {
  const clock = fakeClock(0)
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const ask = createAuthApi({
    url: 'https://connect.example',
    projectId: 'shop',
    withCookies: false,
    origin: () => 'https://shop.example',
    clock,
    fetch: async (_, init) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{'))
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
            begun()
          },
        }),
      ),
  })
  const answer = ask({ method: 'GET', path: 'me' })
  await hasBegun
  await clock.pass(30_000)
  expect(await answer).toBeUndefined()
})
