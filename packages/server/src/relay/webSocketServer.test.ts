import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { relayToken } from '../testing/relayToken.ts'
import { AuthError, type Authenticator, createAuthenticator, type RelayClient } from './authenticator.ts'
import { memoryMessageStore } from './messages/messageStore.ts'
import { createRelay, type Relay } from './relay.ts'
import type { RelayConnection, RelayTransport } from './relayConnection.ts'
import { createRelayWebSocketServer } from './webSocketServer.ts'

const unhandled: unknown[] = []
const noted = (error: unknown): void => void unhandled.push(error)

async function listen({
  authenticate,
  handshakeTimeoutMs = 60_000,
  projects = [],
  relay: fakeRelay,
  every,
}: {
  authenticate?: Authenticator['authenticate']
  handshakeTimeoutMs?: number
  projects?: Project[]
  relay?: Pick<Relay, 'accept' | 'close'>
  every?: (ms: number, task: () => void) => () => void
} = {}) {
  const limits = { connections: 0, messages: 0 }
  const real = createAuthenticator({
    projects: inMemoryProjects(projects),
    rates: createMemoryRateLimiter(Date.now),
    limits,
    now: Date.now,
  })
  const authenticator = authenticate ? { ...real, authenticate } : real
  const store = memoryMessageStore({ now: Date.now })
  const realRelay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now: Date.now })
  const sockets = createRelayWebSocketServer({
    relay: fakeRelay ?? realRelay,
    authenticator,
    clientAddressOf: () => undefined,
    handshakeTimeoutMs,
    ...(every ? { every } : {}),
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
    /** Resolves to the server's socket for the next connection. */
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

afterEach(() => void vi.useRealTimers())

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
  'a key with non-ASCII characters': [...upgrade, version, 'Sec-WebSocket-Key: ££££££££££££££££££££££=='],
  'two keys': [...upgrade, version, key, key],
  'no version': [...upgrade, key],
  'version 12': [...upgrade, key, 'Sec-WebSocket-Version: 12'],
  'a version that is not a number': [...upgrade, key, 'Sec-WebSocket-Version: x'],
  'two versions': [...upgrade, key, version, 'Sec-WebSocket-Version: 8'],
  h2c: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  'two protocols to upgrade to': ['Connection: Upgrade', 'Upgrade: websocket, h2c', key, version],
  'an unknown protocol': ['Connection: Upgrade', 'Upgrade: x', key, version],
  'an invalid subprotocol': [...upgrade, key, version, 'Sec-WebSocket-Protocol: a,,b'],
  'a repeated subprotocol': [...upgrade, key, version, 'Sec-WebSocket-Protocol: a, a'],
  'a very long list of subprotocols': [...upgrade, key, version, `Sec-WebSocket-Protocol: ${'a,'.repeat(3_000)}`],
  'an invalid extension parameter': [
    ...upgrade,
    key,
    version,
    'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
  ],
  'no token': [...upgrade, key, version],
  'two hosts': ['Host: a', ...upgrade, key, version],
  'a body': [...upgrade, key, version, 'Content-Length: 5'],
  'a chunked body': [...upgrade, key, version, 'Transfer-Encoding: chunked'],
  'an invalid Authorization header': [...upgrade, key, version, 'Authorization: Bearer \u00ff'],
}
const targets = ['/', '/?useOnCloseEvent=true', '/?useOnCloseEvent=true&auth=a.b.c&projectId=%00', '//', '*', '/?%']
const attempts = Object.entries(wrong).flatMap(([name, lines]) =>
  targets.flatMap((target) => ['GET', 'POST', 'HEAD', 'OPTIONS'].map((method) => ({ name, lines, target, method }))),
)

test(`responds to all ${attempts.length} forms of invalid upgrades without leaving unhandled errors or open sockets`, async () => {
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
  'an upgrade that is reset during authentication leaves no error and no socket behind: /%s',
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

test.each(['', '?useOnCloseEvent=true'])(
  'an upgrade that is never accepted or rejected is closed after a timeout: /%s',
  async (query) => {
    const stuck = await listen({ authenticate: () => new Promise(() => {}), handshakeTimeoutMs: 50 })
    const socket = stuck.open(
      `GET /${query} HTTP/1.1\r\nHost: x\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`,
      {
        allowHalfOpen: true,
      },
    )
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5.*\r\n\r\nThe relay is busy$/is)
    await stuck.released()
    socket.destroy()
    await stuck.close()
  },
)

test('cuts off a client that keeps sending after a close frame', async () => {
  const auth = relayToken(Date.now(), { aud: `ws://127.0.0.1:${server.port}` })
  const head = `GET /?auth=${auth} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
  const text = Buffer.from('{"id":1}')
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text])
  const accepted = server.accepted()
  // The client first sends more calls at once than are allowed on a connection, and later most of a 2 MB message.
  const socket = server.open(Buffer.concat([Buffer.from(head), ...Array.from({ length: 700 }, () => frame)]))
  socket.resume()
  const notified = new Promise<void>((resolve) => {
    let received = ''
    socket.on('data', (data) => {
      received += String(data)
      if (received.includes('Too many requests')) resolve()
    })
  })
  await notified
  const { bytesRead } = await accepted
  socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x1e, 0x84, 0x80, 0, 0, 0, 0]))
  socket.write(Buffer.alloc(1_900_000))
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await accepted).bytesRead - bytesRead).toBeLessThan(1_000_000)
})

test('an upgrade works if the client sends data directly after the handshake', async () => {
  const auth = relayToken(Date.now(), { aud: `ws://127.0.0.1:${server.port}` })
  // {"id":1,"method":"irn_other"} as a masked text frame in the same packet as the handshake.
  const text = Buffer.from('{"id":1,"method":"irn_other"}')
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text])
  const head = `GET /?auth=${auth} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
  const socket = server.open(Buffer.concat([Buffer.from(head), frame]))
  let received = ''
  while (!received.includes('MethodNotFound')) received += String((await once(socket, 'data'))[0])
  expect(received).toMatch(/^HTTP\/1\.1 101 /)
  socket.destroy()
})

/** Creates a relay that records what the server reports about its connections, and that answers calls on demand. */
function recordingRelay() {
  const connections: {
    readonly transport: RelayTransport
    readonly client: Promise<RelayClient>
    readonly frames: string[]
    /** The calls that have not been answered yet. */
    readonly calls: (() => void)[]
    readonly reported: { received: number; unreadChanges: number; closed: number }
  }[] = []
  const state = { isClosed: false }
  const waiting = new Set<() => void>()
  const runChecks = (): void => {
    for (const check of waiting) check()
  }
  const until = async <T>(found: () => T | undefined | false): Promise<T> => {
    for (;;) {
      const value = found()
      if (value !== undefined && value !== false) return value as T
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
  }
  const relay: Pick<Relay, 'accept' | 'close'> = {
    accept(transport, client): RelayConnection {
      const connection: (typeof connections)[number] = {
        transport,
        client,
        frames: [],
        calls: [],
        reported: { received: 0, unreadChanges: 0, closed: 0 },
      }
      client.catch(() => {})
      connections.push(connection)
      runChecks()
      return {
        receive(frame) {
          connection.frames.push(String(frame))
          runChecks()
          return new Promise((resolve) => connection.calls.push(resolve))
        },
        receivedBytes(bytes) {
          connection.reported.received += bytes
          runChecks()
        },
        unreadBytesChanged() {
          connection.reported.unreadChanges += 1
          runChecks()
        },
        closed() {
          connection.reported.closed += 1
          runChecks()
        },
      }
    },
    close: () => {
      state.isClosed = true
    },
  }
  return { relay, connections, state, until }
}

const guest: RelayClient = { clientId: 'c', groups: [], project: undefined }
const authenticate = async (): Promise<RelayClient> => guest

/** Connects a client to a server with a recording relay. Resolves to both sides of the connection. */
async function connected(
  options: ConstructorParameters<typeof WebSocket>[2] = {},
  more: Parameters<typeof listen>[0] = {},
) {
  const recording = recordingRelay()
  const own = await listen({ authenticate, relay: recording.relay, ...more })
  const socket = new WebSocket(`ws://127.0.0.1:${own.port}/`, options)
  socket.on('error', () => {})
  await once(socket, 'open')
  const connection = await recording.until(() => recording.connections[0])
  return { ...recording, own, socket, connection }
}

/** Resolves when all messages that were sent earlier have arrived. */
async function roundTrip(socket: WebSocket): Promise<void> {
  const answered = once(socket, 'pong')
  socket.ping()
  await answered
}

test('passes an authenticated client and its text messages to the relay in order, and ignores binary messages', async () => {
  const { own, socket, connection, until } = await connected()
  expect(await connection.client).toBe(guest)
  // Compression would use memory for each connection.
  expect(socket.extensions).toBe('')
  socket.send('one')
  socket.send(Buffer.from('two'))
  socket.send('three')
  await until(() => connection.frames.length === 2)
  expect(connection.frames).toEqual(['one', 'three'])
  socket.close()
  await until(() => connection.reported.closed === 1)
  await own.close()
})

test('a message that is sent in parts arrives as one text message', async () => {
  const { own, socket, connection, until } = await connected()
  const arrived = once(socket, 'message')
  connection.transport.send('{"a":', Buffer.from('"ü"'), '}')
  const [data, isBinary] = await arrived
  expect([String(data), isBinary]).toEqual(['{"a":"ü"}', false])
  // The relay is notified once the operating system has accepted the message.
  await until(() => connection.reported.unreadChanges >= 1)
  expect(connection.transport.unread()).toBe(0)
  await own.close()
})

test.each([0, 1, 122, 123, 124, 65_532, 65_533, 70_000])(
  'a message in parts arrives unchanged: %d bytes and a character of three bytes',
  async (length) => {
    const { own, socket, connection } = await connected()
    const received: string[] = []
    socket.on('message', (data) => received.push(String(data)))
    const parts = ['€', Buffer.alloc(length, 'a')]
    connection.transport.send(...parts)
    connection.transport.send('next')
    while (received.length < 2) await once(socket, 'message')
    expect(received).toEqual([parts.join(''), 'next'])
    await own.close()
  },
)

test('reports bytes that the client does not read, and sends nothing after a close frame', async () => {
  const { own, socket, connection, until } = await connected()
  socket.pause()
  const before = connection.reported.unreadChanges
  while (connection.transport.unread() === 0) connection.transport.send('x'.repeat(1_000_000))
  expect(connection.transport.unread()).toBeGreaterThan(0)
  expect(connection.reported.unreadChanges).toBeGreaterThan(before)
  socket.resume()
  await until(() => connection.transport.unread() === 0)
  const closed = once(socket, 'close')
  connection.transport.close(3001, 'Too many requests')
  connection.transport.send('late')
  const [code, reason] = await closed
  expect([code, String(reason)]).toEqual([3001, 'Too many requests'])
  await until(() => connection.reported.closed === 1)
  await own.close()
})

test('does not report unread bytes for a small message that can be sent immediately', async () => {
  const { own, connection } = await connected()
  connection.transport.send('x')
  expect(connection.reported.unreadChanges).toBe(0)
  await own.close()
})

test('the relay can close a connection without a close frame', async () => {
  const { own, socket, connection, until } = await connected()
  const closed = once(socket, 'close')
  connection.transport.terminate()
  expect((await closed)[0]).toBe(1006)
  await until(() => connection.reported.closed === 1)
  await own.close()
})

test('ignores messages that arrive after the relay’s close frame', async () => {
  const { own, socket, connection, until } = await connected()
  connection.transport.close(3001, 'Too many requests')
  socket.send('late')
  await until(() => connection.reported.closed === 1)
  expect(connection.frames).toEqual([])
  await own.close()
})

test('pauses reading at 32 unanswered messages until half of them have been answered', async () => {
  const { own, socket, connection, until } = await connected()
  for (let nth = 1; nth < 32; nth++) socket.send(`${nth}`)
  await until(() => connection.frames.length === 31)
  await roundTrip(socket)
  socket.send('32')
  await until(() => connection.frames.length === 32)
  const paused = roundTrip(socket)
  socket.send('33')
  const other = new WebSocket(`ws://127.0.0.1:${own.port}/`)
  await once(other, 'open')
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await roundTrip(other)
  }
  await settle()
  expect(connection.frames).toHaveLength(32)
  for (const answer of connection.calls.splice(0, 15)) answer()
  await settle()
  expect(connection.frames).toHaveLength(32)
  for (const answer of connection.calls.splice(0, 1)) answer()
  await paused
  await until(() => connection.frames.length === 33)
  other.terminate()
  await own.close()
})

