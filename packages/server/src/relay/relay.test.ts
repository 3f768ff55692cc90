import { createHash, randomBytes } from 'node:crypto'
import { toBase58 } from '@latchkey/protocol/bytes'
import { readFrame } from '@latchkey/protocol/relay'
import { afterEach, expect, test, vi } from 'vitest'
import { createInFlight } from '../memoryLimits/inFlightBytes.ts'
import { createMemoryQuota } from '../memoryLimits/memoryQuota.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { relayHost, relayToken as token } from '../testing/relayToken.ts'
import { createAuthenticator, type Handshake, type RelayRates } from './authenticator.ts'
import { type ClientQuotaLimits, clientQuotaLimits, createClientQuotas } from './limits/clientQuotas.ts'
import { relayLimits } from './limits/relayLimits.ts'
import {
  type MessageStore,
  type MessageStoreLimits,
  memoryMessageStore,
  messageStoreLimits,
  StoreUnavailableError,
} from './messages/messageStore.ts'
import type { SharedConnectionCounts } from './redis/redisConnectionCounts.ts'
import { createRelay } from './relay.ts'

afterEach(() => void vi.useRealTimers())

const topic = 'ab'.repeat(32)
const randomTopic = (): string => randomBytes(32).toString('hex')
const host = relayHost

function relayAt({
  projects = [],
  maxMessages = 500,
  room = {},
  limits = relayLimits,
  rates = { connections: 0, messages: 0 },
  names = [],
  capacity,
  perAddress = Number.POSITIVE_INFINITY,
  connections,
  wrap = () => ({}),
}: {
  projects?: Project[]
  maxMessages?: number
  room?: Partial<MessageStoreLimits>
  limits?: typeof relayLimits
  rates?: RelayRates
  names?: string[]
  capacity?: ClientQuotaLimits
  /** The maximum number of bytes of any kind in memory for one address. */
  perAddress?: number
  connections?: SharedConnectionCounts
  /** Overrides methods of the store. */
  wrap?: (base: MessageStore) => Partial<MessageStore>
} = {}) {
  const time = { now: Date.UTC(2026, 10, 21) }
  const now = (): number => time.now
  const metrics = createMetrics()
  const heldBytes = createMemoryQuota(perAddress)
  const base = memoryMessageStore({ now, limits: { ...messageStoreLimits, ...room, maxMessages }, heldBytes })
  const store = { ...base, ...wrap(base) }
  const authenticator = createAuthenticator({
    projects: { all: async () => projects, save: async () => {}, remove: async () => false },
    rates: createMemoryRateLimiter(now),
    limits: rates,
    hostNames: names,
    now,
  })
  // The monotonic clock is separate from the wall clock, as in a real process.
  const monotonic = { now: 0 }
  const clock = (): number => monotonic.now
  const pauses: (() => void)[] = []
  const log: [level: string, message: string, fields: unknown][] = []
  const relay = createRelay({
    store,
    authenticator,
    metrics,
    log: (...line) => void log.push(line as (typeof log)[number]),
    now,
    clock,
    capacity: createClientQuotas({ clock, heldBytes, ...(capacity ? { limits: capacity } : {}) }),
    connections,
    pause: () => new Promise((resolve) => pauses.push(resolve)),
    limits,
  })
  /** Advances the monotonic clock, which determines rates and delays. */
  const pass = (ms: number): void => {
    monotonic.now += ms
    for (const resume of pauses.splice(0)) resume()
  }
  let next = 1
  const client = (handshake: Partial<Handshake> = {}, authenticate = authenticator.authenticate) => {
    const received: ReturnType<typeof readFrame>[] = []
    const waiting: (() => void)[] = []
    const state = { closed: undefined as [number, string] | undefined, closings: 0, unread: 0, terminated: false }
    const runChecks = (): void => {
      for (const check of waiting.splice(0)) check()
    }
    const connection = relay.accept(
      {
        send(...parts) {
          received.push(readFrame(parts.join('')))
          runChecks()
        },
        close(code, reason) {
          state.closed = [code, reason]
          state.closings += 1
          runChecks()
        },
        terminate() {
          state.terminated = true
          runChecks()
        },
        unread: () => state.unread,
      },
      authenticate({ auth: token(time.now), projectId: 'p', origin: undefined, host, ...handshake }),
    )
    const until = async <T>(found: () => T | undefined): Promise<T> => {
      for (;;) {
        const value = found()
        if (value !== undefined) return value
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    }
    const call = async (method: string, params: unknown, id = `"${next++}"`): Promise<Record<string, unknown>> => {
      const rest = params === undefined ? '' : `,"params":${JSON.stringify(params)}`
      void connection.receive(`{"id":${id},"jsonrpc":"2.0","method":"${method}"${rest}}`)
      return until(() => received.find((frame) => frame?.id === id && !('method' in frame.body))?.body)
    }
    const pushes = () => received.flatMap((frame) => (frame?.body.method === 'irn_subscription' ? [frame] : []))
    const messages = (): unknown[] =>
      pushes().map(({ body }) => (body.params as { data: { message: string } }).data.message)
    const acknowledge = (): void => {
      for (const { id } of pushes()) void connection.receive(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    }
    /** Sets the number of bytes that the client has not read. */
    const reads = (unread: number): void => {
      state.unread = unread
      connection.unreadBytesChanged()
    }
    return {
      connection,
      call,
      reads,
      received,
      pushes,
      messages,
      acknowledge,
      until,
      closed: () => until(() => state.closed),
      state,
    }
  }
  return { time, client, relay, metrics, store, authenticator, pass, pauses, heldBytes, log }
}

/** Returns the default limits with a test's overrides. */
function limitsWith(more: Partial<ClientQuotaLimits>): ClientQuotaLimits {
  return { ...clientQuotaLimits, ...more }
}

const publication = { topic, message: 'AA==', ttl: 300, tag: 1100, prompt: true }

test('a message from one client is delivered to the topic’s other subscribers but not back to its sender', async () => {
  const { client } = relayAt()
  const [first, second, third] = [client(), client(), client()]
  await first.call('irn_subscribe', { topic })
  await second.call('irn_subscribe', { topic })
  await third.call('irn_subscribe', { topic: 'cd'.repeat(32) })
  expect(await first.call('irn_publish', publication)).toMatchObject({ result: true })
  const [push] = await second.until(() => (second.pushes().length > 0 ? second.pushes() : undefined))
  expect(push?.body.params).toMatchObject({ data: { topic, message: 'AA==', tag: 1100, attestation: null } })
  expect([first.messages(), third.messages()]).toEqual([[], []])
})

test('a message that is not base64 is delivered unchanged', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  const messages = ['a"b', 'a\\b', 'a\nb', '€ ü', '{"x":1}', 'AZaz09+/=-_']
  for (const message of messages)
    await page.call('irn_publish', { topic, message, ttl: 300, tag: 0, attestation: `${message}€` })
  await wallet.until(() => wallet.pushes()[messages.length - 1])
  expect(wallet.pushes().map((frame) => frame?.body.params)).toMatchObject(
    messages.map((message) => ({ data: { topic, message, attestation: `${message}€` } })),
  )
})

test('a message is stored for later subscribers and removed when one of them has received it', async () => {
  const { client } = relayAt()
  const peer = client()
  await peer.call('irn_publish', publication)
  const two = client()
  await two.call('irn_batchSubscribe', { topics: [topic] })
  await two.until(() => (two.messages().length > 0 ? true : undefined))
  two.acknowledge()
  await two.call('irn_fetchMessages', { topic })
  const three = client()
  await three.call('irn_subscribe', { topic })
  await three.call('irn_fetchMessages', { topic })
  expect(three.messages()).toEqual([])
})

test('the messages of a full topic are delivered in parts and do not delay other topics', async () => {
  const { client, relay } = relayAt()
  const hostile = client()
  const large = ['1', '2', '3'].map((digit) => digit.padEnd(700_000, 'A'))
  for (const message of large) await hostile.call('irn_publish', { ...publication, message })
  const other = 'cd'.repeat(32)
  await hostile.call('irn_publish', { ...publication, topic: other, message: 'BB==' })
  const victim = client()
  await victim.call('irn_batchSubscribe', { topics: [topic, other] })
  await victim.call('irn_unsubscribe', { topic: 'ef'.repeat(32) })
  expect(victim.messages()).toEqual([large[0], 'BB=='])
  victim.acknowledge()
  await victim.call('irn_unsubscribe', { topic: 'ef'.repeat(32) })
  relay.sweep()
  expect(await victim.until(() => victim.messages()[2])).toBe(large[1])
  const { result } = await victim.call('irn_fetchMessages', { topic })
  expect((result as { messages: { message: string }[] }).messages.map(({ message }) => message)).toEqual([large[1]])
})

test('a client that disconnects before it acknowledges a message receives the message again', async () => {
  const { client, time } = relayAt()
  const auth = token(time.now)
  const peer = client()
  await peer.call('irn_publish', publication)
  const two = client({ auth })
  await two.call('irn_subscribe', { topic })
  two.connection.closed()
  const again = client({ auth })
  await again.call('irn_subscribe', { topic })
  expect(await again.until(() => again.messages()[0])).toBe('AA==')
})

test('an expired message is no longer delivered', async () => {
  const { client, time } = relayAt()
  const peer = client()
  await peer.call('irn_publish', publication)
  time.now += 300_000
  const two = client()
  await two.call('irn_subscribe', { topic })
  expect(await two.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [], hasMore: false } })
  expect(two.messages()).toEqual([])
})

