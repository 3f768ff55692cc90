import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type MessageListener,
  type MessageStore,
  memoryMessageStore,
  type RelayMessage,
} from './messages/messageStore.ts'
import type { Subscriber } from './subscriber.ts'
import { createSubscriptions } from './subscriptions.ts'

const start = Date.UTC(2026, 10, 21)
const [topic, other, third] = ['aa', 'bb', 'cc'].map((character) => character.repeat(32)) as [string, string, string]
const pageBytes = 1_048_576
/** The overhead that is added to the length of each message, in bytes. */
const overhead = 1_024

/** Creates subscriptions with an in-memory store whose replies a test can delay. */
function subscriptionsAt({ maxTopics = 5, maxUnacked = 100 } = {}) {
  const time = { now: start }
  const now = (): number => time.now
  const base = memoryMessageStore({ now })
  const listeners: MessageListener[] = []
  const store = { isAway: false, subscribed: [] as string[], unsubscribed: [] as string[] }
  let held: Promise<void> | undefined
  const reply = async <T>(value: () => Promise<T>): Promise<T> => {
    if (store.isAway) throw new Error('away')
    const found = await value()
    await held
    return found
  }
  const counts = { subscriptions: 0, delivered: 0, deliveries: [] as number[] }
  const ignored = (): void => {}
  const subscriptions = createSubscriptions({
    store: {
      ...base,
      listPending: (...query) => reply(() => base.listPending(...query)),
      subscribe: (topics) => reply(async () => void store.subscribed.push(...topics)),
      unsubscribe: (topics) => void store.unsubscribed.push(...topics),
      addListener(listener) {
        listeners.push(listener)
        return base.addListener(listener)
      },
    } satisfies MessageStore,
    metrics: {
      connected: ignored,
      gone: ignored,
      refused: ignored,
      published: ignored,
      subscriptions: (change) => {
        counts.subscriptions += change
      },
      delivered: (_, count) => {
        counts.delivered += count
        counts.deliveries.push(count)
      },
    },
    now,
    maxTopics,
    maxUnacked,
  })
  const client = (clientId: string) => {
    const frames: (readonly (string | Buffer)[])[] = []
    const state = { hasRoom: true, isFull: false, reserved: 0, tasks: 0 }
    let queue = Promise.resolve()
    const subscriber: Subscriber = {
      clientId,
      send: (...parts) => void frames.push(parts),
      hasRoom: () => state.hasRoom,
      reserve(topics) {
        if (state.isFull) return false
        state.reserved += topics
        return true
      },
      topics: new Map(),
      behindTopics: new Set(),
      unacked: new Map(),
      fetched: new Set(),
      runInOrder(task) {
        state.tasks += 1
        queue = queue.then(task)
        return queue
      },
    }
    const pushes = () =>
      frames.map(
        (parts) =>
          JSON.parse(parts.join('')) as {
            id: number
            params: { id: string; data: { topic: string; message: string } }
          },
      )
    return {
      subscriber,
      state,
      frames,
      pushes,
      /** Returns the first characters of each received message. */
      received: () => pushes().map(({ params }) => params.data.message.slice(0, 6).replace(/x+$/, '')),
      /** Subscribes to topics and receives their pending messages. Resolves to the subscription IDs. */
      async join(...topics: string[]): Promise<string[]> {
        const ids = await subscriptions.subscribe(subscriber, topics)
        await subscriptions.flush(subscriber, topics)
        return ids
      },
      async acknowledge(): Promise<void> {
        for (const receipt of subscriber.unacked.values()) await base.remove({ ...receipt, acknowledgedBy: clientId })
        subscriber.unacked.clear()
      },
      /** Resolves when all tasks that are queued so far have finished. */
      settled: () => subscriber.runInOrder(async () => {}),
    }
  }
  return {
    ...subscriptions,
    time,
    store,
    counts,
    client,
    listeners,
    /** Publishes a message that takes up `size` bytes, including the overhead. */
    async publish(name: string, { to = topic, from = 'page', size = 1_100 } = {}): Promise<RelayMessage> {
      const text = name.padEnd(size - overhead, 'x')
      const id = createHash('sha256').update(text).digest('hex')
      const message = { id, topic: to, message: text, tag: 1100, publishedAt: now(), expiresAt: now() + 60_000, from }
      expect(await base.put(message)).toBe('stored')
      return message
    },
    /** Delays the store's replies until the returned function is called. */
    hold(): () => void {
      let release = (): void => {}
      held = new Promise((resolve) => {
        release = () => {
          held = undefined
          resolve()
        }
      })
      return () => release()
    },
  }
}

