import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressGroups } from '../clientAddress.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import {
  type MessageOwner,
  type MessageStore,
  memoryMessageStore,
  type RelayMessage,
  StoreUnavailableError,
} from './messageStore.ts'
import { redisMessageStore } from './redisMessageStore.ts'

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

function letter(topic: string, message: string, more: Partial<RelayMessage> = {}): RelayMessage {
  const id = createHash('sha256').update(message).digest('hex')
  return { id, topic, message, tag: 1100, publishedAt: now(), expiresAt: now() + 60_000, from: 'page', ...more }
}

/** Collects the messages an instance receives, with a promise for the next one. */
function listenTo(store: MessageStore) {
  const received: string[] = []
  const waiting = new Set<() => void>()
  let gaps = 0
  const wake = (): void => {
    for (const callback of waiting) callback()
  }
  const stop = store.addListener({
    onMessage({ message }) {
      received.push(message)
      wake()
    },
    onGap() {
      gaps += 1
      wake()
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

/** Two server instances over one store. */
interface Store {
  readonly one: MessageStore
  readonly two: MessageStore
  end(): Promise<void>
}

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  [
    'memory',
    async () => {
      const one = memoryMessageStore({ now, limits })
      return { one, two: one, end: async () => {} }
    },
  ],
  [
    'Redis',
    async () => {
      const redis = await startRedis()
      const open = () => redisMessageStore({ url: redis.url, now, log: () => {}, limits })
      const [one, two] = [await open(), await open()]
      return {
        one,
        two,
        end: async () => {
          await Promise.all([one.close(), two.close()])
          await redis.stop()
        },
      }
    },
  ],
]

describe.each(stores)('store in %s', { timeout: 30_000 }, (_, open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  }, 30_000)
  beforeEach(() => {
    time.now = start
  })
  afterAll(() => store.end())

  const messages = async (topic: string): Promise<string[]> =>
    (await store.two.listPending([topic])).map(({ message }) => message)

  test('pending messages are listed in order of publication, with all their fields', async () => {
    const topic = newTopic()
    const first = letter(topic, 'one', { attestation: 'a.b.c' })
    expect(await store.one.put(first)).toBe('stored')
    await store.one.put(letter(topic, 'two'))
    expect(await store.two.listPending([topic, newTopic()])).toEqual([first, letter(topic, 'two')])
    expect(await messages(newTopic())).toEqual([])
  })

  test('an identical message on the same topic is stored once; on another topic it is stored separately', async () => {
    const [topic, other] = [newTopic(), newTopic()]
    await store.one.put(letter(topic, 'one'))
    expect(await store.two.put(letter(topic, 'one', { from: 'wallet' }))).toBe('duplicate')
    expect(await store.two.put(letter(other, 'one'))).toBe('stored')
    expect(await messages(topic)).toEqual(['one'])
  })

  test('an expired message is removed and frees space; others remain', async () => {
    const topic = newTopic()
    await store.one.put(letter(topic, 'short', { expiresAt: now() + 1_000 }))
    await store.one.put(letter(topic, 'long'))
    time.now += 1_000
    expect(await messages(topic)).toEqual(['long'])
    expect(await store.one.put(letter(topic, 'short'))).toBe('stored')
    expect(await messages(topic)).toEqual(['long', 'short'])
  })

  test('a topic holds a limited number of messages, until some are removed', async () => {
    const topic = newTopic()
    const [first] = ['1', '2', '3'].map((message) => letter(topic, message))
    for (const message of ['1', '2', '3']) await store.one.put(letter(topic, message))
    expect(await store.one.put(letter(topic, '4'))).toBe('topicFull')
    await store.two.remove({ topic, id: first?.id ?? '', acknowledgedBy: 'wallet' })
    expect(await store.one.put(letter(topic, '4'))).toBe('stored')
    expect(await messages(topic)).toEqual(['2', '3', '4'])
  })

  test('a topic holds a limited number of bytes, until some are removed; other topics are not affected', async () => {
    const topic = newTopic()
    const [large, second] = ['a', 'b'].map((one) => letter(topic, one.repeat(10_000))) as [RelayMessage, RelayMessage]
    expect([await store.one.put(large), await store.two.put(second)]).toEqual(['stored', 'topicFull'])
    expect(await store.one.put(letter(newTopic(), second.message))).toBe('stored')
    await store.two.remove({ topic, id: large.id, acknowledgedBy: 'wallet' })
    expect(await store.one.put(second)).toBe('stored')
    time.now += 60_000
    expect(await store.one.put(letter(topic, 'c'.repeat(10_000)))).toBe('stored')
  })

  test('only messages that pass the filter are read; the filter receives publisher, size and topic', async () => {
    const [topic, other] = [newTopic(), newTopic()]
    for (const [place, message, from] of [
      [topic, 'one', 'page'],
      [topic, 'two', 'wallet'],
      [other, 'three', 'page'],
    ] as const)
      await store.one.put(letter(place, message, { from }))
    await store.one.put(letter(topic, 'over', { expiresAt: now() }))
    const seen: unknown[] = []
    const found = await store.two.listPending([topic, other], (entry) => {
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

  test('a publisher cannot remove its own message, and removing a missing message does nothing', async () => {
    const topic = newTopic()
    const one = letter(topic, 'one')
    await store.one.put(one)
    await store.one.remove({ topic, id: one.id, acknowledgedBy: 'page' })
    await store.one.remove({ topic, id: 'none', acknowledgedBy: 'wallet' })
    expect(await messages(topic)).toEqual(['one'])
    await store.two.remove({ topic, id: one.id, acknowledgedBy: 'wallet' })
    expect(await messages(topic)).toEqual([])
  })

  test('an instance receives messages published on another instance once it subscribes to the topic', async () => {
    const topic = newTopic()
    const listener = listenTo(store.two)
    await store.two.subscribe([topic])
    await store.one.put(letter(topic, 'one'))
    await store.one.put(letter(topic, 'one'))
    await store.one.put(letter(topic, 'two'))
    await listener.until(() => listener.received.includes('two'))
    expect(listener.received).toEqual(['one', 'two'])
    store.two.unsubscribe([topic])
    store.two.sweep()
    await store.two.subscribe([topic])
    await store.one.put(letter(topic, 'three'))
    await listener.until(() => listener.received.includes('three'))
    listener.stop()
  })
})

const room = { process: 200_000, project: 100_000, address: 50_000, client: 30_000 }
const quotas = { ...limits, maxBytes: room }
/** As the ports provide it: widest group first. */
const at = (address: string, project?: string): MessageOwner => ({
  groups: [...addressGroups(address)].reverse(),
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
] as const)('quotas of store in %s', { timeout: 60_000 }, (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    time.now = start
    opened = await open()
  }, 30_000)
  afterEach(() => opened.end())

  const put = (owner: MessageOwner, size = 5_000, more: Partial<RelayMessage> = {}): Promise<string> =>
    opened.store.put(letter(newTopic(), 'x'.repeat(size - 1_024), { from: owner.clientId, ...more }), owner)
  /** Returns how many messages of an owner are stored before one is rejected. */
  const fill = async (owner: () => MessageOwner, max = 1_000): Promise<number> => {
    for (let kept = 0; kept < max; kept++) if ((await put(owner())) !== 'stored') return kept
    return max
  }
  const waits = async (topic: string): Promise<number> => (await opened.store.listPending([topic])).length

  test('a client has its own quota, and an address has one regardless of its number of clients', async () => {
    const one = at('203.0.113.7')
    expect(await fill(() => one)).toBe(6)
    expect(await fill(() => at('203.0.113.7'))).toBe(4)
    expect(await put(at('203.0.113.8'))).toBe('stored')
    const unknown = { groups: [], clientId: newTopic(), project: undefined }
    expect(await fill(() => unknown)).toBe(6)
  })

  test('a /64, a /56 and a /48 have separate quotas: many /64 of a /56 do not fill the relay', async () => {
    let index = 1
    expect(await fill(() => at('2001:db8:1:100::1'))).toBe(10)
    const everywhere = (): MessageOwner => at(`2001:db8:1:${(0x100 + (index++ % 200)).toString(16)}::1`)
    // Four shares of 50,000 bytes equal the total limit: the relay is now full because of one /56.
    expect(await fill(everywhere, 60)).toBe(30)
    const honest = letter(newTopic(), 'AA==')
    expect(await opened.store.put(honest, at('2001:db8:2::1'))).toBe('stored')
    expect(await put(at('198.51.100.9'))).toBe('stored')
    // Owners in the /56 displace each other, and no others.
    for (let turn = 0; turn < 40; turn++) await put(everywhere())
    expect(await waits(honest.topic)).toBe(1)
  })

  test('when the relay is full, the heaviest network is evicted first, regardless of the publisher, and never an honest client', async () => {
    const honest = Array.from({ length: 20 }, (_, index) => ({
      owner: at(`10.${index}.0.1`),
      kept: letter(newTopic(), `hello ${index}`),
    }))
    for (const { owner, kept } of honest.slice(0, 10)) await opened.store.put(kept, owner)
    for (let index = 0; index < 6; index++) await fill(() => at(`2001:db8:${index}::1`))
    for (const { owner, kept } of honest.slice(10)) expect(await opened.store.put(kept, owner)).toBe('stored')
    for (const { kept } of honest) expect(await waits(kept.topic)).toBe(1)
    // Expired messages count for no owner.
    time.now += 60_000
    expect(await fill(() => at('2001:db8:1::1'))).toBe(10)
  })

  test('a project has a quota, within which its heaviest network is evicted first; other projects are not affected', async () => {
    const other = letter(newTopic(), 'other')
    await opened.store.put(other, at('192.0.2.1', 'other'))
    for (let index = 0; index < 3; index++) await fill(() => at(`2001:db8:${index}::1`, 'shop'))
    const honest = letter(newTopic(), 'AA==')
    expect(await opened.store.put(honest, at('198.51.100.9', 'shop'))).toBe('stored')
    expect([await waits(honest.topic), await waits(other.topic)]).toEqual([1, 1])
    expect(await put(at('2001:db8:0::1', 'shop'))).toBe('quotaExceeded')
  })

  test('a project filled by many light users rejects more of its messages, even if the relay has room', async () => {
    let index = 0
    expect(await fill(() => at(`203.0.${index++}.7`, 'shop'))).toBe(20)
    expect(await put(at('198.51.100.9', 'other'))).toBe('stored')
    expect(await put(at('198.51.100.10'))).toBe('stored')
  })

  test('removing messages frees their quota', async () => {
    const owner = at('203.0.113.7')
    const kept = letter(newTopic(), 'x'.repeat(18_000), { from: owner.clientId })
    expect([await opened.store.put(kept, owner), await put(owner, 15_000)]).toEqual(['stored', 'quotaExceeded'])
    await opened.store.remove({ topic: kept.topic, id: kept.id, acknowledgedBy: 'wallet' })
    expect(await put(owner, 15_000)).toBe('stored')
  })
})

test('many small messages fill the memory as a few large ones do', async () => {
  const store = memoryMessageStore({ now, limits: { ...quotas, maxBytes: { ...room, process: 20_000 } } })
  for (let index = 0; index < 20; index++)
    await store.put(letter(newTopic(), 'x', { attestation: 'a'.repeat(4_096), from: `${index}` }))
  expect(store.stats?.()).toEqual({ messages: 3, bytes: 3 * 5_121 })
})

describe('a Redis that becomes unavailable', { timeout: 60_000 }, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  }, 30_000)
  afterAll(() => redis.stop())

  test('during an outage no message is confirmed as stored; afterwards all data is intact, and listeners are asked to read again', async () => {
    const said: string[] = []
    const log = (_: string, message: string): void => void said.push(message)
    const one = await redisMessageStore({ url: redis.url, now, log })
    const two = await redisMessageStore({ url: redis.url, now, log: () => {} })
    const listener = listenTo(two)
    const topic = newTopic()
    const later = newTopic()
    await two.subscribe([topic])
    await one.put(letter(topic, 'before'))
    await listener.until(() => listener.received.length === 1)
    expect([one.ready(), two.ready()]).toEqual([true, true])

    await redis.kill()
    await expect(one.put(letter(topic, 'meanwhile'))).rejects.toThrow(StoreUnavailableError)
    await expect(two.listPending([topic])).rejects.toThrow(StoreUnavailableError)
    await expect(two.subscribe([later])).rejects.toThrow(StoreUnavailableError)
    expect(one.ready()).toBe(false)

    const backAt = listenTo(one)
    await redis.start()
    await Promise.all([listener.until(() => listener.gaps() > 0), backAt.until(() => backAt.gaps() > 0)])
    expect((await two.listPending([topic])).map(({ message }) => message)).toEqual(['before'])
    for (const place of [topic, later]) expect(await one.put(letter(place, `after ${place}`))).toBe('stored')
    await listener.until(() => listener.received.length === 3)
    expect(said).toEqual(['the relay’s Redis is unavailable', 'the relay’s Redis is available again'])
    await Promise.all([one.close(), two.close()])
  })

  test('entries are removed automatically: acknowledged messages immediately, others when they expire', async () => {
    const { createClient } = await import('@redis/client')
    const look = await createClient({ url: redis.url }).connect()
    await look.flushAll()
    const store = await redisMessageStore({ url: redis.url, now, log: () => {} })
    const taken = letter(newTopic(), 'one')
    await store.put(taken)
    await store.remove({ topic: taken.topic, id: taken.id, acknowledgedBy: 'wallet' })
    expect(await look.keys('*')).toEqual(['latchkey:{relay}:sequence'])
    const topic = newTopic()
    await store.put(letter(topic, 'long', { expiresAt: now() + 600_000 }))
    await store.put(letter(topic, 'short', { expiresAt: now() + 1_000 }))
    const lives = await Promise.all((await look.keys('*:m:*')).map((key) => look.pTTL(key)))
    expect(lives).toHaveLength(2)
    expect(Math.max(...lives)).toBeGreaterThan(500_000)
    expect(Math.max(...lives)).toBeLessThanOrEqual(600_000)
    // Nobody fetched it: the next put or sweep releases its quota.
    time.now += 600_000
    await store.put(taken)
    await store.remove({ topic: taken.topic, id: taken.id, acknowledgedBy: 'wallet' })
    expect(await look.keys('*')).toEqual(['latchkey:{relay}:sequence'])
    time.now = start
    look.destroy()
    await store.close()
  })

  test('if an owner fills Redis, others can still store messages; /ready reports when Redis is full', async () => {
    const { createClient } = await import('@redis/client')
    const look = await createClient({ url: redis.url }).connect()
    await look.flushAll()
    const said: unknown[] = []
    const store = await redisMessageStore({
      url: redis.url,
      now,
      log: (level, message, fields) => void said.push([level, message, fields?.code]),
    })
    const used = Number(/^used_memory:(\d+)/m.exec(await look.info('memory'))?.[1])
    // Below what the quotas assume: the limit is changed without this instance noticing.
    await look.configSet('maxmemory', String(used + 4_000_000))
    const hostile = at('203.0.113.7')
    const large = (owner: MessageOwner): Promise<string> =>
      store
        .put(letter(newTopic(), newTopic().repeat(4_000), { from: owner.clientId }), owner)
        .catch((error: Error) => error.name)
    for (let index = 0; index < 30; index++) await large(hostile)
    expect(await large(hostile)).toBe('StoreUnavailableError')
    expect(store.isOutOfMemory?.()).toBe(true)
    expect(said).toContainEqual(['error', 'the relay’s Redis is out of memory', 'OOM'])
    for (let index = 0; index < 5; index++) expect(await large(at(`198.51.${index}.9`))).toBe('stored')
    expect(store.isOutOfMemory?.()).toBe(false)
    await look.configSet('maxmemory', '0')
    await look.flushAll()
    look.destroy()
    await store.close()
  })

  test('a server does not start without Redis at the configured URL', async () => {
    await expect(redisMessageStore({ url: 'redis://127.0.0.1:1', now, log: () => {} })).rejects.toThrow(
      'Could not connect to Redis at REDIS_URL.',
    )
  }, 30_000)
})
