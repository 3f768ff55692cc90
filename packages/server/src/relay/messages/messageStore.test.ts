import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ipAddressGroups } from '../../ipAddresses/ipAddressGroups.ts'
import { createMemoryQuota } from '../../memoryLimits/memoryQuota.ts'
import { startRedis, type TestRedis } from '../../testing/redis.ts'
import { redisMessageStore } from '../redis/redisMessageStore.ts'
import {
  type MessageOwner,
  type MessageStore,
  memoryMessageStore,
  type RelayMessage,
  StoreUnavailableError,
} from './messageStore.ts'

const limits = {
  maxMessages: 3,
  maxTopicBytes: 20_000,
  maxBytes: { process: 1_000_000, project: 500_000, address: 100_000, client: 100_000 },
}
const start = Date.UTC(2026, 10, 21)
const time = { now: start }
const now = (): number => time.now
let topics = 0
const newTopic = (): string => (++topics).toString(16).padStart(64, '0')

function messageOf(topic: string, message: string, more: Partial<RelayMessage> = {}): RelayMessage {
  const id = createHash('sha256').update(message).digest('hex')
  return { id, topic, message, tag: 1100, publishedAt: now(), expiresAt: now() + 60_000, from: 'page', ...more }
}

/** Collects the messages that an instance receives. `until` resolves when a condition is met. */
function listenTo(store: MessageStore) {
  const received: string[] = []
  const waiting = new Set<() => void>()
  let gaps = 0
  const check = (): void => {
    for (const callback of waiting) callback()
  }
  const stop = store.addListener({
    onMessage({ message }) {
      received.push(message)
      check()
    },
    onGap() {
      gaps += 1
      check()
    },
  })
  const until = (found: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!found()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return { received, until, gaps: () => gaps, stop }
}

/** Two server instances that share a store. */
interface Store {
  readonly first: MessageStore
  readonly second: MessageStore
  end(): Promise<void>
}

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  [
    'memory',
    async () => {
      const store = memoryMessageStore({ now, limits })
      return { first: store, second: store, end: async () => {} }
    },
  ],
  [
    'Redis',
    async () => {
      const redis = await startRedis()
      const open = () => redisMessageStore({ url: redis.url, now, log: () => {}, limits })
      const [first, second] = [await open(), await open()]
      return {
        first,
        second,
        end: async () => {
          await Promise.all([first.close(), second.close()])
          await redis.stop()
        },
      }
    },
  ],
]