test('pauses reading at 512 KiB of unanswered messages until there are fewer', async () => {
  const { own, socket, connection, until } = await connected()
  socket.send('a'.repeat(524_287))
  await until(() => connection.frames.length === 1)
  await roundTrip(socket)
  socket.send('b')
  await until(() => connection.frames.length === 2)
  socket.send('c')
  const other = new WebSocket(`ws://127.0.0.1:${own.port}/`)
  await once(other, 'open')
  for (let turn = 0; turn < 3; turn++) await roundTrip(other)
  expect(connection.frames).toHaveLength(2)
  connection.calls.pop()?.()
  await until(() => connection.frames.length === 3)
  other.terminate()
  await own.close()
})

test('reports the bytes of an incomplete message', async () => {
  const { own, socket, connection, until } = await connected()
  socket.send('a'.repeat(1_000), { fin: false })
  await until(() => connection.reported.received >= 1_000)
  expect(connection.frames).toEqual([])
  await own.close()
})

test('reports only the bytes that follow complete messages', async () => {
  const { own, socket, connection, until } = await connected()
  socket.send('complete')
  await until(() => connection.frames.length === 1)
  expect(connection.reported.received).toBe(0)
  socket.send('a'.repeat(60_000))
  await until(() => connection.frames.length === 2)
  const before = connection.reported.received
  socket.send('b'.repeat(200))
  socket.send('c'.repeat(1_000), { fin: false })
  await until(() => connection.frames.length === 3 && connection.reported.received - before >= 1_008)
  expect(connection.reported.received - before).toBe(1_008)
  await own.close()
})