test('stores an identical message only once', async () => {
  const { client } = relayAt()
  const peer = client()
  await peer.call('irn_publish', publication)
  await peer.call('irn_publish', publication)
  const two = client()
  expect(await two.call('irn_batchFetchMessages', { topics: [topic] })).toMatchObject({
    result: { messages: [{ message: 'AA==' }] },
  })
})

test('wc_proposeSession and wc_approveSession subscribe and publish like the irn_ methods', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  const sessionTopic = 'ef'.repeat(32)
  const propose = { pairingTopic: topic, sessionProposal: 'cHJvcG9zZQ==', ttl: 300 }
  expect(await page.call('wc_proposeSession', propose)).toMatchObject({ result: true })
  await wallet.call('irn_subscribe', { topic })
  expect(await wallet.until(() => wallet.messages()[0])).toBe('cHJvcG9zZQ==')
  const approve = {
    pairingTopic: topic,
    sessionTopic,
    sessionProposalResponse: 'eWVz',
    sessionSettlementRequest: 'c2V0',
  }
  expect(await wallet.call('wc_approveSession', approve)).toMatchObject({ result: true })
  expect(await page.until(() => page.messages()[0])).toBe('eWVz')
  await page.call('irn_subscribe', { topic: sessionTopic })
  expect(await page.until(() => page.messages()[1])).toBe('c2V0')
  await page.call('irn_publish', { ...publication, topic: sessionTopic, message: 'b2s=' })
  expect(await wallet.until(() => wallet.messages()[1])).toBe('b2s=')
})

test.each(['1735689600000123456', '"1735689600000123456"', '7'])('returns the ID %s unchanged', async (id) => {
  const { client } = relayAt()
  const peer = client()
  await peer.call('irn_subscribe', { topic }, id)
  expect(peer.received[0]?.id).toBe(id)
})

test('accepts the method names of old clients', async () => {
  const { client } = relayAt()
  const peer = client()
  expect(await peer.call('iridium_subscribe', { topic })).toHaveProperty('result')
  expect(await peer.call('waku_publish', publication)).toHaveProperty('result', true)
})