describe.each(stores)('a message store in %s', { timeout: 30_000 }, (_, open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  }, 30_000)
  beforeEach(() => {
    time.now = start
  })
  afterAll(() => store.end())

  const messages = async (topic: string): Promise<string[]> =>
    (await store.second.listPending([topic])).map(({ message }) => message)

  test('lists pending messages in order of publication, with all their fields', async () => {
    const topic = newTopic()
    const first = messageOf(topic, 'one', { attestation: 'a.b.c' })
    expect(await store.first.put(first)).toBe('stored')
    await store.first.put(messageOf(topic, 'two'))
    expect(await store.second.listPending([topic, newTopic()])).toEqual([first, messageOf(topic, 'two')])
    expect(await messages(newTopic())).toEqual([])
  })

  test('stores identical messages on one topic only once, but stores the same message again on a different topic', async () => {
    const [topic, other] = [newTopic(), newTopic()]
    await store.first.put(messageOf(topic, 'one'))
    expect(await store.second.put(messageOf(topic, 'one', { from: 'wallet' }))).toBe('duplicate')
    expect(await store.second.put(messageOf(other, 'one'))).toBe('stored')
    expect(await messages(topic)).toEqual(['one'])
  })

  test('removes an expired message, frees its space and keeps the other messages', async () => {
    const topic = newTopic()
    await store.first.put(messageOf(topic, 'short', { expiresAt: now() + 1_000 }))
    await store.first.put(messageOf(topic, 'long'))
    time.now += 1_000
    expect(await messages(topic)).toEqual(['long'])
    expect(await store.first.put(messageOf(topic, 'short'))).toBe('stored')
    expect(await messages(topic)).toEqual(['long', 'short'])
  })

  test('rejects a message if its topic already has the maximum number of messages, until one is removed', async () => {
    const topic = newTopic()
    const [first] = ['1', '2', '3'].map((message) => messageOf(topic, message))
    for (const message of ['1', '2', '3']) await store.first.put(messageOf(topic, message))
    expect(await store.first.put(messageOf(topic, '4'))).toBe('topicFull')
    await store.second.remove({ topic, id: first?.id ?? '', acknowledgedBy: 'wallet' })
    expect(await store.first.put(messageOf(topic, '4'))).toBe('stored')
    expect(await messages(topic)).toEqual(['2', '3', '4'])
  })

  test('rejects a message that would exceed its topic’s byte limit, without affecting other topics', async () => {
    const topic = newTopic()
    const [large, second] = ['a', 'b'].map((character) => messageOf(topic, character.repeat(10_000))) as [
      RelayMessage,
      RelayMessage,
    ]
    expect([await store.first.put(large), await store.second.put(second)]).toEqual(['stored', 'topicFull'])
    expect(await store.first.put(messageOf(newTopic(), second.message))).toBe('stored')
    await store.second.remove({ topic, id: large.id, acknowledgedBy: 'wallet' })
    expect(await store.first.put(second)).toBe('stored')
    time.now += 60_000
    expect(await store.first.put(messageOf(topic, 'c'.repeat(10_000)))).toBe('stored')
  })

  test('measures a message in bytes, not characters', async () => {
    const topic = newTopic()
    expect(await store.first.put(messageOf(topic, '€'.repeat(3_400)))).toBe('stored')
    expect(await store.second.put(messageOf(topic, 'x'.repeat(8_000)))).toBe('topicFull')
  })

  test('a topic can be filled exactly to its byte limit, but not a byte beyond it', async () => {
    const text = 'x'.repeat(8_976)
    const [exact, over] = [newTopic(), newTopic()]
    await store.first.put(messageOf(exact, text))
    expect(await store.second.put(messageOf(exact, text.replace('x', 'y')))).toBe('stored')
    await store.first.put(messageOf(over, text))
    expect(await store.second.put(messageOf(over, `${text}y`))).toBe('topicFull')
  })

  test('lists each message once, topic by topic and in order of publication, even if there are many messages and topics', async () => {
    const many = Array.from({ length: 60 }, newTopic)
    const published = many.flatMap((topic) =>
      ['1', '2', '3'].map((nth) => messageOf(topic, `${topic} ${nth}`, { from: topic })),
    )
    for (const result of await Promise.all(published.map((message) => store.first.put(message))))
      expect(result).toBe('stored')
    expect(await store.second.listPending(many)).toEqual(published)
  })

  test('reads only messages that pass the filter, which receives the publisher, size and topic', async () => {
    const [topic, other] = [newTopic(), newTopic()]
    for (const [place, message, from] of [
      [topic, 'one', 'page'],
      [topic, 'two', 'wallet'],
      [other, 'three', 'page'],
    ] as const)
      await store.first.put(messageOf(place, message, { from }))
    await store.first.put(messageOf(topic, 'over', { expiresAt: now() }))
    const seen: unknown[] = []
    const found = await store.second.listPending([topic, other], (entry) => {
      seen.push([entry.topic, entry.from, entry.size])
      return entry.from === 'page'
    })
    expect(found.map(({ message }) => message)).toEqual(['one', 'three'])
    expect(seen).toEqual([
      [topic, 'page', 1_027],
      [topic, 'wallet', 1_027],
      [other, 'page', 1_029],
    ])
  })

  test('a publisher cannot remove its own message, and removing a missing message has no effect', async () => {
    const topic = newTopic()
    const first = messageOf(topic, 'one')
    await store.first.put(first)
    await store.first.remove({ topic, id: first.id, acknowledgedBy: 'page' })
    await store.first.remove({ topic, id: 'none', acknowledgedBy: 'wallet' })
    await store.first.remove({ topic: newTopic(), id: first.id, acknowledgedBy: 'wallet' })
    expect(await messages(topic)).toEqual(['one'])
    await store.second.remove({ topic, id: first.id, acknowledgedBy: 'wallet' })
    expect(await messages(topic)).toEqual([])
  })

  test('an instance that has subscribed to a topic receives messages published on other instances', async () => {
    const topic = newTopic()
    const listener = listenTo(store.second)
    await store.second.subscribe([topic])
    await store.first.put(messageOf(topic, 'one'))
    await store.first.put(messageOf(topic, 'one'))
    await store.first.put(messageOf(topic, 'two'))
    await listener.until(() => listener.received.includes('two'))
    expect(listener.received).toEqual(['one', 'two'])
    store.second.unsubscribe([topic])
    store.second.sweep()
    await store.second.subscribe([topic])
    await store.first.put(messageOf(topic, 'three'))
    await listener.until(() => listener.received.includes('three'))
    listener.stop()
    const [later, other] = [listenTo(store.second), newTopic()]
    await store.second.subscribe([other])
    await store.first.put(messageOf(other, 'four'))
    await later.until(() => later.received.includes('four'))
    expect(listener.received).toEqual(['one', 'two', 'three'])
    later.stop()
  })
})

