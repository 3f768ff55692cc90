import { describe, expect, test } from 'vitest'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import { createRpcProxy } from '../rpcProxy/rpcProxy.ts'
import { createUpstreams } from '../rpcProxy/upstreamNodes.ts'
import { createTestServer } from '../testing/declaredErrors.ts'
import { startKeys } from '../testing/keysServer.ts'
import { createInFlight } from './inFlightBytes.ts'

const mebibyte = 1_048_576
const call = (bytes: number) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: ['x'.repeat(bytes)] })

describe('createInFlight', () => {
  test('a lease rejects bytes that exceed the limit for its address, and releases all bytes when it ends', () => {
    const inFlight = createInFlight({ perAddress: 100, total: 1000 })
    const first = inFlight.begin('203.0.113.7')
    first.take(60)
    const second = inFlight.begin('::ffff:203.0.113.7')
    expect(() => second.take(60)).toThrow(expect.objectContaining({ status: 429, seconds: 1 }))
    second.take(40)
    inFlight.begin('203.0.113.8').take(100)
    first.end()
    first.end()
    expect(inFlight.held()).toBe(140)
    second.take(60)
  })

  test('the limit for a /48 network is lower than the sum of the limits for its /64 networks', () => {
    const inFlight = createInFlight({ perAddress: 100, total: 100_000 })
    let held = 0
    for (let at = 0; at < 256; at += 1) {
      try {
        inFlight.begin(`2001:db8:1:${at.toString(16)}::1`).take(100)
        held += 1
      } catch {}
    }
    expect(held).toBe(4)
    for (let at = 0; at < 256; at += 1) {
      try {
        inFlight.begin(`2001:db8:1:${(at * 256).toString(16)}::1`).take(100)
        held += 1
      } catch {}
    }
    expect(held).toBe(8)
    inFlight.begin('2001:db8:2::1').take(100)
  })

  test('also limits the total for all addresses, including unknown addresses', () => {
    const inFlight = createInFlight({ perAddress: 100, total: 250 })
    inFlight.begin(undefined).take(200)
    expect(() => inFlight.begin('203.0.113.7').take(60)).toThrow(expect.objectContaining({ status: 503, seconds: 1 }))
  })
})