test('a push contains the subscription ID, and its own ID is a timestamp in microseconds that never repeats', async () => {
  const { client, publish, time } = subscriptionsAt()
  const { join, pushes } = client('wallet')
  const ids = await join(topic, other)
  await publish('one')
  await publish('two', { to: other })
  time.now += 1
  await publish('three')
  expect(pushes().map(({ params }) => params.id)).toEqual([ids[0], ids[1], ids[0]])
  expect(pushes().map(({ id }) => id - start * 1_000)).toEqual([0, 1, 1_000])
  expect(new Set(ids).size).toBe(2)
})

test('a message is encoded once for all subscribers, and its deliveries are counted together', async () => {
  const { client, publish, counts } = subscriptionsAt()
  const [first, second] = [client('one'), client('two')]
  for (const { join } of [first, second]) await join(topic)
  await publish('short')
  await publish('long', { size: overhead + 100_000 })
  expect(first.frames).toHaveLength(2)
  for (const [at, parts] of first.frames.entries()) {
    expect(parts[1]).toBeInstanceOf(Buffer)
    expect(parts[1]).toBe(second.frames[at]?.[1])
  }
  expect(first.received()).toEqual(['short', 'long'])
  expect(first.pushes()[0]?.params.id).not.toBe(second.pushes()[0]?.params.id)
  expect(counts.deliveries).toEqual([2, 2])
})

test('messages that arrive between subscribing and reading are delivered after older messages, and each message is delivered only once', async () => {
  const { client, publish, subscribe, flush, hold } = subscriptionsAt()
  const { subscriber, received } = client('wallet')
  await publish('old')
  await subscribe(subscriber, [topic])
  await publish('new')
  const release = hold()
  const flushed = flush(subscriber, [topic])
  await publish('newer')
  expect(received()).toEqual([])
  release()
  await flushed
  expect(received()).toEqual(['old', 'new', 'newer'])
})

test('new messages wait while missed messages are read again', async () => {
  const { client, publish, catchUp, hold } = subscriptionsAt()
  const { subscriber, state, join, received, settled } = client('wallet')
  await join(topic)
  state.hasRoom = false
  await publish('missed')
  state.hasRoom = true
  const release = hold()
  catchUp(subscriber)
  await new Promise((resolve) => setImmediate(resolve))
  release()
  const again = hold()
  await new Promise((resolve) => setImmediate(resolve))
  await publish('new')
  expect(received()).toEqual([])
  again()
  await settled()
  expect(received()).toEqual(['missed', 'new'])
})

test('a client that subscribes to a topic twice in one batch receives the topic’s messages only once', async () => {
  const { client, publish, subscribe, flush } = subscriptionsAt()
  const { subscriber, received, state } = client('wallet')
  await publish('old')
  expect(await subscribe(subscriber, [topic, topic])).toHaveLength(2)
  await publish('new')
  await flush(subscriber, [topic, topic])
  expect(received()).toEqual(['old', 'new'])
  expect(state.reserved).toBe(1)
})

test('unacknowledged messages are not delivered again, but undelivered messages on the same topic are delivered', async () => {
  const { client, publish, flush } = subscriptionsAt()
  const { subscriber, state, join, received } = client('wallet')
  await join(topic)
  await publish('one')
  state.hasRoom = false
  await publish('two')
  state.hasRoom = true
  await flush(subscriber, [topic])
  expect(received()).toEqual(['one', 'two'])
})

test('a message that is announced again before it is acknowledged is not delivered again', async () => {
  const { client, publish, flush, hold, listeners } = subscriptionsAt()
  const { subscriber, join, received } = client('wallet')
  await join(topic)
  const message = await publish('one')
  const release = hold()
  const flushed = flush(subscriber, [topic])
  for (const { onMessage } of listeners) onMessage(message)
  release()
  await flushed
  expect(received()).toEqual(['one'])
})

test('a client’s own messages are not delivered and do not count against the delivery limit', async () => {
  const { client, publish, fetch } = subscriptionsAt()
  const { subscriber, join, received } = client('wallet')
  await publish('own', { from: 'wallet', size: pageBytes })
  await publish('other', { size: pageBytes })
  await join(topic)
  expect(received()).toEqual(['other'])
  await publish('later', { from: 'wallet' })
  expect(received()).toEqual(['other'])
  expect(await fetch(subscriber, [topic])).toMatchObject({ messages: [{ topic }], hasMore: false })
})

