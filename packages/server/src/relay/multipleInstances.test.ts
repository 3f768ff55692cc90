import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { relayToken } from '../testing/relayToken.ts'
import { createAuthenticator } from './authenticator.ts'
import { redisMessageStore } from './redis/redisMessageStore.ts'
import { createRelay } from './relay.ts'
import { createRelayWebSocketServer } from './webSocketServer.ts'

const topic = 'ab'.repeat(32)

/** Starts a server instance that has its own listener and uses the shared Redis. */
async function instance(url: string) {
  const store = await redisMessageStore({ url, now: Date.now, log: () => {} })
  const limits = { connections: 0, messages: 0 }
  const rates = createMemoryRateLimiter(Date.now)
  const projects = inMemoryProjects([
    { id: 'p', name: '', allowedOrigins: ['https://shop.example'], features: [], analytics: false },
  ])
  const authenticator = createAuthenticator({ projects, rates, limits, now: Date.now })
  const relay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now: Date.now })
  let ping: () => void = () => {}
  const every = (ms: number, task: () => void) => {
    expect(ms).toBe(30_000)
    ping = task
    return () => {}
  }
  const sockets = createRelayWebSocketServer({
    relay,
    authenticator,
    clientAddressOf: ({ socket }) => socket.remoteAddress,
    every,
  })
  const closings: Promise<void>[] = []
  const listener = createServer()
    .on('upgrade', sockets.upgrade)
    .on('connection', (socket) => closings.push(new Promise((resolve) => socket.once('close', () => resolve()))))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  return {
    host,
    /** Advances the instance's clock by one ping interval of thirty seconds. */
    ping: () => ping(),
    /** Resolves when the latest connection is released. */
    released: () => closings.at(-1),
    async close() {
      sockets.close()
      await new Promise((resolve) => listener.close(resolve))
      await store.close()
    },
  }
}

interface Frame {
  readonly id: unknown
  readonly method?: string
  readonly result?: unknown
  readonly error?: unknown
  readonly params?: { readonly data: { readonly message: string } }
}

/** Connects a client to an instance, as a wallet in Node would. */
async function client(
  host: string,
  { bearer = false, query = 'projectId=p&useOnCloseEvent=true', origin = '', autoPong = true } = {},
) {
  const auth = relayToken(Date.now(), { aud: `ws://${host}` })
  const socket = new WebSocket(`ws://${host}/?${query}${bearer ? '' : `&auth=${auth}`}`, {
    autoPong,
    headers: { ...(bearer ? { authorization: `Bearer ${auth}` } : {}), ...(origin ? { origin } : {}) },
  })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  let refusal: readonly [number | undefined, string] | undefined
  const runChecks = (): void => {
    for (const check of waiting) check()
  }
  const ended = (code: number | undefined, reason: string): void => {
    refusal ??= [code, reason]
    runChecks()
  }
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    frames.push(frame)
    if (frame.method) socket.send(`{"id":${JSON.stringify(frame.id)},"jsonrpc":"2.0","result":true}`)
    runChecks()
  })
  socket.on('close', (code, reason) => ended(code, String(reason)))
  socket.on('error', () => {})
  socket.on('unexpected-response', (_, response) => {
    let body = ''
    response.on('data', (part) => {
      body += String(part)
    })
    response.on('end', () => ended(response.statusCode, body))
  })
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  return {
    socket,
    ended: () => until(() => refusal),
    async call(method: string, params: object): Promise<Frame> {
      await opened
      const id = `${Date.now()}${frames.length}${Math.random()}`
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      return until(() => frames.find((frame) => frame.id === id && !frame.method))
    },
    received: (message: string) => until(() => frames.find(({ params }) => params?.data.message === message)),
    messages: () => frames.flatMap(({ params }) => params?.data.message ?? []),
  }
}

let redis: TestRedis
let first: Awaited<ReturnType<typeof instance>>
let two: Awaited<ReturnType<typeof instance>>
beforeAll(async () => {
  redis = await startRedis()
  first = await instance(redis.url)
  two = await instance(redis.url)
}, 30_000)
afterAll(async () => {
  await Promise.all([first.close(), two.close()])
  await redis.stop()
})

/** Waits before a client publishes again. Without the pause, the relay would throttle the client. */
const clientPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

const publication = (message: string) => ({ topic, message, ttl: 300, tag: 1100 })