describe('calls to a node that does not respond', () => {
  function setUp({ urls = ['https://one.example'], perAddress = 12 * mebibyte } = {}) {
    const state = { now: 0, open: 0, most: 0, requests: 0, answers: undefined as (() => Response) | undefined }
    const inFlight = createInFlight({ perAddress, total: 128 * mebibyte })
    const upstreams = new Map([['eip155:1', urls]])
    const send = createUpstreams({
      upstreams,
      limits: { timeoutMs: 60_000, responseBytes: 10 * mebibyte },
      fetch: ((_url: string, init: RequestInit) => {
        state.requests += 1
        state.open += 1
        state.most = Math.max(state.most, state.open)
        if (state.answers) {
          state.open -= 1
          return Promise.resolve(state.answers())
        }
        return new Promise<Response>((_, reject) =>
          init.signal?.addEventListener('abort', () => {
            state.open -= 1
            reject(init.signal?.reason as Error)
          }),
        )
      }) as typeof fetch,
      metrics: createMetrics(),
      log: () => {},
      clock: () => state.now,
    })
    const chain = createRpcProxy({ upstreams, policy: { batchMax: 100, extraMethods: [] }, send })
    const server = createTestServer(inMemoryDependencies({ chain, inFlight }))
    const leave = new AbortController()
    const ask = (
      body: BodyInit,
      address: string | undefined,
      signal: AbortSignal = leave.signal,
      headers: Record<string, string> = {},
    ) =>
      server(
        new Request('http://connect.example/v1/?chainId=eip155:1&projectId=x', {
          method: 'POST',
          body,
          headers,
          signal,
          duplex: 'half',
        } as RequestInit),
        { address },
      )
    return { ask, inFlight, leave, server, state }
  }

  test('large calls from one address use no more than the address’s quota, and calls from other addresses are forwarded', async () => {
    const { ask, inFlight, leave, state } = setUp()
    const big = call(2 * mebibyte - 1000)
    const responses = Array.from({ length: 100 }, () => ask(big, '203.0.113.7'))
    const refused = await Promise.all(responses.slice(10))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(state.open).toBeLessThan(7)
    expect(inFlight.held()).toBeLessThanOrEqual(12 * mebibyte)
    const before = state.open
    const honest = ask(call(10), '203.0.113.8')
    await expect.poll(() => state.open).toBe(before + 1)
    leave.abort()
    await Promise.all([...responses, honest])
    expect(inFlight.held()).toBe(0)
  })

  test('limits the number of small calls for each address, and the total number of calls for each chain', async () => {
    const { ask, leave, state } = setUp()
    const single = Array.from({ length: 200 }, () => ask(call(10), '203.0.113.7'))
    await Promise.all(single.slice(150))
    expect(state.open).toBeLessThan(100)
    const many = Array.from({ length: 600 }, (_, at) => ask(call(10), `198.51.${at % 100}.${Math.floor(at / 100) + 1}`))
    const settled = await Promise.race(many)
    expect([settled.status, settled.headers.get('retry-after')]).toEqual([503, '1'])
    expect(state.most).toBe(128)
    leave.abort()
    await Promise.all([...single, ...many])
  })

  test('counts response bytes as they arrive and releases them when the client has received the response', async () => {
    const { ask, inFlight, server, state } = setUp({ perAddress: 3 * mebibyte })
    state.answers = () => new Response(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(4 * mebibyte)}"}`)
    expect((await ask(call(10), '203.0.113.7')).status).toBe(429)
    expect(inFlight.held()).toBe(0)
    state.answers = () => new Response(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(mebibyte)}"}`)
    const sent: (() => void)[] = []
    const slow = await server(
      new Request('http://connect.example/v1/?chainId=eip155:1&projectId=x', { method: 'POST', body: call(10) }),
      { address: '203.0.113.7', onSent: (listener) => sent.push(listener) },
    )
    expect(slow.status).toBe(200)
    expect(inFlight.held()).toBeGreaterThan(mebibyte)
    for (const listener of sent) listener()
    expect(inFlight.held()).toBe(0)
  })

  test('does not call a failing node while its circuit breaker is open, and then sends a single probe call', async () => {
    const { ask, state } = setUp()
    state.answers = () => new Response('', { status: 500 })
    for (let at = 0; at < 5; at += 1) expect((await ask(call(1), '203.0.113.7')).status).toBe(503)
    expect(state.requests).toBe(5)
    const refused = await ask(call(1), '203.0.113.7')
    expect([refused.status, refused.headers.get('retry-after'), state.requests]).toEqual([503, '5', 5])
    state.now = 5000
    state.answers = undefined
    const aborted = new AbortController()
    const probe = ask(call(1), '203.0.113.7', aborted.signal)
    await expect.poll(() => state.requests).toBe(6)
    expect((await ask(call(1), '203.0.113.7')).status).toBe(503)
    expect(state.requests).toBe(6)
    // A client that disconnects does not prove that the node works, so the next call is the probe.
    aborted.abort()
    await probe
    state.answers = () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x' })
    expect((await ask(call(1), '203.0.113.7')).status).toBe(200)
    expect((await ask(call(1), '203.0.113.7')).status).toBe(200)
  })

  test('responds with a client error if the client aborts the body', async () => {
    const { ask, inFlight } = setUp()
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"jsonrpc"'))
        controller.error(new Error('aborted'))
      },
    })
    expect((await ask(broken, '203.0.113.7')).status).toBe(400)
    expect(inFlight.held()).toBe(0)
    const length = { 'content-length': '100' }
    const alsoBroken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('aborted')) })
    expect((await ask(alsoBroken, '203.0.113.7', undefined, length)).status).toBe(400)
    expect(inFlight.held()).toBe(0)
  })

  test.each([
    ['a short', 1_000],
    ['a long', 100_000],
  ])('counts %s body in the same way, whether or not its length is declared', async (_, bytes) => {
    const { ask, inFlight, leave, state } = setUp()
    const body = call(bytes)
    const pending = [ask(body, '203.0.113.7')]
    await expect.poll(() => state.open).toBe(1)
    const held = inFlight.held()
    pending.push(ask(body, '203.0.113.8', undefined, { 'content-length': String(body.length) }))
    await expect.poll(() => state.open).toBe(2)
    expect(inFlight.held()).toBe(2 * held)
    leave.abort()
    await Promise.all(pending)
    expect(inFlight.held()).toBe(0)
  })

  test('counts a short body of declared length against the limits before it has arrived', async () => {
    const { ask, state } = setUp({ perAddress: 40_000 })
    const silent = new ReadableStream<Uint8Array>()
    expect((await ask(silent, '203.0.113.7', undefined, { 'content-length': '16000' })).status).toBe(429)
    expect(state.open).toBe(0)
  })
})