test.each([
  ['is too long', (socket: WebSocket) => socket.send('a'.repeat(2_097_153)), 1009],
  [
    'has too many fragments',
    (socket: WebSocket) => {
      for (let nth = 0; nth < 300; nth++) socket.send('a', { fin: false })
    },
    1008,
  ],
])('a message that %s closes only its own connection', async (_, send, code) => {
  const { own, socket, connection, until } = await connected()
  const closed = once(socket, 'close')
  send(socket)
  expect((await closed)[0]).toBe(code)
  await until(() => connection.reported.closed === 1)
  expect(connection.frames).toEqual([])
  expect(unhandled).toEqual([])
  await own.close()
})

test('disconnects a client that neither responds to a ping nor sends other data before the next ping', async () => {
  const tasks: (() => void)[] = []
  const every = (_: number, task: () => void) => {
    tasks.push(task)
    return () => void tasks.pop()
  }
  const { own, socket: silent, connections, until } = await connected({ autoPong: false }, { every })
  const [answering, sending] = [
    new WebSocket(`ws://127.0.0.1:${own.port}/`),
    new WebSocket(`ws://127.0.0.1:${own.port}/`, { autoPong: false }),
  ]
  await Promise.all([once(answering, 'open'), once(sending, 'open')])
  const pinged = [silent, answering, sending].map((socket) => once(socket, 'ping'))
  for (const task of tasks) task()
  await Promise.all(pinged)
  sending.send('x')
  await until(() => connections.some(({ frames }) => frames.length > 0))
  await roundTrip(answering)
  const closed = once(silent, 'close')
  for (const task of tasks) task()
  await closed
  expect([silent, answering, sending].map(({ readyState }) => readyState)).toEqual([
    WebSocket.CLOSED,
    WebSocket.OPEN,
    WebSocket.OPEN,
  ])
  await own.close()
  expect(tasks).toEqual([])
})

