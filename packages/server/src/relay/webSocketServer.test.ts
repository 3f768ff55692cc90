import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryProjects } from '../memoryPorts.ts'
import { createMetrics } from '../metrics.ts'
import { createMemoryRateLimiter } from '../rateLimiter.ts'
import type { Project } from '../serverPorts.ts'
import { relayToken } from '../testing/relayToken.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { memoryMessageStore } from './messageStore.ts'
import { createRelay } from './relay.ts'
import { createRelayWebSocketServer } from './webSocketServer.ts'

const unhandled: unknown[] = []
const noted = (error: unknown): void => void unhandled.push(error)

async function listen({
  authenticate,
  handshakeTimeoutMs = 60_000,
}: {
  authenticate?: Authenticator['authenticate']
  handshakeTimeoutMs?: number
} = {}) {
  const limits = { connections: 0, messages: 0 }
  const projects: Project[] = []
  const real = createAuthenticator({
    projects: memoryProjects(projects),
    rates: createMemoryRateLimiter(Date.now),
    limits,
    now: Date.now,
  })
  const authenticator = authenticate ? { ...real, authenticate } : real
  const store = memoryMessageStore({ now: Date.now })
  const relay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now: Date.now })
  const sockets = createRelayWebSocketServer({
    relay,
    authenticator,
    clientAddressOf: () => undefined,
    handshakeTimeoutMs,
  })
  const closed: Promise<unknown>[] = []
  const listener = createServer((_, response) => response.end('served'))
    .on('upgrade', sockets.upgrade)
    .on('connection', (socket) => closed.push(new Promise((resolve) => socket.once('close', resolve))))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    port,
    /** The server's side of the next connection. */
    accepted: async (): Promise<Socket> => ((await once(listener, 'connection')) as [Socket])[0],
    /** Resolves when the server has released all sockets. */
    released: () => Promise.all(closed),
    open: (text: string | Buffer, options: { allowHalfOpen?: boolean } = {}): Socket =>
      connect({ port, host: '127.0.0.1', ...options }, function (this: Socket) {
        this.write(text)
      }).on('error', () => {}),
    async close() {
      sockets.close()
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  process.on('unhandledRejection', noted)
  process.on('uncaughtException', noted)
  server = await listen()
})
afterAll(async () => {
  await server.close()
  process.off('unhandledRejection', noted)
  process.off('uncaughtException', noted)
})

const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const version = 'Sec-WebSocket-Version: 13'
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
const wrong: Readonly<Record<string, readonly string[]>> = {
  'no key': [...upgrade, version],
  'an empty key': [...upgrade, version, 'Sec-WebSocket-Key:'],
  'a short key': [...upgrade, version, 'Sec-WebSocket-Key: YQ=='],
  'a key of other letters': [...upgrade, version, 'Sec-WebSocket-Key: ££££££££££££££££££££££=='],
  'two keys': [...upgrade, version, key, key],
  'no version': [...upgrade, key],
  'version 12': [...upgrade, key, 'Sec-WebSocket-Version: 12'],
  'a version that is no number': [...upgrade, key, 'Sec-WebSocket-Version: x'],
  'two versions': [...upgrade, key, version, 'Sec-WebSocket-Version: 8'],
  h2c: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  'two protocols to upgrade to': ['Connection: Upgrade', 'Upgrade: websocket, h2c', key, version],
  'an unknown protocol': ['Connection: Upgrade', 'Upgrade: x', key, version],
  'a bad subprotocol': [...upgrade, key, version, 'Sec-WebSocket-Protocol: a,,b'],
  'a subprotocol twice': [...upgrade, key, version, 'Sec-WebSocket-Protocol: a, a'],
  'subprotocols without end': [...upgrade, key, version, `Sec-WebSocket-Protocol: ${'a,'.repeat(3_000)}`],
  'an odd extension': [
    ...upgrade,
    key,
    version,
    'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
  ],
  'no token': [...upgrade, key, version],
  'two hosts': ['Host: a', ...upgrade, key, version],
  'a body': [...upgrade, key, version, 'Content-Length: 5'],
  'a chunked body': [...upgrade, key, version, 'Transfer-Encoding: chunked'],
  'an authorization that is none': [...upgrade, key, version, 'Authorization: Bearer \u00ff'],
}
const targets = ['/', '/?useOnCloseEvent=true', '/?useOnCloseEvent=true&auth=a.b.c&projectId=%00', '//', '*', '/?%']
const attempts = Object.entries(wrong).flatMap(([name, lines]) =>
  targets.flatMap((target) => ['GET', 'POST', 'HEAD', 'OPTIONS'].map((method) => ({ name, lines, target, method }))),
)