test('each call in a batch counts toward the rate limit', async () => {
  const chain = createRpcProxy({
    upstreams: new Map([['eip155:1', []]]),
    policy: { batchMax: 100, extraMethods: [] },
    send: async (_, body) => ({ kind: 'answered', body }),
  })
  const rates = createMemoryRateLimiter(() => 0)
  const server = createTestServer(
    inMemoryDependencies({ chain, rateLimiter: rates, rateLimits: { perAddress: 100, perProject: 0 } }),
  )
  const batch = (length: number) => JSON.stringify(Array.from({ length }, () => JSON.parse(call(1)) as unknown))
  const ask = async (body: string) =>
    (
      await server(new Request('http://connect.example/v1/?chainId=eip155:1&projectId=x', { method: 'POST', body }), {
        address: '203.0.113.7',
      })
    ).status
  expect(await ask(batch(60))).toBe(200)
  expect(await ask(batch(60))).toBe(429)
  expect(await ask(batch(30))).toBe(200)
})

/** Returns a request body, and a function that returns whether the body was read. */
function watched(): { body: ReadableStream<Uint8Array>; wasRead: () => boolean } {
  let pulls = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1
        controller.enqueue(new Uint8Array(1024))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, wasRead: () => pulls > 0 }
}

const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['shop.example'], features: [], analytics: true }

test.each([
  ['/v1/?chainId=eip155:1&projectId=nobody', 401],
  ['/v1/?chainId=eip155:1&projectId=shop', 401],
  ['/e?projectId=shop', 403],
  ['/batch?projectId=nobody', 403],
  ['/auth/v1/authenticate?projectId=nobody', 404],
  ['/nothing', 404],
  ['/getWallets?projectId=shop', 404],
])('rejects %s before reading the body', async (path, status) => {
  const server = createTestServer(inMemoryDependencies({ projects: inMemoryProjects([shop]) }))
  const { body, wasRead } = watched()
  const answer = await server(
    new Request(`http://connect.example${path}`, {
      method: 'POST',
      body,
      headers: { origin: 'https://evil.example' },
      duplex: 'half',
    } as RequestInit),
  )
  expect(answer.status).toBe(status)
  expect(wasRead()).toBe(false)
})

test('the keys origin counts request bodies too', async () => {
  const keys = await startKeys({
    chain: { supported: () => ['eip155:1'], send: () => new Promise(() => {}) },
    inFlight: createInFlight({ perAddress: 400_000, total: mebibyte }),
  })
  try {
    const browser = keys.browser('203.0.113.7')
    void browser.send('POST', '/vault/rpc?chainId=eip155:1', { params: 'x'.repeat(60_000) })
    void browser.send('POST', '/vault/rpc?chainId=eip155:1', { params: 'x'.repeat(60_000) })
    const refused = await browser.send('POST', '/vault/rpc?chainId=eip155:1', { params: 'x'.repeat(60_000) })
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'limit/reached', '1'])
  } finally {
    await keys.close()
  }
}, 120_000)