test('a server that shuts down closes its relay and connections, and leaves no timer running', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { own, socket, state } = await connected({ autoPong: false })
  expect(vi.getTimerCount()).toBe(1)
  const pinged = once(socket, 'ping')
  vi.advanceTimersByTime(30_000)
  await pinged
  const closed = once(socket, 'close')
  await own.close()
  expect((await closed)[0]).toBe(1006)
  expect(state.isClosed).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test.each(['connected', 'rejected', 'gone'])(
  'a client that is %s leaves no handshake timer running',
  async (outcome) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const decisions: { allow(): void; refuse(): void }[] = []
    const decided = (): Promise<RelayClient> =>
      new Promise((resolve, reject) =>
        decisions.push({ allow: () => resolve(guest), refuse: () => reject(new AuthError('MissingJwt', 'none')) }),
      )
    const recording = recordingRelay()
    const own = await listen({ authenticate: decided, relay: recording.relay, handshakeTimeoutMs: 10_000 })
    const head = `GET / HTTP/1.1\r\nHost: x\r\n${[...upgrade, key, version].join('\r\n')}\r\n\r\n`
    const socket = own.open(head)
    const decision = await new Promise<(typeof decisions)[number]>((resolve) => {
      const look = (): void => void (decisions[0] ? resolve(decisions[0]) : setImmediate(look))
      look()
    })
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    if (outcome === 'connected') decision.allow()
    else if (outcome === 'rejected') decision.refuse()
    else socket.resetAndDestroy()
    if (outcome === 'connected') {
      await recording.until(() => recording.connections[0])
      expect(vi.getTimerCount()).toBe(0)
      socket.destroy()
    } else {
      socket.resume()
      await own.released()
      expect(vi.getTimerCount()).toBe(0)
      decision.allow()
      await new Promise((resolve) => setImmediate(resolve))
      expect(recording.connections).toEqual([])
    }
    await own.close()
  },
)

