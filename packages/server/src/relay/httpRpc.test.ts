import { expect, test } from 'vitest'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { relayToken as token } from '../testing/relayToken.ts'
import { createAuthenticator } from './authenticator.ts'
import { relayHttpRpc } from './httpRpc.ts'
import { relayLimits } from './limits/relayLimits.ts'
import { type MessageStore, memoryMessageStore } from './messages/messageStore.ts'
import { createRelay } from './relay.ts'

const now = Date.UTC(2026, 10, 21)
const topic = 'ab'.repeat(32)

function rpcOf({
  projects = async () => [],
  override = {},
}: {
  projects?: () => Promise<Project[]>
  override?: Partial<MessageStore>
} = {}) {
  const store = { ...memoryMessageStore({ now: () => now }), ...override }
  const authenticator = createAuthenticator({
    projects: { all: projects, save: async () => {}, remove: async () => false },
    rates: createMemoryRateLimiter(() => now),
    limits: { connections: 0, messages: 1 },
    now: () => now,
  })
  const relay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now: () => now })
  const rpc = relayHttpRpc({ relay, authenticator, store })
  const reads: string[] = []
  const call = (
    {
      query = `?auth=${token(now)}`,
      address = '127.0.0.1',
      headers = {},
    }: {
      query?: string
      address?: string
      headers?: Record<string, string>
    } = {},
    text = `{"id":7,"method":"irn_fetchMessages","params":{"topic":"${topic}"}}`,
  ) =>
    rpc.call(new Request(`https://relay.example/rpc${query}`, { method: 'POST', headers }), address, async () => {
      reads.push(text)
      return text
    })
  return { rpc, call, reads }
}

test('answers a call with status 200 whether or not the call succeeds', async () => {
  const { call } = rpcOf()
  const { status, body } = await call()
  expect([status, JSON.parse(body)]).toEqual([200, { id: 7, jsonrpc: '2.0', result: { messages: [], hasMore: false } }])
  const failed = await call({}, '{"id":8,"method":"irn_other"}')
  expect([failed.status, JSON.parse(failed.body)]).toEqual([
    200,
    { id: 8, jsonrpc: '2.0', error: { code: -32601, message: 'Method not found', data: 'MethodNotFound' } },
  ])
})

const project: Project = { id: 'p', name: '', allowedOrigins: ['https://shop.example'], features: [], analytics: false }

test.each([
  ['no token', { query: '' }, 401, 'MissingJwt', 'JWT validation error: JWT is missing'],
  ['no project ID', {}, 401, 'InvalidKey', 'Unauthorized: invalid key'],
  [
    'an origin that is not allowed',
    { query: `?projectId=p&auth=${token(now)}`, headers: { origin: 'https://evil.example' } },
    403,
    'OriginNotAllowed',
    'Unauthorized: origin not allowed',
  ],
])(
  'a client with %s receives an HTTP status and a JSON-RPC error, and its call is not read',
  async (_, request, status, data, message) => {
    const { call, reads } = rpcOf({ projects: async () => [project] })
    const answer = await call(request)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { id: null, jsonrpc: '2.0', error: { code: -32000, message, data } },
    ])
    expect(reads).toEqual([])
  },
)

test('responds with status 429 to an address that calls too often', async () => {
  const { call } = rpcOf()
  const address = '203.0.113.7'
  expect(await call({ address })).toMatchObject({ status: 200 })
  const { status, body } = await call({ address })
  expect([status, JSON.parse(body).error.data]).toEqual([429, 'TooManyRequests'])
})

test('throws any other error, so that the server logs it and responds', async () => {
  const failure = new Error('the projects cannot be read')
  const { call } = rpcOf({ projects: () => Promise.reject(failure) })
  await expect(call()).rejects.toBe(failure)
})

test('a call can be as large as a WebSocket message', () => {
  expect(rpcOf().rpc.bytes).toBe(relayLimits.maxFrameBytes)
})

test('the relay is ready if its store is', async () => {
  const failure = new Error('away')
  await expect(rpcOf({ override: { ping: () => Promise.reject(failure) } }).rpc.ping()).rejects.toBe(failure)
  expect(await rpcOf().rpc.ping()).toBeUndefined()
})

test.each<[string, Partial<MessageStore>, boolean]>([
  ['is out of memory', { isOutOfMemory: () => true }, true],
  ['has memory', { isOutOfMemory: () => false }, false],
  ['cannot run out of memory', {}, false],
])('isOutOfMemory() is correct for a store that %s', (_, override, isOut) => {
  expect(rpcOf({ override }).rpc.isOutOfMemory?.()).toBe(isOut)
})