const room = { process: 200_000, project: 100_000, address: 50_000, client: 30_000 }
const quotas = { ...limits, maxBytes: room }
/** Returns a new client at this address, in the form that the relay uses: the widest address group comes first. */
const at = (address: string, project?: string): MessageOwner => ({
  groups: [...ipAddressGroups(address)].reverse(),
  clientId: newTopic(),
  project,
})

describe.each([
  ['memory', async () => ({ store: memoryMessageStore({ now, limits: quotas }), end: async () => {} })],
  [
    'Redis',
    async () => {
      const redis = await startRedis()
      const store = await redisMessageStore({ url: redis.url, now, log: () => {}, limits: quotas })
      return {
        store,
        end: async () => {
          await store.close()
          await redis.stop()
        },
      }
    },
  ],
] as const)('quotas of a message store in %s', { timeout: 60_000 }, (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    time.now = start
    opened = await open()
  }, 30_000)
  afterEach(() => opened.end())

  const put = async (owner: MessageOwner, size = 5_000, more: Partial<RelayMessage> = {}): Promise<string> =>
    opened.store.put(messageOf(newTopic(), 'x'.repeat(size - 1_024), { from: owner.clientId, ...more }), owner)
  /** Stores messages until one is rejected. Resolves to the number of messages stored. */
  const fill = async (owner: () => MessageOwner, max = 1_000): Promise<number> => {
    for (let count = 0; count < max; count++) if ((await put(owner())) !== 'stored') return count
    return max
  }
  const waits = async (topic: string): Promise<number> => (await opened.store.listPending([topic])).length

  test('each client has its own quota, and each address has its own quota no matter how many clients it has', async () => {
    const owner = at('203.0.113.7')
    expect(await fill(() => owner)).toBe(6)
    expect(await fill(() => at('203.0.113.7'))).toBe(4)
    expect(await put(at('203.0.113.8'))).toBe('stored')
    const unknown = { groups: [], clientId: newTopic(), project: undefined }
    expect(await fill(() => unknown)).toBe(6)
  })

  test('a /64, a /56 and a /48 have separate quotas, so that many /64s in one /56 do not lock out other networks', async () => {
    let index = 1
    expect(await fill(() => at('2001:db8:1:100::1'))).toBe(10)
    const everywhere = (): MessageOwner => at(`2001:db8:1:${(0x100 + (index++ % 200)).toString(16)}::1`)
    // A /56 gets four shares of 50,000 bytes, which is the total limit. The relay is now full.
    expect(await fill(everywhere, 60)).toBe(30)
    const honest = messageOf(newTopic(), 'AA==')
    expect(await opened.store.put(honest, at('2001:db8:2::1'))).toBe('stored')
    expect(await put(at('198.51.100.9'))).toBe('stored')
    // Further messages from the /56 displace only messages from the same /56.
    for (let turn = 0; turn < 40; turn++) await put(everywhere())
    expect(await waits(honest.topic)).toBe(1)
  })

  test('when the relay is full, the network that uses the most space loses messages first, no matter who publishes the new message, and clients that use little space lose none', async () => {
    const honest = Array.from({ length: 20 }, (_, index) => ({
      owner: at(`10.${index}.0.1`),
      message: messageOf(newTopic(), `hello ${index}`),
    }))
    for (const { owner, message } of honest.slice(0, 10)) await opened.store.put(message, owner)
    for (let index = 0; index < 6; index++) await fill(() => at(`2001:db8:${index}::1`))
    for (const { owner, message } of honest.slice(10)) expect(await opened.store.put(message, owner)).toBe('stored')
    for (const { message } of honest) expect(await waits(message.topic)).toBe(1)
    // Expired messages no longer count against their owners' quotas.
    time.now += 60_000
    expect(await fill(() => at('2001:db8:1::1'))).toBe(10)
  })

  test('when a project’s quota is full, messages of the network that uses the most of it are dropped first, and other projects lose none', async () => {
    const other = messageOf(newTopic(), 'other')
    await opened.store.put(other, at('192.0.2.1', 'other'))
    for (let index = 0; index < 3; index++) await fill(() => at(`2001:db8:${index}::1`, 'shop'))
    const honest = messageOf(newTopic(), 'AA==')
    expect(await opened.store.put(honest, at('198.51.100.9', 'shop'))).toBe('stored')
    expect([await waits(honest.topic), await waits(other.topic)]).toEqual([1, 1])
    expect(await put(at('2001:db8:0::1', 'shop'))).toBe('quotaExceeded')
  })

  test('if many users who each store little have filled a project’s quota, further messages are rejected even if the relay has room', async () => {
    let index = 0
    expect(await fill(() => at(`203.0.${index++}.7`, 'shop'))).toBe(20)
    opened.store.sweep()
    expect(await put(at('198.51.100.8', 'shop'))).toBe('quotaExceeded')
    expect(await put(at('198.51.100.9', 'other'))).toBe('stored')
    expect(await put(at('198.51.100.10'))).toBe('stored')
  })

  test('removing a message frees its owner’s quota', async () => {
    const owner = at('203.0.113.7')
    const stored = messageOf(newTopic(), 'x'.repeat(18_000), { from: owner.clientId })
    expect([await opened.store.put(stored, owner), await put(owner, 15_000)]).toEqual(['stored', 'quotaExceeded'])
    await opened.store.remove({ topic: stored.topic, id: stored.id, acknowledgedBy: 'wallet' })
    expect(await put(owner, 15_000)).toBe('stored')
  })
})