test(`an invalid upgrade, in any of ${attempts.length} ways, is answered and leaves neither an error nor a socket`, async () => {
  for (const { lines, target, method } of attempts) {
    const socket = server.open(
      Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    )
    socket.once('data', () => socket.end())
    await once(socket, 'close')
  }
  await server.released()
  expect(unhandled).toEqual([])
}, 60_000)

test.each(['', '?useOnCloseEvent=true'])(
  'an upgrade that is reset during authentication leaves nothing behind: /%s',
  async (query) => {
    const request = `GET /${query} HTTP/1.1\r\nHost: x\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
    const looked: ((error: Error) => void)[] = []
    const slow = await listen({ authenticate: () => new Promise((_, reject) => looked.push(reject)) })
    for (const piece of [request, `${request}${'\u0081'.repeat(50)}`, request.slice(0, -4)]) {
      const socket = slow.open(piece)
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    const last = slow.open(request)
    while (looked.length < 1) await new Promise((resolve) => setImmediate(resolve))
    last.resetAndDestroy()
    for (const refuse of looked) refuse(new Error('the projects cannot be read'))
    await slow.close()
    expect(unhandled).toEqual([])
  },
)

test.each(['', '?useOnCloseEvent=true'])('an upgrade that is never decided is closed: /%s', async (query) => {
  const stuck = await listen({ authenticate: () => new Promise(() => {}), handshakeTimeoutMs: 50 })
  const socket = stuck.open(`GET /${query} HTTP/1.1\r\nHost: x\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`, {
    allowHalfOpen: true,
  })
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5/is)
  await stuck.released()
  socket.destroy()
  await stuck.close()
})

test('a client that keeps sending after a close frame is cut off', async () => {
  const auth = relayToken(Date.now(), { aud: `ws://127.0.0.1:${server.port}` })
  const head = `GET /?auth=${auth} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
  const text = Buffer.from('{"id":1}')
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text])
  const accepted = server.accepted()
  // More concurrent calls than a connection can make, then half of a 2 MB message.
  const socket = server.open(Buffer.concat([Buffer.from(head), ...Array.from({ length: 700 }, () => frame)]))
  socket.resume()
  const told = new Promise<void>((resolve) => {
    let received = ''
    socket.on('data', (data) => {
      received += String(data)
      if (received.includes('Too many requests')) resolve()
    })
  })
  await told
  const { bytesRead } = await accepted
  socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x1e, 0x84, 0x80, 0, 0, 0, 0]))
  socket.write(Buffer.alloc(1_900_000))
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await accepted).bytesRead - bytesRead).toBeLessThan(1_000_000)
})

test('an upgrade works with data sent directly after the handshake', async () => {
  const auth = relayToken(Date.now(), { aud: `ws://127.0.0.1:${server.port}` })
  // {"id":1} as a masked text frame, in the same packet as the handshake.
  const text = Buffer.from('{"id":1,"method":"irn_other"}')
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text])
  const head = `GET /?auth=${auth} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
  const socket = server.open(Buffer.concat([Buffer.from(head), frame]))
  let received = ''
  while (!received.includes('MethodNotFound')) received += String((await once(socket, 'data'))[0])
  expect(received).toMatch(/^HTTP\/1\.1 101 /)
  socket.destroy()
})