test.each([
  [
    'a full topic',
    [
      [topic, pageBytes / 2],
      [topic, pageBytes / 2],
    ],
    2,
  ],
  [
    'a topic with one byte too many',
    [
      [topic, pageBytes / 2],
      [topic, pageBytes / 2 + 1],
    ],
    1,
  ],
  ['a single message that exceeds the limit for a topic', [[topic, pageBytes + overhead]], 1],
  [
    'two full topics',
    [
      [topic, pageBytes],
      [other, pageBytes],
    ],
    2,
  ],
  [
    'two topics with one byte too many',
    [
      [topic, pageBytes],
      [other, pageBytes / 2],
      [other, pageBytes / 2],
      [third, 16_385],
    ],
    3,
  ],
  [
    'two large messages',
    [
      [topic, pageBytes + 1],
      [other, pageBytes],
    ],
    1,
  ],
  [
    'a small message after two full topics',
    [
      [topic, pageBytes],
      [other, pageBytes],
      [third, 16_384],
    ],
    3,
  ],
  [
    'a message that is slightly too large to be small',
    [
      [topic, pageBytes],
      [other, pageBytes],
      [third, 16_385],
    ],
    2,
  ],
  [
    'a second small message',
    [
      [topic, pageBytes],
      [other, pageBytes],
      [third, 2_000],
      [third, 2_000],
    ],
    3,
  ],
  [
    'a small message after a message that did not fit',
    [
      [topic, pageBytes],
      [topic, 2_000],
      [other, 2_000],
    ],
    2,
  ],
] as const)(
  'a delivery is limited per topic and in total, and the rest follows when there is room: %s',
  async (_, messages, delivered) => {
    const { client, publish, catchUp } = subscriptionsAt()
    const { subscriber, join, received, acknowledge, settled } = client('wallet')
    for (const [at, [to, size]] of messages.entries()) await publish(`${at}`, { to, size })
    await join(topic, other, third)
    expect(received()).toHaveLength(delivered)
    for (let turn = 0; turn < messages.length; turn += 1) {
      await acknowledge()
      catchUp(subscriber)
      await settled()
    }
    expect(received().sort()).toEqual(messages.map((_, at) => `${at}`))
  },
)

test('messages that arrive during a delivery count against its limit', async () => {
  const { client, publish, subscribe, flush, catchUp, hold } = subscriptionsAt()
  const { subscriber, received, acknowledge, settled } = client('wallet')
  await subscribe(subscriber, [topic])
  const release = hold()
  const flushed = flush(subscriber, [topic])
  for (const name of ['a', 'b']) await publish(name, { size: 700_000 })
  release()
  await flushed
  expect(received()).toEqual(['a'])
  await acknowledge()
  catchUp(subscriber)
  await settled()
  expect(received()).toEqual(['a', 'b'])
})

test('if a client unsubscribes from a topic while messages are being read, the topic’s messages are delivered neither then nor later', async () => {
  const { client, publish, subscribe, flush, unsubscribe, catchUp, hold, store } = subscriptionsAt()
  const { subscriber, received, settled } = client('wallet')
  await subscribe(subscriber, [topic])
  for (const name of ['a', 'b']) await publish(name, { size: 700_000 })
  const release = hold()
  const flushed = flush(subscriber, [topic, other])
  unsubscribe(subscriber, [topic])
  release()
  await flushed
  store.subscribed.length = 0
  catchUp(subscriber)
  await settled()
  expect([received(), store.subscribed]).toEqual([[], []])
})

test('an instance stays subscribed to a topic in the store for as long as the topic has subscribers on this instance', async () => {
  const { client, publish, unsubscribe, subscriberCount, store, counts } = subscriptionsAt()
  const [first, second] = [client('one'), client('two')]
  const numbers = [subscriberCount(topic)]
  for (const { join } of [first, second]) {
    await join(topic)
    numbers.push(subscriberCount(topic))
  }
  await first.join(topic, other)
  expect(store.subscribed).toEqual([topic, topic, other])
  expect([first.state.reserved, second.state.reserved, counts.subscriptions]).toEqual([2, 1, 3])
  unsubscribe(first.subscriber, [topic, third])
  numbers.push(subscriberCount(topic))
  expect(store.unsubscribed).toEqual([])
  await publish('one')
  expect([first.received(), second.received()]).toEqual([[], ['one']])
  unsubscribe(second.subscriber, [topic])
  unsubscribe(first.subscriber, [other])
  numbers.push(subscriberCount(topic))
  expect(store.unsubscribed).toEqual([topic, other])
  expect(numbers).toEqual([0, 1, 2, 1, 0])
  expect([first.state.reserved, second.state.reserved, counts.subscriptions, counts.delivered]).toEqual([0, 0, 0, 1])
  await publish('two')
  expect(second.received()).toEqual(['one'])
})

