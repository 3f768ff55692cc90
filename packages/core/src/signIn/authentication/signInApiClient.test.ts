import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createSignInApiClient } from './signInApiClient.ts'

const chunk = new Uint8Array(1_000_000).fill(0x20)

test.each([200, 500])('an endless response with status %i is read only up to a size limit', async (status) => {
  let read = 0
  const ask = createSignInApiClient({
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

test('a response that stalls resolves to undefined when the time limit is reached', async () => {
  const clock = fakeClock(0)
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const ask = createSignInApiClient({
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

/** Sends a request to a server that returns `response`. */
function answered(response: Response, path: 'me' | 'otp' | 'authenticate' = 'authenticate') {
  return createSignInApiClient({
    url: 'https://connect.example',
    projectId: 'shop',
    withCookies: true,
    origin: () => 'https://shop.example',
    clock: fakeClock(Date.parse('2026-11-22T12:00:00Z')),
    fetch: async () => response,
  })({ method: 'POST', path, chain: 'eip155:10' })
}
const refusedFor = (field: string, status: number, headers: Record<string, string> = {}) =>
  Response.json({ reasons: [{ field, description: `about ${field}` }] }, { status, headers })

test.each([
  ['origin', 403, 'app/origin-not-allowed'],
  ['projectId', 401, 'app/no-project'],
  ['authorization', 401, 'sign-in/not-authenticated'],
  ['nonce', 400, 'sign-in/spent'],
  ['signature', 400, 'sign-in/invalid'],
  ['otp', 400, 'sign-in/code-needed'],
  ['code', 400, 'sign-in/wrong-code'],
  ['email', 400, 'input/invalid'],
  ['domain', 400, 'sign-in/refused'],
  // In these cases the server failed, or it could not reach a node for the network. The sign-in itself was not refused.
  ['signature', 503, 'sign-in/no-node'],
  ['nonce', 503, 'http/failed'],
  ['signature', 500, 'http/failed'],
  ['authorization', 500, 'http/failed'],
])('a response with the reason %s and status %i is reported as %s', async (field, status, code) => {
  await expect(answered(refusedFor(field, status))).rejects.toMatchObject({ code })
})

test('the error for a contract that no node could verify includes the chain that the user signed in on', async () => {
  await expect(answered(refusedFor('signature', 503))).rejects.toMatchObject({
    details: { chain: 'eip155:10', message: 'about signature' },
  })
})

test.each(['90', 'Sun, 22 Nov 2026 12:01:30 GMT'])(
  'an error from a busy server includes the delay from Retry-After: %s',
  async (after) => {
    const headers = { 'retry-after': after }
    await expect(answered(refusedFor('otp', 429, headers), 'otp')).rejects.toMatchObject({
      code: 'email/throttled',
      details: { seconds: 90 },
    })
    await expect(answered(new Response('', { status: 503, headers }), 'me')).rejects.toMatchObject({
      code: 'http/failed',
      details: { status: 503, retryAfterMs: 90_000 },
    })
  },
)

test('only the request that signs out outlives the page', async () => {
  const sent: [path: string, keepalive: boolean | undefined][] = []
  const request = createSignInApiClient({
    url: 'https://connect.example',
    projectId: 'shop',
    withCookies: true,
    origin: () => 'https://shop.example',
    clock: fakeClock(0),
    async fetch(url, init) {
      sent.push([new URL(String(url)).pathname, init?.keepalive])
      return new Response(null, { status: 204 })
    },
  })
  await request({ method: 'POST', path: 'sign-out' })
  await request({ method: 'GET', path: 'me' })
  expect(sent).toEqual([
    ['/auth/v1/sign-out', true],
    ['/auth/v1/me', false],
  ])
})
