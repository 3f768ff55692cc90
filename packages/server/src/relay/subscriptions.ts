import { createHash } from 'node:crypto'
import { writeFrame } from '@latchkey/protocol/relay'
import { type MessageMetadata, type MessageStore, type RelayMessage, storedSize } from './messageStore.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { RpcError } from './rpcRequest.ts'

/** The maximum size of one page of a fetch, in bytes. */
const maxPageBytes = 1_048_576
/** The first message of a topic is always delivered if it is no larger than this, however full the flush is. */
const smallMessageBytes = 16_384
/** Maximum bytes delivered in one flush, per topic and in total. A larger flush could break the connection repeatedly. */
const maxFlushBytes = { topic: maxPageBytes, total: 2 * maxPageBytes } as const
/** Data of at least this length is encoded once and shared by all subscribers. */
const sharedDataLength = 65_536

/** Sends one frame, whole or in parts. A `Buffer` part is shared with other clients and never copied. */
export type Send = (...parts: readonly (string | Buffer)[]) => void

/** A client on a connection. */
export interface Subscriber {
  readonly clientId: string
  readonly send: Send
  /** Returns whether the client has read nearly everything it was sent. */
  readonly hasRoom: () => boolean
  /** Reserves capacity for that many more topics. A negative number releases it. */
  readonly reserve: (topics: number) => boolean
  readonly topics: Map<string, Subscription>
  /** Topics that can have undelivered messages, because the store was unavailable or the client did not read. */
  readonly behindTopics: Set<string>
  /** Messages that were pushed and are not yet acknowledged, by push ID. */
  readonly unacked: Map<string, { readonly topic: string; readonly id: string }>
  /** Keys of the messages in earlier pages of an unfinished fetch. */
  readonly fetched: Set<string>
  /** Runs the client's tasks in order, one at a time. */
  readonly runInOrder: (task: () => Promise<void>) => Promise<void>
}

interface Subscription {
  /** Created on first use, because most topics are silent and the ID takes more memory than the rest. */
  id: string | undefined
  /** Messages that arrived while older ones were still being read. */
  buffered: RelayMessage[] | undefined
}

/** Tracks who subscribes to which topic, and delivers messages to them. */
export interface Subscriptions {
  /** Subscribes to `topics` and returns the ID of each subscription. Pending messages are delivered by `flush`. */
  subscribe(subscriber: Subscriber, topics: readonly string[]): Promise<string[]>
  unsubscribe(subscriber: Subscriber, topics: readonly string[]): void
  /** Delivers pending messages. */
  flush(subscriber: Subscriber, topics: readonly string[]): Promise<void>
  /** Returns one page of pending messages. */
  fetch(
    subscriber: Pick<Subscriber, 'clientId' | 'fetched'>,
    topics: readonly string[],
  ): Promise<{ messages: unknown[]; hasMore: boolean }>
  /** Returns the number of subscribers of a topic on this instance. */
  subscriberCount(topic: string): number
  /** Delivers messages that a client has missed. */
  catchUp(subscriber: Subscriber): void
  /** Retries for all clients after the store was unavailable. */
  catchUpAll(): void
  close(): void
}