test('a page and a wallet on different instances reach each other, no matter which connects first [R7.13]', async () => {
  const page = await client(first.host)
  expect(await page.call('irn_publish', publication('bGF0ZXI='))).toMatchObject({ result: true })
  const wallet = await client(two.host)
  await wallet.call('irn_batchSubscribe', { topics: [topic] })
  await wallet.received('bGF0ZXI=')
  await page.call('irn_publish', publication('c29vbg=='))
  await wallet.received('c29vbg==')
  // Both messages are acknowledged, so a third client does not receive them.
  await wallet.call('irn_fetchMessages', { topic })
  const third = await client(first.host)
  expect(await third.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
  for (const { socket } of [page, wallet, third]) socket.terminate()
})

test('during a Redis outage, sockets stay open and publications are rejected with an error, and afterwards both instances work again', async () => {
  const [page, wallet] = [await client(first.host), await client(two.host)]
  await wallet.call('irn_subscribe', { topic })
  await redis.kill()
  expect(await page.call('irn_publish', publication('bG9zdA=='))).toMatchObject({
    error: { code: -32000, data: 'MailboxUnavailable' },
  })
  const other = 'cd'.repeat(32)
  expect(await wallet.call('irn_subscribe', { topic: other })).toHaveProperty('result')
  await redis.start()
  // Like real clients, retry until the message is confirmed as stored.
  for (const place of [topic, other])
    for (let isStored = false; !isStored; ) {
      const { result } = await page.call('irn_publish', { ...publication(`Z28${place.slice(0, 1)}`), topic: place })
      isStored = result === true
      await clientPause()
    }
  await Promise.all([wallet.received('Z28a'), wallet.received('Z28c')])
  expect(wallet.messages()).not.toContain('bG9zdA==')
  expect([page.socket.readyState, wallet.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  for (const { socket } of [page, wallet]) socket.terminate()
}, 30_000)

test('no acknowledged message is lost and no socket closes while Redis is frozen under load', async () => {
  const place = '12'.repeat(32)
  const publishers = [await client(first.host), await client(two.host)]
  const wallet = await client(two.host)
  await wallet.call('irn_subscribe', { topic: place })
  const acknowledged: string[] = []
  const refused: unknown[] = []
  let isOver = false
  const publishing = publishers.map(async ({ call }, nth) => {
    for (let at = 0; !isOver; at += 1) {
      const message = Buffer.from(`${nth} ${at}`).toString('base64')
      const { result, error } = await call('irn_publish', { ...publication(message), topic: place })
      if (result === true) acknowledged.push(message)
      else refused.push((error as { data?: unknown } | undefined)?.data)
      await clientPause()
    }
  })
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  redis.freeze()
  // Each client has received an error at least once and has continued to publish.
  await expect.poll(() => refused.length, { timeout: 30_000 }).toBeGreaterThan(3)
  const before = acknowledged.length
  redis.thaw()
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
  isOver = true
  await Promise.all(publishing)
  expect(new Set(refused)).toEqual(new Set(['MailboxUnavailable']))
  await expect
    .poll(() => acknowledged.filter((message) => !wallet.messages().includes(message)), { timeout: 30_000 })
    .toEqual([])
  for (const { socket } of [...publishers, wallet]) {
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.terminate()
  }
}, 120_000)

test('a bearer token works in the same way as a token in the URL', async () => {
  const page = await client(first.host, { bearer: true })
  expect(await page.call('irn_fetchMessages', { topic: 'ef'.repeat(32) })).toHaveProperty('result')
  page.socket.terminate()
})

test.each([
  ['projectId=q&useOnCloseEvent=true', '', 3000, 'Project not found'],
  ['projectId=q', '', 401, 'Project not found'],
  ['projectId=p', 'https://evil.example', 403, 'Unauthorized: origin not allowed'],
])(
  'a rejected client receives a close frame if it requests one, and otherwise an HTTP error: %s %s',
  async (query, origin, code, reason) => {
    expect(await (await client(first.host, { query, origin })).ended()).toEqual([code, reason])
  },
)

test('rejects an upgrade without credentials as usual, even if its URL is invalid', async () => {
  const [name = '', port] = first.host.split(':')
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), name, () =>
      socket.write('GET // HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
    socket.once('data', (data) => resolve(String(data)))
    socket.once('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
})

test('a rejected upgrade releases its resources even if the client never closes the connection', async () => {
  const [name = '', port] = first.host.split(':')
  const socket = connect({ port: Number(port), host: name, allowHalfOpen: true }, () =>
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  )
  await new Promise((resolve) => socket.resume().once('end', resolve))
  await first.released()
  socket.destroy()
})

test('connections are pinged every thirty seconds and closed if they have not responded by the next ping', async () => {
  const [page, dead] = [await client(first.host), await client(first.host, { autoPong: false })]
  const pings = [page, dead].map(({ socket }) => new Promise((resolve) => socket.once('ping', resolve)))
  // Both clients are connected.
  for (const { call } of [page, dead]) await call('irn_fetchMessages', { topic })
  first.ping()
  await Promise.all(pings)
  // The relay processes this call after the pong that precedes it.
  await page.call('irn_fetchMessages', { topic })
  first.ping()
  expect(await dead.ended()).toEqual([1006, ''])
  expect(await page.call('irn_fetchMessages', { topic })).toHaveProperty('result')
  page.socket.terminate()
})