test.each([
  ['an invalid topic', 'irn_publish', { ...publication, topic: 'x' }, 'InvalidTopic', 'Invalid params: topic'],
  ['no parameters', 'irn_subscribe', undefined, 'InvalidParams', 'Invalid params: '],
  ['a batch without parameters', 'irn_batchSubscribe', undefined, 'InvalidParams', 'Invalid params: '],
  ['a batch with null as parameters', 'irn_batchSubscribe', null, 'InvalidParams', 'Invalid params: '],
  ['a batch with text as parameters', 'irn_batchSubscribe', 'topics', 'InvalidParams', 'Invalid params: '],
  [
    'an empty message without a TTL',
    'irn_publish',
    { topic, message: '' },
    'InvalidParams',
    'Invalid params: message ttl',
  ],
  [
    'a TTL of zero',
    'irn_publish',
    { ...publication, ttl: 0 },
    'TtlTooShort',
    'The ttl is too short: the minimum is 1 second',
  ],
  [
    'a TTL of more than 30 days',
    'irn_publish',
    { ...publication, ttl: 30 * 86_400 + 1 },
    'TtlTooLong',
    'The ttl is too long: the maximum is 2592000 seconds',
  ],
  ['an empty batch of topics', 'irn_batchSubscribe', { topics: [] }, 'BatchEmpty', 'The batch is empty'],
  [
    'an empty batch of subscriptions',
    'irn_batchUnsubscribe',
    { subscriptions: [] },
    'BatchEmpty',
    'The batch is empty',
  ],
  ['an empty batch of receipts', 'irn_batchReceive', { receipts: [] }, 'BatchEmpty', 'The batch is empty'],
  [
    'a batch that is too large',
    'irn_batchFetchMessages',
    { topics: Array(501).fill(topic) },
    'BatchLimitExceeded',
    'The batch is too long: the maximum is 500 items',
  ],
  [
    'a batch with too many messages',
    'irn_batchPublish',
    { messages: Array(501).fill(publication) },
    'BatchLimitExceeded',
    'The batch is too long: the maximum is 500 items',
  ],
  [
    'a message that is too long',
    'irn_publish',
    { ...publication, message: 'A'.repeat(1_048_577) },
    'MessageTooLong',
    'The message is too long: the maximum is 1048576 characters',
  ],
])('rejects %s and keeps the connection open', async (_, method, params, data, message) => {
  const { client } = relayAt()
  const peer = client()
  expect(await peer.call(method, params)).toEqual({
    id: expect.anything(),
    jsonrpc: '2.0',
    error: { code: -32600, data, message },
  })
  expect(await peer.call('irn_other', {})).toMatchObject({
    error: { code: -32601, data: 'MethodNotFound', message: 'Method not found' },
  })
  expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('limits the number of messages per topic and of topics per client', async () => {
  const { client } = relayAt({ maxMessages: 2, limits: { ...relayLimits, maxTopics: 1 } })
  const peer = client()
  for (const message of ['MQ==', 'Mg==']) await peer.call('irn_publish', { ...publication, message })
  expect(await peer.call('irn_publish', { ...publication, message: 'Mw==' })).toMatchObject({
    error: { code: -32000, data: 'MailboxLimitExceeded', message: 'The topic has too many messages' },
  })
  await peer.call('irn_subscribe', { topic })
  expect(await peer.call('irn_subscribe', { topic: 'cd'.repeat(32) })).toMatchObject({
    error: { data: 'SubscriberLimitExceeded' },
  })
})

test('a network that stores too much is rejected no matter which client IDs it uses, but other networks are not', async () => {
  const { client } = relayAt({ room: { maxBytes: { ...messageStoreLimits.maxBytes, address: 25_000 } } })
  const large = (place: string, message: string) => ({ ...publication, topic: place.repeat(32), message })
  const stranger = { address: '203.0.113.7' }
  const [first, second, other] = ['a', 'b', 'c'].map((character) => character.repeat(10_000)) as [
    string,
    string,
    string,
  ]
  await client(stranger).call('irn_publish', large('01', first))
  await client(stranger).call('irn_publish', large('02', second))
  expect(await client(stranger).call('irn_publish', large('03', other))).toMatchObject({
    error: { code: -32000, data: 'MailboxLimitExceeded', message: expect.stringMatching(/^Too many of your/) },
  })
  expect(await client({ address: '198.51.100.9' }).call('irn_publish', large('03', other))).toMatchObject({
    result: true,
  })
})

test('large messages on many topics are also delivered in parts and do not delay a small message', async () => {
  const free = { burst: 1e9, perSecond: 0 }
  const { client } = relayAt({ capacity: limitsWith({ cost: { client: free, address: free } }) })
  const topics = Array.from({ length: 20 }, (_, nth) => (nth + 16).toString(16).repeat(32))
  for (const place of topics)
    await client().call('irn_publish', { ...publication, topic: place, message: place.slice(0, 2).repeat(500_000) })
  await client().call('irn_publish', { ...publication, message: 'BB==' })
  const victim = client()
  await victim.call('irn_batchSubscribe', { topics: [...topics, topic] })
  await victim.call('irn_unsubscribe', { topic: 'ef'.repeat(32) })
  expect(victim.messages()).toHaveLength(3)
  expect(victim.messages()[2]).toBe('BB==')
  // A client that acknowledges each message receives the rest without further requests.
  for (let seen = 0; seen < 21; ) {
    await victim.until(() => (victim.messages().length > seen ? true : undefined))
    seen = victim.messages().length
    victim.acknowledge()
  }
  expect(new Set(victim.messages()).size).toBe(21)
})

test('closes the connection with 3001 if a client floods it, and with 1009 if a message is too large', async () => {
  const { client } = relayAt({ limits: { ...relayLimits, burst: 3, perSecond: 1, maxFrameBytes: 10_000 } })
  const peer = client()
  for (let turn = 0; turn < 4; turn++) void peer.connection.receive('{"id":1,"method":"irn_other"}')
  expect(await peer.closed()).toEqual([3001, 'Too many requests'])
  const two = client()
  void two.connection.receive('x'.repeat(10_001))
  expect(await two.closed()).toEqual([1009, 'The message is too long'])
})

const now = Date.UTC(2026, 10, 21)
test.each([
  ['no token', undefined, 'JWT validation error: JWT is missing'],
  ['an invalid token', 'a.b.c', 'JWT validation error: JWT is malformed'],
  [
    'a token with a different algorithm',
    token(now, {}, (text) => text.replace(/^[^.]*/, Buffer.from('{"alg":"none"}').toString('base64url'))),
    'JWT validation error: JWT is malformed',
  ],
  ['a token that is not valid yet', token(now + 86_400_000), 'JWT validation error: JWT Token is not yet valid'],
  [
    'a token that is valid for a year',
    token(now, { exp: now / 1000 + 365 * 86_400 }),
    'JWT validation error: JWT is valid for more than 7 days',
  ],
  ['an expired token', token(now - 7 * 86_400_000), 'JWT validation error: JWT Token has expired'],
  [
    'a token for a different relay',
    token(now, { aud: 'wss://other.example' }),
    'JWT validation error: JWT audience is a different relay',
  ],
  [
    'a token from a different issuer',
    token(now, { iss: `did:key:z${toBase58(Uint8Array.from([0xed, 1, ...Array(32).fill(9)]))}` }),
    'JWT validation error: JWT signature is invalid',
  ],
  [
    'a token whose issuer is not a key',
    token(now, { iss: 'did:web:x' }),
    'JWT validation error: JWT issuer is not an Ed25519 did:key',
  ],
  [
    'a token without a signature',
    token(now, {}, (text) => text.replace(/\.[^.]*$/, '.')),
    'JWT validation error: JWT signature is invalid',
  ],
])('a connection with %s is rejected, and its queued calls are not executed [R8.9]', async (_, auth, reason) => {
  const { client } = relayAt()
  const peer = client({ auth })
  void peer.connection.receive(`{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  expect(await peer.closed()).toEqual([3000, reason])
  const two = client()
  expect(await two.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

test('accepts a clock skew of up to two minutes [R8.9]', async () => {
  const { client } = relayAt()
  for (const skew of [119_000, 120_000]) {
    const peer = client({ auth: token(now + skew) })
    expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
  }
  expect(await client({ auth: token(now + 121_000) }).closed()).toEqual([
    3000,
    'JWT validation error: JWT Token is not yet valid',
  ])
})

test('if projects are registered, unknown project IDs and foreign pages are rejected, but wallets, which have no origin, are accepted [R6.2] [R8.8]', async () => {
  const project = { id: 'p', name: '', allowedOrigins: ['https://shop.example'], features: [], analytics: false }
  const { client } = relayAt({ projects: [project] })
  expect(await client({ projectId: 'q' }).closed()).toEqual([3000, 'Project not found'])
  expect(await client({ origin: 'https://evil.example' }).closed()).toEqual([3000, 'Unauthorized: origin not allowed'])
  for (const origin of ['https://shop.example', 'http://localhost:3000', undefined])
    expect(await client({ origin }).call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('a connected client can remove a topic’s pending messages only if it is subscribed to the topic', async () => {
  const { client } = relayAt()
  const peer = client()
  await peer.call('irn_publish', publication)
  const messageId = createHash('sha256').update('AA==').digest('hex')
  await client().call('irn_batchReceive', { receipts: [{ topic, messageId }] })
  await peer.call('irn_batchReceive', { receipts: [{ topic, messageId }] })
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({
    result: { messages: [{ message: 'AA==' }] },
  })
})

test('a blocking call delivers pending messages before its response', async () => {
  const { client } = relayAt()
  await client().call('irn_publish', publication)
  const two = client()
  await two.call('irn_subscribeBlocking', { topic })
  expect(two.received.map((frame) => frame?.body.method ?? 'answer')).toEqual(['irn_subscription', 'answer'])
})

test('pending messages are delivered before new ones, and each is delivered only once', async () => {
  const gate: { open?: () => void } = {}
  const { client } = relayAt({
    wrap: (base) => ({
      async listPending(...args) {
        const found = await base.listPending(...args)
        await new Promise<void>((resolve) => {
          gate.open = resolve
        })
        return found
      },
    }),
  })
  const [page, wallet] = [client(), client()]
  await page.call('irn_publish', { ...publication, message: 'b2xk' })
  await wallet.call('irn_subscribe', { topic })
  for (const message of ['b2xk', 'bmV3', 'bmV3ZXI=']) await page.call('irn_publish', { ...publication, message })
  expect(wallet.messages()).toEqual([])
  gate.open?.()
  await wallet.until(() => (wallet.messages().length === 3 ? true : undefined))
  expect(wallet.messages()).toEqual(['b2xk', 'bmV3', 'bmV3ZXI='])
})

test('if a client does not acknowledge messages, its oldest pushes are no longer tracked and their messages stay pending', async () => {
  const { client } = relayAt({ limits: { ...relayLimits, maxUnacked: 1 } })
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  for (const message of ['b25l', 'dHdv']) await page.call('irn_publish', { ...publication, message })
  await wallet.until(() => (wallet.messages().length === 2 ? true : undefined))
  wallet.acknowledge()
  const { result } = await wallet.call('irn_fetchMessages', { topic })
  expect(result).toMatchObject({ messages: [{ message: 'b25l' }] })
})

test('an error response does not acknowledge a message', async () => {
  const { client } = relayAt()
  await client().call('irn_publish', publication)
  const two = client()
  await two.call('irn_subscribe', { topic })
  const [push] = await two.until(() => (two.pushes().length > 0 ? two.pushes() : undefined))
  void two.connection.receive(`{"id":${push?.id},"jsonrpc":"2.0","error":{"code":1,"message":""}}`)
  expect(await two.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [{ message: 'AA==' }] } })
})

test('a client can fetch many pending messages page by page, and receives each message only once', async () => {
  const { client } = relayAt()
  const peer = client()
  const messages = ['a', 'b', 'c'].map((letter) => letter.repeat(600_000))
  for (const message of messages) await peer.call('irn_publish', { ...publication, message })
  const two = client()
  const found: string[] = []
  for (let more = true; more; ) {
    const { result } = await two.call('irn_fetchMessages', { topic })
    const page = result as { messages: { message: string }[]; hasMore: boolean }
    found.push(...page.messages.map(({ message }) => message))
    more = page.hasMore
  }
  expect(found.map((message) => message[0])).toEqual(['a', 'b', 'c'])
})

test('no message is confirmed as stored while the store is unavailable, and subscriptions recover afterwards', async () => {
  const state = { away: false }
  const listeners: { onGap(): void }[] = []
  const guarded =
    <Args extends unknown[], T>(call: (...args: Args) => T | Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (state.away) throw new StoreUnavailableError('away')
      return call(...args)
    }
  const { client } = relayAt({
    wrap: (base) => ({
      put: guarded(base.put),
      listPending: guarded(base.listPending),
      subscribe: guarded(base.subscribe),
      addListener(listener) {
        listeners.push(listener)
        return base.addListener(listener)
      },
    }),
  })
  const [page, wallet] = [client(), client()]
  await page.call('irn_publish', publication)
  state.away = true
  expect(await page.call('irn_publish', { ...publication, message: 'bmV3' })).toMatchObject({
    error: { code: -32000, data: 'MailboxUnavailable' },
  })
  expect(await wallet.call('irn_subscribe', { topic })).toHaveProperty('result')
  expect(await wallet.call('irn_fetchMessages', { topic })).toMatchObject({ error: { data: 'MailboxUnavailable' } })
  expect(wallet.messages()).toEqual([])
  state.away = false
  for (const { onGap } of listeners) onGap()
  expect(await wallet.until(() => wallet.messages()[0])).toBe('AA==')
  expect([page.state.closed, wallet.state.closed]).toEqual([undefined, undefined])
})

test('a network that connects or calls too often is disconnected with 3001, but loopback is not limited [R7.13]', async () => {
  const { client } = relayAt({ rates: { connections: 2, messages: 3 } })
  const address = '203.0.113.7'
  const peer = client({ address })
  for (let turn = 0; turn < 3; turn++) expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
  void peer.connection.receive('{"id":1,"method":"irn_other"}')
  expect(await peer.closed()).toEqual([3001, 'Too many requests'])
  client({ address })
  expect(await client({ address }).closed()).toEqual([3001, 'Too many requests'])
  for (let turn = 0; turn < 5; turn++)
    expect(await client({ address: '127.0.0.1' }).call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('each item in a batch counts against the rate limits of the connection and the network', async () => {
  const batch = (size: number) => ({
    messages: Array.from({ length: size }, (_, at) => ({ ...publication, message: `bWVzc2FnZQ${at}` })),
  })
  const slow = relayAt({ limits: { ...relayLimits, burst: 10, perSecond: 1 } })
  const peer = slow.client()
  expect(await peer.call('irn_batchPublish', batch(6))).toMatchObject({ result: true })
  void peer.connection.receive(`{"id":1,"method":"irn_batchPublish","params":${JSON.stringify(batch(6))}}`)
  expect(await peer.closed()).toEqual([3001, 'Too many requests'])
  const address = '203.0.113.7'
  const { client, relay, authenticator } = relayAt({ rates: { connections: 0, messages: 10 } })
  expect(await client({ address }).call('irn_batchPublish', batch(6))).toMatchObject({ result: true })
  const two = client({ address })
  void two.connection.receive(`{"id":1,"method":"irn_batchPublish","params":${JSON.stringify(batch(6))}}`)
  expect(await two.closed()).toEqual([3001, 'Too many requests'])
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host, address })
  await expect(
    relay.handleRequest(guest, `{"id":9,"method":"irn_batchPublish","params":${JSON.stringify(batch(6))}}`),
  ).rejects.toMatchObject({ message: 'Too many requests', tag: 'TooManyRequests', status: 429 })
  // The largest valid batch is within the burst.
  expect(await relayAt().client().call('irn_batchPublish', batch(500))).toMatchObject({ result: true })
})

test('a project ID is required if projects are registered, and an invalid ID is always rejected [R8.9]', async () => {
  const project = { id: 'p', name: '', allowedOrigins: [], features: [], analytics: false }
  const { client } = relayAt({ projects: [project] })
  for (const projectId of [undefined, '', 'p p', 'x'.repeat(200)])
    expect(await client({ projectId }).closed()).toEqual([3000, 'Unauthorized: invalid key'])
  expect(await relayAt().client({ projectId: 'p"' }).closed()).toEqual([3000, 'Unauthorized: invalid key'])
  expect(await relayAt().client({ projectId: undefined }).call('irn_subscribe', { topic })).toHaveProperty('result')
})

test.each([
  [`wss://${host}/`, host],
  [`https://${host}`, host],
  [`ws://${host}:443`, host.toUpperCase()],
  [host, `${host}:80`],
])('accepts a token for %s if the client connected to %s', async (aud, reached) => {
  const { client } = relayAt()
  expect(await client({ auth: token(now, { aud }), host: reached }).call('irn_subscribe', { topic })).toHaveProperty(
    'result',
  )
})

test('a relay with configured host names accepts only tokens for those names, whatever the Host header contains', async () => {
  const { client } = relayAt({ names: ['known.example', 'second.example'] })
  for (const aud of ['wss://known.example', 'wss://second.example'])
    expect(await client({ auth: token(now, { aud }) }).call('irn_subscribe', { topic })).toHaveProperty('result')
  expect(await client({ auth: token(now) }).closed()).toEqual([
    3000,
    'JWT validation error: JWT audience is a different relay',
  ])
})

test('a client without a connection can publish, fetch and acknowledge, but not subscribe', async () => {
  const { relay, authenticator, client } = relayAt()
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
    return JSON.parse(
      await relay.handleRequest(guest, `{"id":9,"method":"${method}","params":${JSON.stringify(params)}}`),
    )
  }
  expect(await ask('irn_publish', publication)).toEqual({ id: 9, jsonrpc: '2.0', result: true })
  const messageId = createHash('sha256').update('AA==').digest('hex')
  expect(await ask('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [{ message: 'AA==' }] } })
  const propose = { pairingTopic: topic, sessionProposal: 'cHJvcG9zZQ==', ttl: 300 }
  for (const [method, params] of [
    ['irn_subscribe', { topic }],
    ['irn_unsubscribe', { topic }],
    ['wc_proposeSession', propose],
  ] as const)
    expect(await ask(method, params)).toMatchObject({
      error: { code: -32601, data: 'MethodNotFound', message: 'This call requires a connection' },
    })
  expect(await ask('irn_batchReceive', { receipts: [{ topic, messageId }] })).toMatchObject({ result: true })
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

test('metrics contain only numbers, not client IDs, addresses or topics', async () => {
  const { client, metrics, store, time } = relayAt({ limits: { ...relayLimits, maxTopics: 1 } })
  const [page, wallet] = [client({ address: '203.0.113.7' }), client()]
  await wallet.call('irn_subscribe', { topic })
  for (let turn = 0; turn < 2; turn++) await wallet.call('irn_subscribe', { topic: 'cd'.repeat(32) })
  await page.call('irn_publish', publication)
  await page.call('irn_publish', { ...publication, message: 'BB==', tag: 77 })
  await wallet.until(() => (wallet.messages().length === 2 ? true : undefined))
  await client({ auth: undefined }).closed()
  const text = await metrics.print()
  for (const line of [
    'latchkey_relay_connections 2',
    'latchkey_relay_subscriptions 1',
    'latchkey_relay_letters 2',
    'latchkey_relay_letters_bytes 2056',
    'latchkey_relay_mailboxes_up 1',
    'latchkey_relay_connections_total{outcome="accepted"} 2',
    'latchkey_relay_connections_total{outcome="refused"} 1',
    'latchkey_relay_messages_total{what="published",tag="1100"} 1',
    'latchkey_relay_messages_total{what="delivered",tag="other"} 1',
    'latchkey_relay_refusals_total{where="call",reason="SubscriberLimitExceeded"} 2',
    'latchkey_relay_refusals_total{where="connection",reason="MissingJwt"} 1',
    'latchkey_relay_publish_seconds_count 2',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).not.toMatch(/[0-9a-f]{64}|did:key|203\.0|"p"/)
  // When all messages have expired and all connections have closed, all gauges are zero.
  time.now += 300_000
  store.sweep()
  for (const peer of [page, wallet]) peer.connection.closed()
  for (const gauge of ['connections', 'subscriptions', 'letters', 'letters_bytes'])
    expect(await metrics.print()).toContain(`latchkey_relay_${gauge} 0\n`)
})

const mebibyte = 1_048_576

test('pauses delivery to a client that does not read, and resumes once the client has read', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  wallet.reads(mebibyte)
  for (const message of ['b25l', 'dHdv']) await page.call('irn_publish', { ...publication, message })
  expect(wallet.messages()).toEqual([])
  wallet.reads(0)
  await wallet.until(() => (wallet.messages().length === 2 ? true : undefined))
  expect(wallet.messages()).toEqual(['b25l', 'dHdv'])
})

test('calls from a client with unread responses wait until the client has read them', async () => {
  const { client } = relayAt()
  const [page, reader] = [client(), client()]
  await page.call('irn_publish', publication)
  await reader.call('irn_subscribe', { topic: 'cd'.repeat(32) })
  reader.reads(mebibyte)
  const before = reader.received.length
  void reader.connection.receive(`{"id":77,"method":"irn_fetchMessages","params":{"topic":"${topic}"}}`)
  await page.call('irn_fetchMessages', { topic })
  expect(reader.received).toHaveLength(before)
  reader.reads(0)
  expect(await reader.until(() => reader.received.find((frame) => frame?.id === '77')?.body)).toHaveProperty('result')
})

test('if there are too many unread bytes in total, the connection of the slowest client is closed and the others stay open', async () => {
  const bytes = { process: 10_000, client: 10_000, connection: 10_000 }
  const { client, metrics } = relayAt({ capacity: limitsWith({ bytes }) })
  const [slow, slower, fine] = [client(), client(), client()]
  for (const peer of [slow, slower, fine]) await peer.call('irn_subscribe', { topic })
  slow.reads(3_000)
  slower.reads(6_000)
  fine.reads(500)
  expect(slower.state.terminated).toBe(false)
  slow.reads(4_000)
  expect([slow, slower, fine].map(({ state }) => state.terminated)).toEqual([false, true, false])
  expect(await metrics.print()).toContain(
    'latchkey_relay_refusals_total{where="connection",reason="Evicted:unread"} 1\n',
  )
})

test('closes a connection that has too many unread bytes and, if an address exceeds its limit, the address’s heaviest connection', async () => {
  const bytes = { process: 1e9, client: 1e9, connection: 60_000 }
  const { client } = relayAt({ capacity: limitsWith({ bytes }), perAddress: 100_000 })
  const address = '203.0.113.7'
  const [alone, first, second, other] = [
    client(),
    client({ address }),
    client({ address }),
    client({ address: '198.51.100.9' }),
  ]
  for (const peer of [alone, first, second, other]) await peer.call('irn_subscribe', { topic })
  alone.reads(60_001)
  first.reads(58_000)
  other.reads(50_000)
  second.reads(55_000)
  expect([alone, first, second, other].map(({ state }) => state.terminated)).toEqual([true, true, false, false])
})

test('an address has one limit for requests, stored messages, unread messages and incomplete calls together', async () => {
  const perAddress = 100_000
  const { client, heldBytes } = relayAt({ perAddress })
  const inFlight = createInFlight({ perAddress, total: 1e9 }, heldBytes)
  const [address, elsewhere] = ['203.0.113.7', '203.0.113.8']
  const publish = async (peer: ReturnType<typeof client>, text: string) => {
    const answer = await peer.call('irn_publish', {
      ...publication,
      topic: randomTopic(),
      message: text.repeat(30_000),
    })
    // A call counts until its response has been sent completely.
    await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  const at = (from: string) => client({ address: from })
  const [writer, reader, sender, light, other] = [at(address), at(address), at(address), at(address), at(elsewhere)]
  for (const peer of [reader, light]) await peer.call('irn_subscribe', { topic })
  const request = inFlight.begin(address)
  request.take(20_000)
  expect(await publish(writer, 'a')).toHaveProperty('result')
  expect(await publish(writer, 'b')).toMatchObject({ error: { data: 'MailboxLimitExceeded' } })
  expect(() => inFlight.begin(address).take(60_000)).toThrow(expect.objectContaining({ status: 429 }))
  light.reads(1_000)
  reader.reads(40_000)
  expect(reader.state.terminated).toBe(false)
  // The heaviest connection is closed, and the other connections stay open.
  sender.connection.receivedBytes(30_000)
  expect([writer, reader, sender, light].map(({ state }) => state.terminated || state.closed !== undefined)).toEqual([
    false,
    true,
    false,
    false,
  ])
  // A different address still has its full limit.
  expect(await publish(other, 'c')).toHaveProperty('result')
  inFlight.begin(elsewhere).take(60_000)
  // Bytes that are released by one kind of use become available to the others.
  expect(() => inFlight.begin(address).take(40_000)).toThrow()
  request.end()
  sender.connection.closed()
  inFlight.begin(address).take(40_000)
})

test('a connection that uses less than 16 KiB is not closed, no matter how much memory its address uses in total', async () => {
  const { client, heldBytes } = relayAt({ perAddress: 100_000 })
  const address = '203.0.113.7'
  const request = createInFlight({ perAddress: 100_000, total: 1e9 }, heldBytes).begin(address)
  request.take(99_000)
  const peer = client({ address })
  expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
  peer.reads(10_000)
  expect(peer.state.terminated).toBe(false)
  peer.reads(20_000)
  expect(peer.state.terminated).toBe(true)
})

test('incomplete calls count towards the limit, and the connection with the most bytes is closed first', async () => {
  const { client } = relayAt({ capacity: limitsWith({ bytes: { process: 10_000, client: 1e9, connection: 1e9 } }) })
  const [hostile, honest] = [client(), client()]
  for (const peer of [hostile, honest]) await peer.call('irn_subscribe', { topic })
  honest.connection.receivedBytes(1_000)
  hostile.connection.receivedBytes(5_000)
  expect(hostile.state.closed).toBeUndefined()
  hostile.connection.receivedBytes(5_000)
  expect(await hostile.closed()).toEqual([3001, 'Too many requests'])
  expect(await honest.call('irn_fetchMessages', { topic })).toHaveProperty('result')
})

test('limits connections per client, address and wider network, and still accepts a client from a different network', async () => {
  const { client } = relayAt({ capacity: limitsWith({ open: { process: 1_000, project: 0, address: 2, client: 2 } }) })
  const isIn = async (handshake: Partial<Handshake>): Promise<boolean> => {
    const peer = client(handshake)
    return Promise.race([peer.closed().then(() => false), peer.call('irn_subscribe', { topic }).then(() => true)])
  }
  const auth = token(now)
  expect([await isIn({ auth }), await isIn({ auth }), await isIn({ auth })]).toEqual([true, true, false])
  const address = '2001:db8:1:100::1'
  expect([await isIn({ address }), await isIn({ address: '2001:db8:1:100::2' }), await isIn({ address })]).toEqual([
    true,
    true,
    false,
  ])
  // A /56 has four times the limit of an address, and a /48 has eight times that limit, no matter how many /64s they contain.
  const of = (nth: number): string => `2001:db8:2:${nth.toString(16)}::1`
  let inside = 0
  for (let nth = 0; nth < 32; nth++) inside += Number(await isIn({ address: of(nth) }))
  expect(inside).toBe(8)
  for (let nth = 0; nth < 4_096; nth += 256) inside += Number(await isIn({ address: of(nth) }))
  expect(inside).toBe(16)
  expect(await isIn({ address: '2001:db8:3::1' })).toBe(true)
})

test('a full relay closes a connection of the owner with the most connections to accept one from an owner with fewer', async () => {
  const { client } = relayAt({ capacity: limitsWith({ open: { process: 5, project: 0, address: 100, client: 100 } }) })
  const hostile = Array.from({ length: 4 }, () => client({ address: '203.0.113.7' }))
  const honest = client({ address: '198.51.100.9' })
  for (const peer of [...hostile, honest]) await peer.call('irn_subscribe', { topic })
  const newcomer = client({ address: '192.0.2.1' })
  expect(await newcomer.call('irn_subscribe', { topic })).toHaveProperty('result')
  expect(hostile.filter(({ state }) => state.closed)).toHaveLength(1)
  expect(honest.state.closed).toBeUndefined()
  expect(await client({ address: '203.0.113.7' }).closed()).toEqual([3001, 'Too many connections'])
})

test('limits connections separately for each project, so that a full project does not affect others', async () => {
  const projects = ['shop', 'bakery'].map((id) => ({
    id,
    name: '',
    allowedOrigins: [],
    features: [],
    analytics: false,
  }))
  const open = { process: 1_000, project: 2, address: 100, client: 100 }
  const { client } = relayAt({ projects, capacity: limitsWith({ open }) })
  const visit = (projectId: string, address: string) => client({ projectId, address })
  const hostile = [visit('shop', '203.0.113.7'), visit('shop', '203.0.113.7')]
  for (const peer of hostile) await peer.call('irn_subscribe', { topic })
  expect(await visit('shop', '203.0.113.7').closed()).toEqual([3001, 'Too many connections'])
  expect(await visit('bakery', '203.0.113.7').call('irn_subscribe', { topic })).toHaveProperty('result')
  // A user at a different address replaces a connection of the address that has the most connections in this project.
  expect(await visit('shop', '198.51.100.9').call('irn_subscribe', { topic })).toHaveProperty('result')
  expect(hostile.filter(({ state }) => state.closed)).toHaveLength(1)
})

test('a publisher is charged for the delivery to each subscriber', async () => {
  const cost = { client: { burst: 1_000_000, perSecond: 100_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const { client, pauses } = relayAt({ capacity: limitsWith({ cost }) })
  const listeners = Array.from({ length: 12 }, () => client())
  for (const peer of listeners) await peer.call('irn_subscribe', { topic })
  const [loud, quiet] = [client(), client()]
  // The message itself costs a tenth of the allowance, and each delivery costs as much again.
  const message = 'A'.repeat(100_000)
  await loud.call('irn_publish', { ...publication, message })
  await quiet.call('irn_publish', { ...publication, topic: 'cd'.repeat(32), message })
  void loud.call('irn_fetchMessages', { topic: 'ef'.repeat(32) })
  expect(await quiet.call('irn_fetchMessages', { topic: 'ef'.repeat(32) })).toHaveProperty('result')
  expect(pauses).toHaveLength(1)
})

test('a small message does not overtake a delayed large message on the same topic', async () => {
  const { client } = relayAt()
  const page = client()
  const sent = ['1', '2'].map((digit) => digit.padEnd(700_000, 'A'))
  for (const message of [...sent, 'c21hbGw=']) await page.call('irn_publish', { ...publication, message })
  const wallet = client()
  await wallet.call('irn_subscribe', { topic })
  await wallet.call('irn_unsubscribe', { topic: 'ef'.repeat(32) })
  expect(wallet.messages()).toEqual([sent[0]])
  wallet.acknowledge()
  await wallet.until(() => (wallet.messages().length === 3 ? true : undefined))
  expect(wallet.messages()).toEqual([...sent, 'c21hbGw='])
})

test('limits topics per client and address across all connections, and in total', async () => {
  const topicsOf = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, nth) => (from + nth).toString(16).padStart(64, '0'))
  const { client, metrics } = relayAt({ capacity: limitsWith({ topics: { process: 100, address: 60, client: 50 } }) })
  const ask = (peer: ReturnType<typeof client>, from: number, count: number): Promise<object> =>
    peer.call('irn_batchSubscribe', { topics: topicsOf(from, count) })
  const refused = { error: { data: 'SubscriberLimitExceeded' } }
  const [auth, address] = [token(now), '203.0.113.7']
  const hostile = client({ auth, address })
  expect(await ask(hostile, 0, 45)).toHaveProperty('result')
  expect(await ask(client({ auth, address: '192.0.2.9' }), 0, 5)).toHaveProperty('result')
  expect(await ask(client({ auth, address }), 45, 10)).toMatchObject(refused)
  expect(await ask(client({ address }), 0, 20)).toMatchObject(refused)
  const honest = client({ address: '198.51.100.9' })
  expect(await ask(honest, 0, 30)).toHaveProperty('result')
  // The owner with the most topics makes room for an owner that has none. Topics that were released do not count.
  expect(await ask(client({ address: '192.0.2.1' }), 0, 25)).toHaveProperty('result')
  expect(await hostile.closed()).toEqual([3001, 'Too many requests'])
  expect(honest.state.closed).toBeUndefined()
  honest.connection.closed()
  expect(await metrics.print()).toContain('latchkey_relay_subscriptions 30\n')
})

test('a call waits until its client has paid for the bytes of earlier responses, and other clients do not wait', async () => {
  const cost = { client: { burst: 1_000_000, perSecond: 100_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const { client, pass, pauses } = relayAt({ capacity: limitsWith({ cost }) })
  const page = client()
  await page.call('irn_publish', { ...publication, message: 'A'.repeat(900_000) })
  const auth = token(now)
  const [reader, sameClient] = [client({ auth }), client({ auth })]
  const fetched = { result: { messages: [{ topic }] } }
  // The two responses cost more than the burst, so the client has to pay off the difference before its next call.
  expect(await reader.call('irn_fetchMessages', { topic })).toMatchObject(fetched)
  expect(await reader.call('irn_fetchMessages', { topic })).toMatchObject(fetched)
  const waiting = [reader, sameClient].map((peer) => peer.call('irn_fetchMessages', { topic }))
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject(fetched)
  expect(pauses).toHaveLength(2)
  pass(9_000)
  expect(await Promise.race(waiting)).toMatchObject(fetched)
  pass(9_000)
  pass(9_000)
  expect(await Promise.all(waiting)).toMatchObject([fetched, fetched])
})

test('a fetch of many topics is charged per topic, and all clients at an address share the charge', async () => {
  const cost = { client: { burst: 1e9, perSecond: 1e9 }, address: { burst: 800_000, perSecond: 100_000 } }
  const { client, pauses, relay, authenticator } = relayAt({ capacity: limitsWith({ cost }) })
  const topics = Array.from({ length: 500 }, (_, nth) => nth.toString(16).padStart(64, '0'))
  const address = '203.0.113.7'
  for (let turn = 0; turn < 2; turn++) await client({ address }).call('irn_batchFetchMessages', { topics })
  void client({ address }).call('irn_fetchMessages', { topic })
  expect(await client({ address: '198.51.100.9' }).call('irn_fetchMessages', { topic })).toHaveProperty('result')
  expect(pauses).toHaveLength(1)
  // A call without a connection cannot wait, so it is rejected with 429.
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host, address })
  await expect(
    relay.handleRequest(guest, `{"id":9,"method":"irn_fetchMessages","params":{"topic":"${topic}"}}`),
  ).rejects.toMatchObject({ message: 'Too many requests', tag: 'TooManyRequests', status: 429 })
})

test.each([-60_000, -86_400_000, 60_000])('no connection is closed if the wall clock jumps by %i ms', async (step) => {
  const { client, time, pass } = relayAt({ limits: { ...relayLimits, burst: 5, perSecond: 1 } })
  const peer = client()
  for (let turn = 0; turn < 4; turn++) await peer.call('irn_subscribe', { topic })
  time.now += step
  for (let turn = 0; turn < 10; turn++) {
    pass(1_000)
    expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
  }
  expect(peer.state.closed).toBeUndefined()
})

test('accepts the largest valid publication, and passes on an attestation', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  for (const valid of [
    { ...publication, ttl: 1, attestation: 'signed' },
    { ...publication, ttl: 30 * 86_400, message: 'A'.repeat(1_048_576), attestation: null },
  ])
    expect(await page.call('irn_publish', valid)).toHaveProperty('result', true)
  const pushes = await wallet.until(() => (wallet.pushes().length === 2 ? wallet.pushes() : undefined))
  expect(pushes.map(({ body }) => (body.params as { data: { attestation: unknown } }).data.attestation)).toEqual([
    'signed',
    null,
  ])
})

test('wc_proposeSession and wc_approveSession publish with the protocol’s tags and the attestation', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  const sessionTopic = 'ef'.repeat(32)
  await wallet.call('irn_subscribe', { topic })
  await page.call('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'cHI=', attestation: 'signed' })
  await wallet.call('wc_approveSession', {
    pairingTopic: topic,
    sessionTopic,
    sessionProposalResponse: 'eWVz',
    sessionSettlementRequest: 'c2V0',
  })
  const { result } = await client().call('irn_batchFetchMessages', { topics: [topic, sessionTopic] })
  expect((result as { messages: unknown[] }).messages).toMatchObject([
    { topic, message: 'cHI=', tag: 1100, attestation: 'signed' },
    { topic, message: 'eWVz', tag: 1101 },
    { topic: sessionTopic, message: 'c2V0', tag: 1102 },
  ])
})

test('a subscription is answered with its ID, and a batch with a list of IDs, before pending messages are delivered', async () => {
  const { client } = relayAt()
  await client().call('irn_publish', publication)
  const [first, second] = [client(), client()]
  const id = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(await first.call('irn_subscribe', { topic })).toHaveProperty('result', id)
  const { result } = await second.call('irn_batchSubscribe', { topics: [topic, 'cd'.repeat(32)] })
  expect(result).toEqual([id, id])
  for (const peer of [first, second]) {
    await peer.until(() => peer.messages()[0])
    expect(peer.received.map((frame) => frame?.body.method ?? 'answer')).toEqual(['answer', 'irn_subscription'])
  }
})

test.each([
  ['irn_unsubscribe', { topic }],
  ['irn_batchUnsubscribe', { subscriptions: [{ topic: 'ef'.repeat(32) }, { topic }] }],
])('after %s, a client receives only messages on its other topics', async (method, params) => {
  const { client, metrics } = relayAt()
  const [page, wallet] = [client(), client()]
  const other = 'cd'.repeat(32)
  await wallet.call('irn_batchSubscribe', { topics: [topic, other] })
  expect(await wallet.call(method, params)).toHaveProperty('result', true)
  await page.call('irn_publish', publication)
  await page.call('irn_publish', { ...publication, topic: other, message: 'BB==' })
  await wallet.until(() => wallet.messages()[0])
  expect(wallet.messages()).toEqual(['BB=='])
  expect(await metrics.print()).toContain('latchkey_relay_subscriptions 1\n')
})

test('a subscriber to a topic can acknowledge messages from other clients by ID', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  await page.call('irn_publish', publication)
  await wallet.call('irn_subscribe', { topic })
  const messageId = createHash('sha256').update('AA==').digest('hex')
  const receipts = [{ topic, messageId }]
  expect(await wallet.call('irn_batchReceive', { receipts })).toHaveProperty('result', true)
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

const invalid = { code: -32600, message: 'Invalid request', data: 'InvalidRequest' }
test.each(['no JSON', '{"method":"irn_subscribe"}', '{"id":1.5,"method":"irn_subscribe"}'])(
  'answers a frame without a valid ID with an error whose ID is null: %s',
  async (frame) => {
    const { client, relay, authenticator } = relayAt()
    const peer = client()
    await peer.connection.receive(frame)
    expect(peer.received.map((message) => message?.body)).toEqual([{ id: null, jsonrpc: '2.0', error: invalid }])
    const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
    expect(JSON.parse(await relay.handleRequest(guest, frame))).toEqual({ id: null, jsonrpc: '2.0', error: invalid })
  },
)

test('a client without a connection can send only calls, not responses', async () => {
  const { relay, authenticator } = relayAt()
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
  expect(JSON.parse(await relay.handleRequest(guest, '{"id":1,"result":true}'))).toMatchObject({ error: invalid })
})

test('rejections caused by an unavailable store are logged immediately, and then counted and logged every five seconds', async () => {
  const { client, log, pass } = relayAt({
    wrap: () => ({ put: () => Promise.reject(new StoreUnavailableError('no connection')) }),
  })
  const peer = client()
  const refused = async (): Promise<void> =>
    expect(await peer.call('irn_publish', publication)).toMatchObject({
      error: { data: 'MailboxUnavailable', message: 'The relay cannot reach its message store: try again' },
    })
  const line = (count: number) => [
    'warn',
    'relay calls were rejected because the message store is unavailable',
    { code: 'MailboxUnavailable', reason: 'no connection', count },
  ]
  await refused()
  expect(log).toEqual([line(1)])
  pass(4_999)
  await refused()
  expect(log).toHaveLength(1)
  pass(1)
  await refused()
  expect(log).toEqual([line(1), line(2)])
  await refused()
  pass(5_000)
  await refused()
  expect(log).toEqual([line(1), line(2), line(2)])
})

const bare = Object.assign(new Error('secret'), { name: 'TypeError', stack: undefined })
test.each([
  [
    'an error with a code',
    Object.assign(new Error('secret'), { code: 'ECONNRESET' }),
    { error: 'Error', code: 'ECONNRESET', stack: expect.stringContaining('relay.test.ts') },
  ],
  ['an error without a stack', bare, { error: 'TypeError' }],
  ['a value that is not an error', 'secret', { error: 'unknown' }],
])(
  'a failed call is logged without its error message, and the client learns only that the call failed: %s',
  async (_, thrown, fields) => {
    const { client, log } = relayAt({ wrap: () => ({ put: () => Promise.reject(thrown) }) })
    expect(await client().call('irn_publish', publication)).toMatchObject({
      error: { code: -32603, data: 'Internal', message: 'The relay failed' },
    })
    expect(log).toEqual([['error', 'relay call failed', fields]])
  },
)

test('closes the connection with 1011 if an internal error prevents the client from being authenticated', async () => {
  const { client, log, metrics } = relayAt()
  const peer = client({}, () => Promise.reject(bare))
  expect(await peer.closed()).toEqual([1011, 'The relay failed'])
  expect(log).toEqual([['error', 'relay client could not be authenticated', { error: 'TypeError' }]])
  expect(await metrics.print()).toContain('latchkey_relay_refusals_total{where="connection",reason="Internal"} 1\n')
})

test('messages that did not fit into a delivery are sent once all earlier messages have been acknowledged', async () => {
  const { client } = relayAt()
  const topics = ['01', '02', '03'].map((text) => text.repeat(32))
  const page = client()
  for (const target of topics)
    await page.call('irn_publish', { ...publication, topic: target, message: 'A'.repeat(900_000) })
  const wallet = client()
  await wallet.call('irn_batchSubscribe', { topics })
  await wallet.call('irn_unsubscribe', { topic })
  const [first, second] = wallet.pushes()
  expect(wallet.pushes()).toHaveLength(2)
  void wallet.connection.receive(`{"id":${first?.id},"result":true}`)
  await wallet.call('irn_unsubscribe', { topic })
  await wallet.call('irn_unsubscribe', { topic })
  expect(wallet.pushes()).toHaveLength(2)
  void wallet.connection.receive(`{"id":${second?.id},"result":true}`)
  await wallet.until(() => (wallet.pushes().length === 3 ? true : undefined))
})

test('measures how long it takes to store a message', async () => {
  const elapse = { ms: (_: number): void => {} }
  const { client, metrics, pass } = relayAt({
    wrap: (base) => ({
      put(...args) {
        elapse.ms(250)
        return base.put(...args)
      },
    }),
  })
  elapse.ms = pass
  pass(60_000)
  await client().call('irn_publish', publication)
  expect(await metrics.print()).toContain('latchkey_relay_publish_seconds_sum 0.25\n')
})

test('a store that does not count its messages has no metrics for them', async () => {
  const { metrics } = relayAt({
    wrap: () => {
      const hidden: { stats?: never } = { stats: undefined as never }
      return hidden
    },
  })
  expect(await metrics.print()).not.toContain('latchkey_relay_letters')
})

test('a connection can first use up its burst of calls, and is then limited to its rate per second', async () => {
  const { client, pass, metrics } = relayAt({ limits: { ...relayLimits, burst: 4, perSecond: 2 } })
  const peer = client()
  for (let turn = 0; turn < 4; turn++) expect(await peer.call('irn_unsubscribe', { topic })).toHaveProperty('result')
  pass(1_000)
  for (let turn = 0; turn < 2; turn++) expect(await peer.call('irn_unsubscribe', { topic })).toHaveProperty('result')
  const answered = peer.received.length
  for (let turn = 0; turn < 5; turn++) await peer.connection.receive('{"id":1,"method":"irn_other"}')
  expect(peer.state).toMatchObject({ closed: [3001, 'Too many requests'], closings: 1 })
  expect(peer.received).toHaveLength(answered)
  const text = await metrics.print()
  expect(text).toContain('latchkey_relay_refusals_total{where="call",reason="TooManyRequests"} 1\n')
  expect(text).toContain('latchkey_relay_connections 0\n')
})

test('a batch can use up the entire rate limit of its connection and its network', async () => {
  const messages = Array.from({ length: 6 }, (_, at) => ({ ...publication, message: `bWVzc2FnZQ${at}` }))
  const address = '203.0.113.7'
  const { client, relay, authenticator } = relayAt({
    limits: { ...relayLimits, burst: 6 },
    rates: { connections: 0, messages: 12 },
  })
  const peer = client({ address })
  expect(await peer.call('irn_batchPublish', { messages })).toHaveProperty('result', true)
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host, address })
  const call = `{"id":9,"method":"irn_batchPublish","params":${JSON.stringify({ messages })}}`
  expect(JSON.parse(await relay.handleRequest(guest, call))).toHaveProperty('result', true)
  await expect(relay.handleRequest(guest, call)).rejects.toMatchObject({ status: 429 })
})

test('a WebSocket message can be exactly as long as the byte limit, but no longer', async () => {
  const { client } = relayAt({ limits: { ...relayLimits, maxFrameBytes: 100 } })
  const peer = client()
  const frameOf = (bytes: number): string => `{"id":"ü","method":"${'x'.repeat(bytes - 23)}"}`
  expect(Buffer.byteLength(frameOf(100))).toBe(100)
  await peer.connection.receive(frameOf(100))
  await peer.connection.receive(Buffer.from(frameOf(100)))
  expect(peer.received).toHaveLength(2)
  expect(peer.state.closed).toBeUndefined()
  await peer.connection.receive(frameOf(101))
  expect(peer.state.closed).toEqual([1009, 'The message is too long'])
  expect(peer.received).toHaveLength(2)
})

test('even a short call has a cost, whether or not it is made over a connection', async () => {
  const cost = { client: { burst: 5_000, perSecond: 1_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const { client, pauses, relay, authenticator } = relayAt({ capacity: limitsWith({ cost }) })
  const peer = client()
  for (let turn = 0; turn < 20; turn++) void peer.connection.receive('{"id":1,"method":"x"}')
  while (pauses.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(peer.received.length).toBeLessThan(20)
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
  const request = async () => {
    for (let turn = 0; turn < 20; turn++) await relay.handleRequest(guest, '{"id":1,"method":"x"}')
  }
  await expect(request()).rejects.toMatchObject({ status: 429 })
})

test('a fetch without a connection is charged per topic and for the bytes of its response', async () => {
  const cost = { client: { burst: 400_000, perSecond: 1_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const { relay, authenticator, client } = relayAt({ capacity: limitsWith({ cost }) })
  const guestOf = () => authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
  const fetch = (guest: Awaited<ReturnType<typeof guestOf>>, topics: string[]) =>
    relay.handleRequest(guest, `{"id":9,"method":"irn_batchFetchMessages","params":${JSON.stringify({ topics })}}`)
  const many = await guestOf()
  await fetch(
    many,
    Array.from({ length: 500 }, (_, nth) => nth.toString(16).padStart(64, '0')),
  )
  await expect(fetch(many, [topic])).rejects.toMatchObject({ status: 429 })
  await client().call('irn_publish', { ...publication, message: 'A'.repeat(390_000) })
  const large = await guestOf()
  for (let turn = 0; turn < 2; turn++) await fetch(large, [topic])
  await expect(fetch(large, [topic])).rejects.toMatchObject({ status: 429 })
})

test('a call waits until the whole cost is paid off', async () => {
  const cost = { client: { burst: 1_000, perSecond: 1_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const { client, pass, pauses } = relayAt({ capacity: limitsWith({ cost }) })
  const peer = client()
  await peer.connection.receive(`{"id":1,"method":"${'x'.repeat(3_000)}"}`)
  const second = peer.connection.receive('{"id":2,"method":"x"}')
  const paused = async () => {
    while (pauses.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await paused()
  pass(1_000)
  await paused()
  expect(peer.received).toHaveLength(1)
  pass(5_000)
  await second
  expect(peer.received).toHaveLength(2)
})

test('a relay without its own clock and timers uses those of the process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const { authenticator } = relayAt()
  const cost = { client: { burst: 1_000, perSecond: 1_000 }, address: { burst: 1e9, perSecond: 1e9 } }
  const frames: string[] = []
  const closed: number[] = []
  const relay = createRelay({
    store: memoryMessageStore({ now: () => now }),
    authenticator,
    metrics: createMetrics(),
    log: () => {},
    now: () => now,
    capacity: createClientQuotas({ clock: () => performance.now(), limits: limitsWith({ cost }) }),
    limits: { ...relayLimits, burst: 3, perSecond: 1 },
  })
  const connection = relay.accept(
    {
      send: (...parts) => void frames.push(parts.join('')),
      close: (code) => void closed.push(code),
      terminate() {},
      unread: () => 0,
    },
    authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host }),
  )
  await connection.receive(`{"id":1,"method":"${'x'.repeat(3_000)}"}`)
  const second = connection.receive('{"id":2,"method":"x"}')
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(frames).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await second
  expect(frames).toHaveLength(2)
  for (let turn = 0; turn < 4; turn++) void connection.receive('{"id":3,"method":"x"}')
  expect(closed).toEqual([3001])
})

test('networks take turns on a busy relay, no matter how many clients and connections they have', async () => {
  const order: string[] = []
  const elapse = { ms: (_: number): void => {} }
  const { client, relay, authenticator, pass } = relayAt({
    rates: { connections: 0, messages: 1_000 },
    wrap: (base) => ({
      listPending(topics, ...args) {
        order.push(topics[0]?.slice(0, 2) ?? '')
        // This is longer than calls can run without yielding.
        elapse.ms(10)
        return base.listPending(topics, ...args)
      },
    }),
  })
  elapse.ms = pass
  const [hostile, honest] = ['203.0.113.7', '198.51.100.9']
  const fetchOf = (nth: string): string =>
    `{"id":1,"method":"irn_fetchMessages","params":{"topic":"${nth.repeat(32)}"}}`
  const [busy, ...rest] = [hostile, hostile, hostile, honest].map((address) => client({ address }))
  for (const peer of [busy, ...rest]) await peer?.connection.receive('{"id":0,"method":"x"}')
  await busy?.connection.receive(fetchOf('a1'))
  await Promise.all(['a2', 'a3', 'b1'].map((nth, at) => rest[at]?.connection.receive(fetchOf(nth))))
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  const guests = await Promise.all(
    [hostile, hostile, hostile, honest].map((address) =>
      authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host, address }),
    ),
  )
  order.length = 0
  const ask = async (nth: string, at: number) => {
    const guest = guests[at]
    if (guest) await relay.handleRequest(guest, fetchOf(nth))
  }
  await ask('a1', 0)
  await Promise.all(['a2', 'a3', 'b1'].map((nth, at) => ask(nth, at + 1)))
  // By now, the hostile network has used more time than the other one.
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('delivery resumes when the unread bytes fall below half of the limit', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  wallet.reads(mebibyte)
  await page.call('irn_publish', publication)
  for (const unread of [mebibyte - 1, mebibyte / 2]) {
    wallet.reads(unread)
    await wallet.call('irn_unsubscribe', { topic: 'ef'.repeat(32) })
    expect(wallet.messages()).toEqual([])
  }
  wallet.reads(mebibyte / 2 - 1)
  expect(await wallet.until(() => wallet.messages()[0])).toBe('AA==')
})

test('an acknowledgement is handled immediately, unless earlier calls are waiting or its client does not read', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  const pending = async () => (await client().call('irn_fetchMessages', { topic })).result
  const acknowledged = (nth: number) =>
    wallet.connection.receive(`{"id":${wallet.pushes()[nth]?.id},"jsonrpc":"2.0","result":true}`)
  await wallet.call('irn_subscribe', { topic })
  for (const message of ['AA==', 'AB==', 'AC==']) await page.call('irn_publish', { ...publication, message })
  await wallet.until(() => wallet.pushes()[2])
  expect(acknowledged(0)).toBeUndefined()
  expect(await pending()).toMatchObject({ messages: [{ message: 'AB==' }, { message: 'AC==' }] })
  wallet.reads(mebibyte)
  const [second, call] = [acknowledged(1), wallet.connection.receive('{"id":1,"method":"x"}')]
  expect(await pending()).toMatchObject({ messages: [{ message: 'AB==' }, { message: 'AC==' }] })
  wallet.reads(0)
  const third = acknowledged(2)
  expect(await pending()).not.toMatchObject({ messages: [] })
  await Promise.all([second, call, third])
  expect(await pending()).toMatchObject({ messages: [] })
})

test('acknowledgements count towards the limit of messages per network', async () => {
  const { client } = relayAt({ rates: { connections: 0, messages: 3 } })
  const wallet = client({ address: '203.0.113.7' })
  await wallet.call('irn_subscribe', { topic })
  for (let turn = 0; turn < 2; turn++) await wallet.connection.receive('{"id":7,"jsonrpc":"2.0","result":true}')
  expect(wallet.state.closed).toBeUndefined()
  await wallet.connection.receive('{"id":7,"jsonrpc":"2.0","result":true}')
  expect(wallet.state.closed).toEqual([3001, 'Too many requests'])
})

test('a call that follows an acknowledgement waits until the store has removed the message', async () => {
  const removing: (() => void)[] = []
  const { client } = relayAt({
    wrap: (kept) => ({
      remove: async (receipt) => {
        await new Promise<void>((resolve) => removing.push(resolve))
        await kept.remove(receipt)
      },
    }),
  })
  const [page, wallet] = [client(), client()]
  await wallet.call('irn_subscribe', { topic })
  await page.call('irn_publish', publication)
  const push = await wallet.until(() => wallet.pushes()[0])
  void wallet.connection.receive(`{"id":${push?.id},"jsonrpc":"2.0","result":true}`)
  const page1 = wallet.call('irn_fetchMessages', { topic })
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  for (const resolve of removing) resolve()
  expect(await page1).toMatchObject({ result: { messages: [] } })
})

test('if part of a call arrives during another call, its bytes still count after the other call is answered', async () => {
  const perAddress = 10_000
  const { client, heldBytes } = relayAt({ perAddress })
  const inFlight = createInFlight({ perAddress, total: 1e9 }, heldBytes)
  const address = '203.0.113.7'
  const peer = client({ address })
  await peer.call('irn_subscribe', { topic })
  const call = peer.connection.receive('{"id":1,"method":"x"}')
  peer.connection.receivedBytes(5_000)
  await call
  expect(() => inFlight.begin(address).take(5_001)).toThrow(expect.objectContaining({ status: 429 }))
  inFlight.begin(address).take(4_000)
})

test('calls that arrive before a client is authenticated count towards its limits, and are not executed if they exceed a limit', async () => {
  const bytes = { process: 1e9, client: 1e9, connection: 8_000 }
  const { client, metrics } = relayAt({ capacity: limitsWith({ bytes }) })
  const peer = client()
  void peer.connection.receive(
    `{"id":1,"method":"irn_publish","params":${JSON.stringify({ ...publication, message: 'A'.repeat(5_000) })}}`,
  )
  peer.connection.receivedBytes(4_000)
  peer.reads(0)
  expect(await peer.closed()).toEqual([3001, 'Too many requests'])
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
  expect(peer.received).toEqual([])
  const text = await metrics.print()
  for (const line of [
    'latchkey_relay_connections 1',
    'latchkey_relay_connections_total{outcome="accepted"} 1',
    'latchkey_relay_refusals_total{where="connection",reason="Evicted:input"} 1',
  ])
    expect(text).toContain(`${line}\n`)
})

test('a client that disconnects before it is authenticated is not counted, and its calls are not executed', async () => {
  const open = { process: 1, project: 0, address: 100, client: 100 }
  const { client, metrics } = relayAt({ capacity: limitsWith({ open }) })
  const peer = client()
  const call = peer.connection.receive(`{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  peer.connection.closed()
  await call
  await peer.connection.receive('{"id":2,"method":"x"}')
  expect(peer.received).toEqual([])
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
  expect(await metrics.print()).toContain('latchkey_relay_connections 1\n')
})

test('a call that is waiting when its client disconnects is not executed', async () => {
  const { client } = relayAt()
  const peer = client()
  await peer.call('irn_subscribe', { topic: 'cd'.repeat(32) })
  peer.reads(mebibyte)
  const call = peer.connection.receive(`{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  await new Promise((resolve) => setImmediate(resolve))
  peer.connection.closed()
  await call
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

test('a call is not executed if its client disconnects while the rate limit is being checked', async () => {
  const { store, authenticator, client } = relayAt()
  const reading: ((isAllowed: boolean) => void)[] = []
  const relay = createRelay({
    store,
    authenticator: { canSend: () => new Promise((resolve) => reading.push(resolve)) },
    metrics: createMetrics(),
    log: () => {},
    now: () => now,
  })
  const connection = relay.accept(
    { send() {}, close() {}, terminate() {}, unread: () => 0 },
    authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host }),
  )
  const call = connection.receive(`{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  while (reading.length === 0) await new Promise((resolve) => setImmediate(resolve))
  connection.closed()
  reading[0]?.(true)
  await call
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

test('sweep() removes expired messages and delivers messages that could not be read from the store earlier', async () => {
  const state = { isAway: false }
  const { client, relay, time, metrics } = relayAt({
    wrap: (base) => ({
      listPending: (...args) =>
        state.isAway ? Promise.reject(new StoreUnavailableError('away')) : base.listPending(...args),
    }),
  })
  const [page, wallet] = [client(), client()]
  await page.call('irn_publish', publication)
  await page.call('irn_publish', { ...publication, topic: 'cd'.repeat(32), ttl: 10 })
  state.isAway = true
  await wallet.call('irn_subscribe', { topic })
  state.isAway = false
  time.now += 10_000
  relay.sweep()
  expect(await wallet.until(() => wallet.messages()[0])).toBe('AA==')
  expect(await metrics.print()).toContain('latchkey_relay_letters 1\n')
})

test('a relay that shuts down closes its connections with 1001 and stops delivering messages', async () => {
  const { client, relay, authenticator } = relayAt()
  const [first, second, gone] = [client(), client(), client()]
  for (const peer of [first, second, gone]) await peer.call('irn_subscribe', { topic })
  gone.connection.closed()
  relay.close()
  expect([first, second].map(({ state }) => state.closed)).toEqual(Array(2).fill([1001, 'The relay is shutting down']))
  expect(gone.state.closed).toBeUndefined()
  const guest = await authenticator.authenticate({ auth: token(now), projectId: 'p', origin: undefined, host })
  await relay.handleRequest(guest, `{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  expect(first.messages()).toEqual([])
})

/** Creates fake connection counts that are shared by several instances. */
function countsOf(open: () => Promise<boolean>) {
  const closed: string[][] = []
  return {
    closed,
    open,
    close: (groups: readonly { name: string }[]) =>
      void (groups.length > 0 && closed.push(groups.map(({ name }) => name))),
    end: async () => {},
  }
}

test('counts a connection once across all instances, from authentication until it closes', async () => {
  const counts = countsOf(async () => true)
  const { client } = relayAt({ connections: counts })
  const peer = client({ address: '203.0.113.7' })
  expect(await peer.call('irn_subscribe', { topic })).toHaveProperty('result')
  expect(counts.closed).toEqual([])
  peer.connection.closed()
  peer.connection.closed()
  expect(counts.closed).toEqual([[expect.any(String), expect.any(String)]])
})

test('a connection is rejected and not counted if other instances leave no room for it', async () => {
  const counts = countsOf(async () => false)
  const { client, metrics } = relayAt({ connections: counts })
  const peer = client({ address: '203.0.113.7' })
  expect(await peer.closed()).toEqual([3001, 'Too many connections'])
  peer.connection.closed()
  expect(counts.closed).toEqual([])
  expect(await metrics.print()).toContain(
    'latchkey_relay_refusals_total{where="connection",reason="TooManyRequests"} 1\n',
  )
})

test('a connection that closes while it is being counted is subtracted again', async () => {
  let counted = (_: boolean): void => {}
  const isCounted = new Promise<boolean>((resolve) => {
    counted = resolve
  })
  const counts = countsOf(() => isCounted)
  const { client } = relayAt({ connections: counts })
  const peer = client({ address: '203.0.113.7' })
  const call = peer.connection.receive('{"id":1,"method":"x"}')
  peer.connection.closed()
  counted(true)
  await call
  expect(counts.closed).toHaveLength(1)
  peer.connection.closed()
  expect(counts.closed).toHaveLength(1)
})