/** Creates the subscriptions. `maxTopics` is per client; `maxUnacked` limits the number of pushes tracked until they are acknowledged. */
export function createSubscriptions({
  store,
  metrics,
  now,
  maxTopics,
  maxUnacked,
}: {
  store: MessageStore
  metrics: RelayMetrics
  now: () => number
  maxTopics: number
  maxUnacked: number
}): Subscriptions {
  // A single subscriber is stored without a set: most topics have one, and a set takes more memory than the topic.
  const subscribers = new Map<string, Subscriber | Set<Subscriber>>()
  const listed = (existing: Subscriber | Set<Subscriber>): Iterable<Subscriber> =>
    existing instanceof Set ? existing : [existing]
  const idOf = (subscriber: Subscriber, topic: string, sub: Subscription): string => {
    sub.id ??= subscriptionId(subscriber, topic)
    return sub.id
  }
  let lastPushId = 0

  // Microseconds, as specified, so that a client never receives the same ID on two connections.
  const nextPushId = (): string => {
    lastPushId = Math.max(now() * 1000, lastPushId + 1)
    return String(lastPushId)
  }

  const push = (subscriber: Subscriber, message: RelayMessage, data: string | Buffer): void => {
    const sub = subscriber.topics.get(message.topic)
    if (sub === undefined || message.from === subscriber.clientId) return
    // Unread messages stay in the message store.
    if (!subscriber.hasRoom()) {
      subscriber.behindTopics.add(message.topic)
      return
    }
    if (sub.buffered) {
      sub.buffered.push(message)
      return
    }
    const id = nextPushId()
    subscriber.unacked.set(id, { topic: message.topic, id: message.id })
    // The client acknowledges nothing. A push that is dropped here remains in the message store.
    if (subscriber.unacked.size > maxUnacked)
      subscriber.unacked.delete(subscriber.unacked.keys().next().value as string)
    // Serialized manually, because the data is the same for every subscriber.
    const head = `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"${idOf(subscriber, message.topic, sub)}","data":`
    if (typeof data === 'string') subscriber.send(`${head}${data}}}`)
    else subscriber.send(head, data, '}}')
    metrics.delivered(message.tag)
  }

  const flush: Subscriptions['flush'] = async (subscriber, requestedTopics) => {
    const topics = [...new Set(requestedTopics)].filter((topic) => subscriber.topics.has(topic))
    const subscriptions = topics.map((topic) => subscriber.topics.get(topic) as Subscription)
    for (const sub of subscriptions) sub.buffered ??= []
    const unackedKeys = new Set([...subscriber.unacked.values()].map(({ topic, id }) => topic + id))
    const bytesByTopic = new Map<string, number>()
    const skippedTopics = new Set<string>()
    let totalBytes = 0
    // Unacknowledged messages count, because they are in flight. Messages that do not fit are delivered by the next sweep, or by
    // `fetch`.
    const takeIfFits = ({ topic, from, size }: Omit<MessageMetadata, 'id'>): boolean => {
      if (from === subscriber.clientId) return false
      const topicBytes = bytesByTopic.get(topic) ?? 0
      const isFirst = topicBytes === 0 && (totalBytes === 0 || size <= smallMessageBytes)
      const isOverLimit =
        skippedTopics.has(topic) ||
        (!isFirst && (topicBytes + size > maxFlushBytes.topic || totalBytes + size > maxFlushBytes.total))
      if (isOverLimit) skippedTopics.add(topic)
      if (isOverLimit) return false
      bytesByTopic.set(topic, topicBytes + size)
      totalBytes += size
      return true
    }
    let messages: readonly RelayMessage[] = []
    try {
      messages = await store.listPending(
        topics,
        (metadata) => takeIfFits(metadata) && !unackedKeys.has(metadata.topic + metadata.id),
      )
      for (const topic of topics) subscriber.behindTopics.delete(topic)
    } catch {
      for (const topic of topics) subscriber.behindTopics.add(topic)
    }
    const storedKeys = new Set(messages.map(({ topic, id }) => topic + id))
    const buffered = subscriptions
      .flatMap((sub) => sub.buffered ?? [])
      .filter(({ topic, id }) => !storedKeys.has(topic + id))
    for (const sub of subscriptions) sub.buffered = undefined
    for (const message of messages) push(subscriber, message, messageData(message))
    for (const message of buffered)
      if (!unackedKeys.has(message.topic + message.id) && takeIfFits({ ...message, size: storedSize(message) }))
        push(subscriber, message, messageData(message))
    for (const topic of skippedTopics) subscriber.behindTopics.add(topic)
  }

  const unsubscribe: Subscriptions['unsubscribe'] = (subscriber, topics) => {
    const abandonedTopics: string[] = []
    for (const topic of topics) {
      if (!subscriber.topics.delete(topic)) continue
      subscriber.behindTopics.delete(topic)
      subscriber.reserve(-1)
      metrics.subscriptions(-1)
      const existing = subscribers.get(topic)
      if (existing instanceof Set) {
        existing.delete(subscriber)
        if (existing.size > 0) continue
      }
      subscribers.delete(topic)
      abandonedTopics.push(topic)
    }
    store.unsubscribe(abandonedTopics)
  }

  const subscribeStore = async (subscriber: Subscriber, topics: readonly string[]): Promise<void> => {
    try {
      await store.subscribe(topics)
    } catch {
      // The subscription remains active. Missed messages are delivered when the store is available again.
      for (const topic of topics) subscriber.behindTopics.add(topic)
    }
  }

  const allSubscribers = (): Set<Subscriber> =>
    new Set([...subscribers.values()].flatMap((existing) => [...listed(existing)]))

  const catchUp: Subscriptions['catchUp'] = (subscriber) => {
    if (subscriber.behindTopics.size === 0) return
    const behindTopics = [...subscriber.behindTopics].filter((topic) => subscriber.topics.has(topic))
    // Cleared before the flush, which adds the topics that are still behind.
    subscriber.behindTopics.clear()
    void subscriber.runInOrder(async () => {
      await subscribeStore(subscriber, behindTopics)
      await flush(subscriber, behindTopics)
    })
  }

  const stopListening = store.addListener({
    onMessage(message) {
      const existing = subscribers.get(message.topic)
      if (existing === undefined) return
      const data = messageData(message)
      for (const subscriber of listed(existing)) push(subscriber, message, data)
    },
    onGap() {
      for (const subscriber of allSubscribers())
        void subscriber.runInOrder(() => flush(subscriber, [...subscriber.topics.keys()]))
    },
  })

  return {
    async subscribe(subscriber, topics) {
      const newTopics = [...new Set(topics)].filter((topic) => !subscriber.topics.has(topic))
      if (subscriber.topics.size + newTopics.length > maxTopics)
        throw new RpcError('SubscriberLimitExceeded', `Too many topics: a client may subscribe to at most ${maxTopics}`)
      if (newTopics.length > 0 && !subscriber.reserve(newTopics.length))
        throw new RpcError('SubscriberLimitExceeded', 'Too many topics for this client, its address or this relay')
      for (const topic of newTopics) {
        // Buffered until the flush: pending messages are older than new ones.
        subscriber.topics.set(topic, { id: undefined, buffered: [] })
        const existing = subscribers.get(topic)
        if (existing === undefined) subscribers.set(topic, subscriber)
        else if (existing instanceof Set) existing.add(subscriber)
        else subscribers.set(topic, new Set([existing, subscriber]))
        metrics.subscriptions(1)
      }
      await subscribeStore(subscriber, newTopics)
      return topics.map((topic) => subscriptionId(subscriber, topic))
    },
    unsubscribe,
    flush,
    async fetch({ clientId, fetched }, topics) {
      let size = 0
      let hasMore = false
      const chosen: string[] = []
      const page = await store.listPending([...new Set(topics)], (metadata) => {
        const key = metadata.topic + metadata.id
        if (metadata.from === clientId || fetched.has(key)) return false
        size += metadata.size
        hasMore ||= chosen.length > 0 && size > maxPageBytes
        if (!hasMore) chosen.push(key)
        return !hasMore
      })
      if (hasMore) for (const key of chosen) fetched.add(key)
      else fetched.clear()
      const messages = page.map(({ topic, message, publishedAt, tag, attestation }) => ({
        topic,
        message,
        publishedAt,
        tag,
        attestation,
      }))
      return { messages, hasMore }
    },
    subscriberCount: (topic) => {
      const existing = subscribers.get(topic)
      return existing instanceof Set ? existing.size : Number(existing !== undefined)
    },
    catchUp,
    catchUpAll() {
      for (const subscriber of allSubscribers()) catchUp(subscriber)
    },
    close: stopListening,
  }
}

/** Serializes an error response. */
export function errorFrame(id: string, { code, message, tag }: { code: number; message: string; tag: string }): string {
  return writeFrame(id, { error: { code, message, data: tag } })
}

function subscriptionId({ clientId }: Pick<Subscriber, 'clientId'>, topic: string): string {
  return createHash('sha256').update(clientId).update(topic).digest('hex')
}

function messageData({ topic, message, publishedAt, tag, attestation }: RelayMessage): string | Buffer {
  const data = JSON.stringify({ topic, message, publishedAt, tag, attestation: attestation ?? null })
  return data.length < sharedDataLength ? data : Buffer.from(data)
}