test('a fixed overhead is added to the size of each message, so that many small messages also use up the quota', async () => {
  const store = memoryMessageStore({ now, limits: { ...quotas, maxBytes: { ...room, process: 20_000 } } })
  for (let index = 0; index < 20; index++)
    await store.put(messageOf(newTopic(), 'x', { attestation: 'a'.repeat(4_096), from: `${index}` }))
  expect(store.stats?.()).toEqual({ messages: 3, bytes: 3 * 5_121 })
})

describe('quotas of an in-memory message store', () => {
  const open = (
    { project = 0, ...maxBytes }: Partial<typeof room>,
    heldBytes?: ReturnType<typeof createMemoryQuota>,
  ): MessageStore =>
    memoryMessageStore({
      now,
      limits: { ...limits, maxBytes: { process: 1e9, address: 1e9, client: 1e9, project, ...maxBytes } },
      ...(heldBytes ? { heldBytes } : {}),
    })
  beforeEach(() => {
    time.now = start
  })
  const five = (owner: MessageOwner, more: Partial<RelayMessage> = {}): RelayMessage =>
    messageOf(
      newTopic(),
      newTopic()
        .repeat(100)
        .slice(0, 5_000 - 1_024),
      { from: owner.clientId, ...more },
    )
  const pending = async (store: MessageStore, { topic }: RelayMessage): Promise<number> =>
    (await store.listPending([topic])).length

  test('a project limit of 0 means no limit', async () => {
    const store = open({ project: 0 })
    const owner = at('203.0.113.7', 'shop')
    expect(await store.put(five(owner), owner)).toBe('stored')
  })

  test('a message that exceeds the total limit is rejected without evicting other messages', async () => {
    const store = open({ process: 6_000 })
    const [small, owner] = [messageOf(newTopic(), 'AA=='), at('203.0.113.7')]
    await store.put(small, at('198.51.100.9'))
    const huge = messageOf(newTopic(), 'x'.repeat(6_000))
    expect(await store.put(huge, owner)).toBe('quotaExceeded')
    expect(await pending(store, small)).toBe(1)
    expect(await open({ process: 6_000 }).put(huge, owner)).toBe('quotaExceeded')
  })

  test('if two networks use the same amount of space, the one that stored its messages later makes room', async () => {
    const store = open({ process: 20_000 })
    const [first, second, third] = [at('203.0.113.7'), at('198.51.100.9'), at('192.0.2.1')]
    const messages = [five(first), five(first), five(second), five(second)]
    for (const message of messages) await store.put(message, message.from === first.clientId ? first : second)
    expect(await store.put(five(third), third)).toBe('stored')
    expect(await Promise.all(messages.map((message) => pending(store, message)))).toEqual([1, 1, 1, 0])
  })

  test('a client with an unknown address is treated as a separate network', async () => {
    const store = open({ process: 40_000 })
    const unknown: MessageOwner = { groups: [], clientId: newTopic(), project: undefined }
    const messages = [five(unknown), five(unknown), five(unknown)]
    for (const message of messages) await store.put(message, unknown)
    const network = at('2001:db8:1::1')
    for (let index = 0; index < 5; index++) await store.put(five(network), network)
    const honest = at('198.51.100.9')
    expect(await store.put(five(honest), honest)).toBe('stored')
    expect(await Promise.all(messages.map((message) => pending(store, message)))).toEqual([1, 1, 1])
  })

  test('removing a message does not release the bytes that other clients on the same network use', async () => {
    const store = open({ address: 10_000 })
    const [sender, neighbor] = [at('203.0.113.7'), at('203.0.113.7')]
    const first = five(sender)
    await store.put(first, sender)
    await store.put(five(neighbor), neighbor)
    await store.remove({ topic: first.topic, id: first.id, acknowledgedBy: 'wallet' })
    expect([await store.put(five(sender), sender), await store.put(five(sender), sender)]).toEqual([
      'stored',
      'quotaExceeded',
    ])
  })

  test('if a quota is full, the store looks for expired messages at most once per second', async () => {
    const store = open({ client: 5_000 })
    const owner = at('203.0.113.7')
    await store.put(five(owner, { expiresAt: start + 500 }), owner)
    time.now = start + 999
    expect(await store.put(five(owner), owner)).toBe('quotaExceeded')
    time.now = start + 1_000
    expect(await store.put(five(owner), owner)).toBe('stored')
  })

  test('stored messages count towards the memory quota of their address until they are removed or expire', async () => {
    const heldBytes = createMemoryQuota(10_000)
    const store = open({}, heldBytes)
    const groups = [{ name: 'net', share: 1 }]
    const owner: MessageOwner = { groups, clientId: 'page', project: undefined }
    const removed = five(owner)
    const put = async (message = five(owner)): Promise<string> => store.put(message, owner)
    expect([await put(removed), await put(five(owner, { expiresAt: start + 500 })), await put()]).toEqual([
      'stored',
      'stored',
      'quotaExceeded',
    ])
    await store.remove({ topic: removed.topic, id: removed.id, acknowledgedBy: 'wallet' })
    expect(heldBytes.exceeded(groups, 5_000)).toBe(-1)
    expect([await put(), await put()]).toEqual(['stored', 'quotaExceeded'])
    time.now = start + 1_000
    expect(await put()).toBe('stored')
  })
})