test('a relay that cannot accept a connection closes the connection and keeps running', async () => {
  const recording = recordingRelay()
  const relay = {
    ...recording.relay,
    accept: (): never => {
      throw new Error('out of memory')
    },
  }
  const own = await listen({ authenticate, relay })
  const socket = new WebSocket(`ws://127.0.0.1:${own.port}/`).on('error', () => {})
  await once(socket, 'close')
  await own.released()
  expect(unhandled).toEqual([])
  await own.close()
})

/** Sends a request and resolves to the whole response. */
async function responseOf(own: Awaited<ReturnType<typeof listen>>, lines: readonly string[]): Promise<string> {
  const socket = own.open(`${lines.join('\r\n')}\r\n\r\n`)
  let received = ''
  socket.on('data', (data) => {
    received += String(data)
  })
  await once(socket, 'close')
  return received
}

const noHandshake = 'This is not a WebSocket handshake'
test.each<[string, string[], string, string]>([
  ['a different method', ['POST / HTTP/1.1', 'Host: x', ...upgrade, key, version], '400 Bad Request', noHandshake],
  [
    'a different protocol',
    ['GET / HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c'],
    '400 Bad Request',
    noHandshake,
  ],
  [
    'no key',
    ['GET / HTTP/1.1', 'Host: x', ...upgrade, version],
    '400 Bad Request',
    'Missing or invalid Sec-WebSocket-Key header',
  ],
])('rejects an upgrade with %s and returns the reason', async (_, lines, status, reason) => {
  const own = await listen({ authenticate })
  const response = await responseOf(own, lines)
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`))
  expect(response).toContain('\r\nsec-websocket-version: 13\r\n')
  expect(response.split('\r\n\r\n')[1]).toBe(reason)
  await own.close()
})

test('the protocol name is not case-sensitive', async () => {
  const own = await listen({ authenticate })
  const socket = own.open(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n${key}\r\n${version}\r\n\r\n`,
  )
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 101 /)
  socket.destroy()
  await own.close()
})

const failures: [string, Error, string, string, string | undefined][] = [
  ['without a token', new AuthError('MissingJwt', 'JWT is missing'), '401 Unauthorized', 'JWT is missing', undefined],
  ['from a foreign page', new AuthError('OriginNotAllowed', 'not allowed'), '403 Forbidden', 'not allowed', undefined],
  ['that connects too often', new AuthError('TooManyRequests', 'Too many'), '429 Too Many Requests', 'Too many', '60'],
  ['during an outage', new Error('secret'), '503 Service Unavailable', 'The relay failed', '5'],
]
test.each(failures)(
  'responds to a client %s with a status, a reason and, if the client can retry later, the time to wait',
  async (_, error, status, reason, seconds) => {
    const own = await listen({ authenticate: () => Promise.reject(error) })
    for (const target of ['/', '/?useOnCloseEvent=false', '//']) {
      const response = await responseOf(own, [`GET ${target} HTTP/1.1`, 'Host: x', ...upgrade, key, version])
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`))
      expect(/\r\nretry-after: (\d+)\r\n/.exec(response)?.[1]).toBe(seconds)
      expect(response.split('\r\n\r\n')[1]).toBe(reason)
    }
    await own.close()
  },
)

test('a client that requests a close frame is rejected with one, so that a page can read the reason', async () => {
  const error = new AuthError('MissingJwt', 'JWT is missing')
  const own = await listen({ authenticate: () => Promise.reject(error) })
  const socket = new WebSocket(`ws://127.0.0.1:${own.port}/?useOnCloseEvent=true`)
  const [code, reason] = await once(socket, 'close')
  expect([code, String(reason)]).toEqual([3000, 'JWT is missing'])
  await own.close()
})

test('reads the handshake from the headers of the upgrade request', async () => {
  const project: Project = {
    id: 'p',
    name: '',
    allowedOrigins: ['https://shop.example'],
    features: [],
    analytics: false,
  }
  const own = await listen({ projects: [project] })
  const connect = async (aud: string, origin: string): Promise<string> => {
    const authorization = `Bearer ${relayToken(Date.now(), { aud })}`
    const socket = new WebSocket(`ws://127.0.0.1:${own.port}/?projectId=p`, { headers: { authorization, origin } })
    return new Promise((resolve) => {
      socket.on('open', () => {
        resolve('open')
        socket.terminate()
      })
      socket.on('error', ({ message }) => resolve(message))
    })
  }
  const here = `ws://127.0.0.1:${own.port}`
  expect([
    await connect(here, 'https://shop.example'),
    await connect('ws://other.example', 'https://shop.example'),
    await connect(here, 'https://evil.example'),
  ]).toEqual(['open', 'Unexpected server response: 401', 'Unexpected server response: 403'])
  await own.close()
})