test('a client can have only a limited number of topics, and stays subscribed to its existing topics when the limit is reached', async () => {
  const { client, subscribe } = subscriptionsAt({ maxTopics: 2 })
  const { subscriber, state } = client('wallet')
  await subscribe(subscriber, [topic, other])
  await expect(subscribe(subscriber, [third])).rejects.toThrow('Too many topics: a client may subscribe to at most 2')
  expect(await subscribe(subscriber, [topic])).toHaveLength(1)
  const next = client('full')
  next.state.isFull = true
  await expect(subscribe(next.subscriber, [topic])).rejects.toThrow(
    'Too many topics for this client, its address or this relay',
  )
  expect(next.subscriber.topics.size).toBe(0)
  state.isFull = true
  expect(await subscribe(subscriber, [topic])).toHaveLength(1)
})

test('subscriptions are accepted while the store is unavailable, and missed messages are delivered afterwards', async () => {
  const { client, publish, store, catchUpAll } = subscriptionsAt()
  const [first, second] = [client('one'), client('two')]
  store.isAway = true
  await publish('missed')
  expect(await first.join(topic)).toHaveLength(1)
  store.isAway = false
  await second.join(other)
  expect(first.received()).toEqual([])
  catchUpAll()
  await first.settled()
  expect(store.subscribed).toEqual([other, topic])
  expect(first.received()).toEqual(['missed'])
  // This client has no missed messages.
  const { tasks } = second.state
  catchUpAll()
  expect(second.state.tasks).toBe(tasks)
})

test('a delivery that fails because the store is unavailable is retried later', async () => {
  const { client, publish, store, catchUp, flush } = subscriptionsAt()
  const { subscriber, state, join, received, settled } = client('wallet')
  await join(topic)
  state.hasRoom = false
  await publish('one')
  state.hasRoom = true
  subscriber.behindTopics.clear()
  store.isAway = true
  await flush(subscriber, [topic])
  store.isAway = false
  catchUp(subscriber)
  await settled()
  expect(received()).toEqual(['one'])
})

test('every client reads all its topics again if messages might have been missed', async () => {
  const { client, publish, listeners } = subscriptionsAt()
  const { subscriber, state, join, received, settled } = client('wallet')
  await join(topic, other)
  state.hasRoom = false
  await publish('one', { to: other })
  subscriber.behindTopics.clear()
  state.hasRoom = true
  for (const { onGap } of listeners) onGap()
  await settled()
  expect(received()).toEqual(['one'])
})

test.each([
  ['two small messages', [1_100, 1_100], [2]],
  ['a full page', [pageBytes / 2, pageBytes / 2], [2]],
  ['one byte more than a page', [pageBytes / 2, pageBytes / 2 + 1], [1, 1]],
  ['a message that is larger than a page', [pageBytes + overhead], [1]],
  ['a large message between small ones', [1_100, pageBytes, 1_100], [1, 1, 1]],
])('a fetch returns pages of limited size: %s', async (_, sizes, expected) => {
  const { client, publish, fetch } = subscriptionsAt()
  const { subscriber } = client('wallet')
  for (const [at, size] of sizes.entries()) await publish(`${at}`, { size })
  const pages: string[][] = []
  for (let hasMore = true; hasMore; ) {
    const page = await fetch(subscriber, [topic, topic])
    pages.push((page.messages as RelayMessage[]).map(({ message }) => message.slice(0, 1)))
    hasMore = page.hasMore
  }
  expect(pages.map(({ length }) => length)).toEqual(expected)
  expect(pages.flat()).toEqual(sizes.map((_, at) => `${at}`))
  // The next fetch starts from the beginning, because no message was acknowledged.
  expect((await fetch(subscriber, [topic])).messages).toHaveLength(expected[0] as number)
})