describe('the message store in Redis', { timeout: 30_000 }, () => {
  let redis: TestRedis
  let look: Awaited<ReturnType<typeof connectTo>>
  const opened: MessageStore[] = []
  beforeAll(async () => {
    redis = await startRedis()
    look = await connectTo(redis.url)
  }, 30_000)
  beforeEach(async () => {
    time.now = start
    await look.flushAll()
    await look.configSet({ maxmemory: '0', 'maxmemory-policy': 'noeviction' })
  })
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))
  afterAll(async () => {
    look.destroy()
    await redis.stop()
  })

  const open = async (url = redis.url) => {
    const logs: unknown[] = []
    const store = await redisMessageStore({
      url,
      now,
      log: (level, message, fields) => void logs.push([level, message, fields?.policy]),
    })
    opened.push(store)
    return { store, logs }
  }
  const pending = async (store: MessageStore, topics: readonly string[]): Promise<string[]> =>
    (await store.listPending(topics)).map(({ message }) => message)
  /** Resolves to the number of times Redis has received a command since CONFIG RESETSTAT. */
  const callsOf = async (name: string): Promise<number> =>
    Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(await look.info('commandstats'))?.[1] ?? 0)
  const channelsOf = async (...topics: string[]): Promise<number[]> =>
    Object.values(await look.pubSubNumSub(topics.map((topic) => `latchkey:relay:${topic}`))).map(Number)

  test('messages can use up to half of Redis’ memory limit, and each sweep reads the limit again', async () => {
    await look.configSet('maxmemory', '16000000')
    const { store } = await open()
    const put = async (at: number): Promise<string> =>
      store.put(messageOf(newTopic(), `${at}`.padEnd(1_000_000 - 1_024), { from: `${at}` }))
    const results: string[] = []
    for (let at = 0; at < 9; at++) results.push(await put(at))
    expect(results).toEqual([...Array(8).fill('stored'), 'quotaExceeded'])
    // The sweep reads the new limit.
    await look.configSet('maxmemory', '0')
    store.sweep()
    await expect.poll(() => put(9), { interval: 5 }).toBe('stored')
  })

  test('messages cannot use more than the configured limit, even if Redis has a higher limit', async () => {
    await look.configSet('maxmemory', '16000000')
    const low = { ...limits, maxBytes: { process: 5_000, project: 0, address: 10_000, client: 10_000 } }
    const store = await redisMessageStore({ url: redis.url, now, log: () => {}, limits: low })
    opened.push(store)
    expect(await store.put(messageOf(newTopic(), 'x'.repeat(5_001 - 1_024)))).toBe('quotaExceeded')
    expect(await store.put(messageOf(newTopic(), 'x'.repeat(5_000 - 1_024)))).toBe('stored')
  })

  test.each([
    [
      'evicts messages above its memory limit',
      '50000000',
      'allkeys-lru',
      [['warn', 'the relay’s Redis evicts messages: set maxmemory-policy to noeviction', 'allkeys-lru']],
    ],
    ['rejects messages above its memory limit', '50000000', 'noeviction', []],
    ['would evict messages but has no memory limit', '0', 'allkeys-lru', []],
  ])('logs a warning at startup only if Redis evicts messages: Redis %s', async (_, maxmemory, policy, expected) => {
    await look.configSet({ maxmemory, 'maxmemory-policy': policy })
    const { store, logs } = await open()
    store.sweep()
    await store.put(messageOf(newTopic(), 'AA=='))
    await store.ping()
    expect(logs).toEqual(expected)
  })

  test('messages are stored, and removed when they expire, even if Redis does not permit INFO', async () => {
    await look.sendCommand(['ACL', 'SETUSER', 'relay', 'on', '>pw', '~*', '&*', '+@all', '-info'])
    const { store, logs } = await open(redis.url.replace('//', '//relay:pw@'))
    expect(await store.put(messageOf(newTopic(), 'AA==', { expiresAt: now() + 1_000 }))).toBe('stored')
    time.now += 1_000
    store.sweep()
    await expect.poll(() => look.keys('*:o:*'), { interval: 5 }).toEqual([])
    expect(logs).toEqual([])
  })

  test('a sweep releases the quotas of all expired messages, no matter how many there are', async () => {
    const { store } = await open()
    const more = { expiresAt: now() + 1_000 }
    await Promise.all(Array.from({ length: 501 }, (_, at) => store.put(messageOf(newTopic(), `${at}`, more))))
    const stored = messageOf(newTopic(), 'kept')
    await store.put(stored)
    time.now += 1_000
    store.sweep()
    await expect.poll(() => look.keys('*:t:*'), { interval: 5 }).toHaveLength(1)
    expect(await pending(store, [stored.topic])).toEqual(['kept'])
  })

  test('omits a message that Redis has evicted', async () => {
    const { store } = await open()
    const topic = newTopic()
    for (const message of ['one', 'two']) await store.put(messageOf(topic, message))
    await look.del(await look.keys(`*:m:*${messageOf(topic, 'one').id}`))
    expect(await pending(store, [topic])).toEqual(['two'])
  })

  test('ignores invalid data on the relay’s channels', async () => {
    const { store } = await open()
    const topic = newTopic()
    const listener = listenTo(store)
    await store.subscribe([topic])
    for (const text of ['not JSON', '{}']) await look.publish(`latchkey:relay:${topic}`, text)
    await store.put(messageOf(topic, 'one'))
    await listener.until(() => listener.received.length > 0)
    expect(listener.received).toEqual(['one'])
  })

  test('a sweep unsubscribes from abandoned topics only', async () => {
    const { store } = await open()
    const [stored, abandoned] = [newTopic(), newTopic()]
    await store.subscribe([stored, abandoned])
    store.sweep()
    store.unsubscribe([abandoned])
    expect(await channelsOf(stored, abandoned)).toEqual([1, 1])
    store.sweep()
    await expect.poll(() => channelsOf(stored, abandoned), { interval: 5 }).toEqual([1, 0])
    const listener = listenTo(store)
    await store.put(messageOf(stored, 'one'))
    await listener.until(() => listener.received.length > 0)
  })

  test('the store still works after Redis loses its scripts', async () => {
    const { store } = await open()
    const topic = newTopic()
    await store.put(messageOf(topic, 'one'))
    await look.scriptFlush()
    expect(await store.put(messageOf(topic, 'two'))).toBe('stored')
    expect(await pending(store, [topic])).toEqual(['one', 'two'])
  })

  test('does not retry a command that Redis rejects', async () => {
    const { store } = await open()
    const topic = newTopic()
    await store.put(messageOf(newTopic(), 'one'))
    await look.set(`latchkey:{relay}:t:${topic}`, 'not a hash')
    await look.configResetStat()
    await expect(store.put(messageOf(topic, 'one'))).rejects.toThrow('WRONGTYPE')
    expect([await callsOf('evalsha'), await callsOf('eval')]).toEqual([1, 0])
  })

  test('a store that has not stored anything before an outage works afterwards', async () => {
    const { store, logs } = await open()
    const listener = listenTo(store)
    const [topic, abandoned] = [newTopic(), newTopic()]
    await store.subscribe([topic, abandoned])
    // The outage begins while a sweep unsubscribes from abandoned topics.
    store.unsubscribe([abandoned])
    redis.freeze()
    store.sweep()
    await redis.kill()
    await expect(store.put(messageOf(topic, 'one'))).rejects.toThrow(StoreUnavailableError)
    // The call rejects immediately instead of after a timeout, so that the client can try again.
    await expect(store.put(messageOf(topic, 'one'))).rejects.toThrow('The client is offline')
    await expect(store.ping()).rejects.toThrow('Redis is not connected')
    await redis.start()
    await listener.until(() => listener.gaps() > 0)
    expect(await store.put(messageOf(topic, 'one'))).toBe('stored')
    await listener.until(() => listener.received.length > 0)
    expect(logs).toEqual([
      ['warn', 'the relay’s Redis is unavailable', undefined],
      ['info', 'the relay’s Redis is available again', undefined],
    ])
    // The next sweep succeeds.
    expect(await channelsOf(topic, abandoned)).toEqual([1, 1])
    store.sweep()
    await expect.poll(() => channelsOf(topic, abandoned), { interval: 5 }).toEqual([1, 0])
  })

  test('each time Redis drops the subscriptions, listeners are notified that they might have missed messages', async () => {
    const { store, logs } = await open()
    const topic = newTopic()
    await store.subscribe([topic])
    const listener = listenTo(store)
    for (const times of [1, 2]) {
      await look.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])
      await listener.until(() => listener.gaps() === times)
    }
    expect(logs.map((line) => (line as string[])[1])).toEqual([
      'the relay’s Redis is unavailable',
      'the relay’s Redis is available again',
      'the relay’s Redis is unavailable',
      'the relay’s Redis is available again',
    ])
    await store.put(messageOf(topic, 'one'))
    await listener.until(() => listener.received.length > 0)
  })

  test('a command rejects if Redis does not respond within three seconds', async () => {
    const { store } = await open()
    await store.put(messageOf(newTopic(), 'one'))
    redis.freeze()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const failed = Promise.resolve(store.put(messageOf(newTopic(), 'two'))).catch((error: Error) => [
        error.name,
        error.message,
      ])
      await vi.advanceTimersByTimeAsync(2_999)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await failed).toEqual(['StoreUnavailableError', 'TimeoutError: Redis did not respond in time'])
      redis.thaw()
      expect(await store.put(messageOf(newTopic(), 'three'))).toBe('stored')
      // No timer keeps the process running.
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
      redis.thaw()
    }
  })

  test('a server does not start if Redis does not respond, and closes its connections', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket.resume()))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const logs: unknown[] = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failed = redisMessageStore({ url: `redis://127.0.0.1:${port}`, now, log: (...line) => void logs.push(line) })
    const asserted = expect(failed).rejects.toThrow('Could not connect to Redis at REDIS_URL.')
    while (sockets.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    await asserted
    await Promise.all(
      sockets.map((socket) => socket.destroyed || new Promise((resolve) => socket.once('close', resolve))),
    )
    expect(logs).toEqual([])
    await new Promise((resolve) => silent.close(resolve))
  })

  test('ping() rejects if Redis cannot be written to, and leaves no permanent key behind', async () => {
    const { store } = await open()
    await store.ping()
    const keys = await look.keys('*')
    expect(keys).toEqual([expect.stringMatching(/^latchkey:\{relay\}:/)])
    expect(await look.pTTL(keys[0] as string)).toBeGreaterThan(0)
    // Running out of memory is reported separately.
    await look.configSet('maxmemory', '1')
    await store.ping()
    await look.configSet('maxmemory', '0')
    await look.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
    await expect(store.ping()).rejects.toThrow('READONLY')
    await look.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  })

  test('closing the store ends its pending reads and its connections', async () => {
    const { store } = await open()
    const reads = Array.from({ length: 6 }, () => store.listPending([newTopic()]).catch(String))
    await Promise.resolve()
    await store.close()
    expect((await Promise.all(reads)).slice(4)).toEqual(
      Array(2).fill('StoreUnavailableError: The relay is shutting down'),
    )
    await expect.poll(() => look.clientList(), { interval: 5 }).toHaveLength(1)
  })

  test('if Redis is out of memory, messages of an owner that uses much space make room for those of an owner that uses little', async () => {
    const { store } = await open()
    const used = Number(/^used_memory:(\d+)/m.exec(await look.info('memory'))?.[1])
    await look.configSet('maxmemory', String(used + 1_500_000))
    const [hostile, honest] = [at('203.0.113.7'), at('198.51.100.9')]
    const put = (owner: MessageOwner, length: number): Promise<string> =>
      Promise.resolve(
        store.put(messageOf(newTopic(), newTopic().padEnd(length), { from: owner.clientId }), owner),
      ).catch(({ name }) => name)
    for (let result = 'stored'; result === 'stored'; ) result = await put(hostile, 20_000)
    expect(await put(honest, 300_000)).toBe('stored')
    for (const length of [20_000, 10])
      for (let result = 'stored'; result === 'stored'; ) result = await put(hostile, length)
    expect(await put(honest, 10)).toBe('stored')
  })
})

