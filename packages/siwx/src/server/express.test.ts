import { once } from 'node:events'
import { createServer, IncomingMessage } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createSignIn } from './createSignIn.ts'
import { sessionOf, signInMiddleware } from './express.ts'
import { memoryReplayStore } from './replayStore.ts'

const options = { origins: ['https://shop.example'], verifiers: {}, replayStore: memoryReplayStore() } as const
const signIn = createSignIn({ ...options, secret: 'a test secret of at least 32 characters' })

// Express 4 and Node.js end the process if a handler rejects.
describe('a malformed request has no session and does not end the process', () => {
  test.each<[string, Partial<IncomingMessage>]>([
    ['a path that starts with two slashes', { url: '//' }],
    ['an invalid absolute URL', { url: 'http://[' }],
    ['a method that pages cannot use', { method: 'TRACE' }],
    ['an invalid host', { headers: { host: 'a b' } }],
    ['a host with an invalid port', { headers: { host: 'shop.example:99999' } }],
  ])('%s', async (_, init) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/', ...init })
    await expect(sessionOf(signIn, request)).resolves.toBeUndefined()
  })
})

describe('over HTTP', () => {
  /** Sends a request to a Node.js server that uses the middleware, from a page on the allowed origin. */
  async function send(path: string, init: RequestInit = {}, handlers = signIn): Promise<Response> {
    const server = createServer((request, response) => void signInMiddleware(handlers)(request, response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const headers = { origin: 'https://shop.example', ...init.headers }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
      return new Response(response.status === 204 ? null : await response.arrayBuffer(), response)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test('each cookie is sent in its own header', async () => {
    const response = await send('/auth/v1/nonce')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ nonce: expect.any(String), token: null })
    expect(response.headers.getSetCookie()).toEqual([expect.stringContaining('sign-in-nonce')])
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect((await send('/auth/v1/me')).status).toBe(204)
  })

  test('a body that is too long is rejected, even if its length is not sent', async () => {
    const text = 'x'.repeat(1_000_000)
    const stream = new Blob([text]).stream()
    const bodies: RequestInit[] = [{ body: text }, { body: stream, duplex: 'half' } as RequestInit]
    for (const body of bodies) {
      const response = await send('/auth/v1/authenticate', { method: 'POST', ...body })
      expect([response.status, await response.json()]).toEqual([
        413,
        { status: 'FAILED', reasons: [{ field: 'body', description: 'The body is longer than 65536 bytes' }] },
      ])
    }
  })

  test('if no secret is configured, the request fails and the process keeps running', async () => {
    expect((await send('/auth/v1/nonce', {}, createSignIn({ ...options, secret: '' }))).status).toBe(500)
  })
})