async function connectTo(url: string) {
  const { createClient } = await import('@redis/client')
  return createClient({ url, RESP: 2 })
    .on('error', () => {})
    .connect()
}

describe('a Redis outage', { timeout: 60_000 }, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  }, 30_000)
  afterAll(() => redis.stop())

  test('no message is confirmed as stored during an outage, and afterwards the data is intact and listeners are notified that they might have missed messages', async () => {
    const messages: string[] = []
    const log = (_: string, message: string): void => void messages.push(message)
    const first = await redisMessageStore({ url: redis.url, now, log })
    const second = await redisMessageStore({ url: redis.url, now, log: () => {} })
    const listener = listenTo(second)
    const topic = newTopic()
    const later = newTopic()
    await second.subscribe([topic])
    await first.put(messageOf(topic, 'before'))
    await listener.until(() => listener.received.length === 1)
    expect([first.ready(), second.ready()]).toEqual([true, true])

    await redis.kill()
    await expect(first.put(messageOf(topic, 'meanwhile'))).rejects.toThrow(StoreUnavailableError)
    await expect(second.listPending([topic])).rejects.toThrow(StoreUnavailableError)
    await expect(second.subscribe([later])).rejects.toThrow(StoreUnavailableError)
    expect(first.ready()).toBe(false)

    const backAt = listenTo(first)
    await redis.start()
    await Promise.all([listener.until(() => listener.gaps() > 0), backAt.until(() => backAt.gaps() > 0)])
    expect((await second.listPending([topic])).map(({ message }) => message)).toEqual(['before'])
    for (const place of [topic, later]) expect(await first.put(messageOf(place, `after ${place}`))).toBe('stored')
    await listener.until(() => listener.received.length === 3)
    expect(messages).toEqual(['the relay’s Redis is unavailable', 'the relay’s Redis is available again'])
    await Promise.all([first.close(), second.close()])
  })

  test('acknowledged messages are removed immediately, and others when they expire', async () => {
    const { createClient } = await import('@redis/client')
    const look = await createClient({ url: redis.url }).connect()
    await look.flushAll()
    const store = await redisMessageStore({ url: redis.url, now, log: () => {} })
    const stored = messageOf(newTopic(), 'one')
    await store.put(stored)
    await store.remove({ topic: stored.topic, id: stored.id, acknowledgedBy: 'wallet' })
    expect(await look.keys('*')).toEqual(['latchkey:{relay}:sequence'])
    const topic = newTopic()
    await store.put(messageOf(topic, 'long', { expiresAt: now() + 600_000 }))
    await store.put(messageOf(topic, 'short', { expiresAt: now() + 1_000 }))
    const lives = await Promise.all((await look.keys('*:m:*')).map((key) => look.pTTL(key)))
    expect(lives).toHaveLength(2)
    expect(Math.max(...lives)).toBeGreaterThan(500_000)
    expect(Math.max(...lives)).toBeLessThanOrEqual(600_000)
    // The messages were never fetched, so the next put or sweep releases their quota.
    time.now += 600_000
    await store.put(stored)
    await store.remove({ topic: stored.topic, id: stored.id, acknowledgedBy: 'wallet' })
    expect(await look.keys('*')).toEqual(['latchkey:{relay}:sequence'])
    time.now = start
    look.destroy()
    await store.close()
  })

  test('if one owner fills Redis, others can still store messages, and /ready reports when Redis is full', async () => {
    const { createClient } = await import('@redis/client')
    const look = await createClient({ url: redis.url }).connect()
    await look.flushAll()
    const logs: unknown[] = []
    const store = await redisMessageStore({
      url: redis.url,
      now,
      log: (level, message, fields) => void logs.push([level, message, fields?.code]),
    })
    const used = Number(/^used_memory:(\d+)/m.exec(await look.info('memory'))?.[1])
    // The quotas assume a higher limit, because this instance does not notice the change.
    await look.configSet('maxmemory', String(used + 4_000_000))
    const hostile = at('203.0.113.7')
    const large = (owner: MessageOwner): Promise<string> =>
      Promise.resolve(
        store.put(messageOf(newTopic(), newTopic().repeat(4_000), { from: owner.clientId }), owner),
      ).catch((error: Error) => error.name)
    for (let index = 0; index < 30; index++) await large(hostile)
    expect(await large(hostile)).toBe('StoreUnavailableError')
    expect(store.isOutOfMemory?.()).toBe(true)
    for (let index = 0; index < 5; index++) expect(await large(at(`198.51.${index}.9`))).toBe('stored')
    expect(store.isOutOfMemory?.()).toBe(false)
    // Each line is logged once, not once per message.
    expect(logs).toEqual([
      ['error', 'the relay’s Redis is out of memory', 'OOM'],
      ['info', 'the relay’s Redis has memory again', undefined],
    ])
    await look.configSet('maxmemory', '0')
    await look.flushAll()
    look.destroy()
    await store.close()
  })
})
