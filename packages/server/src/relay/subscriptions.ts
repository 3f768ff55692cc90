import { createDeliveryLimit } from './limits/deliveryLimit.ts'
import { fetchMessagePage, type MessagePage } from './messages/fetchMessagePage.ts'
import { type MessageStore, type RelayMessage, storedSize } from './messages/messageStore.ts'
import { createPushMessage, subscriptionId } from './messages/pushMessage.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { RpcError } from './rpcRequest.ts'
import type { Subscriber, Subscription } from './subscriber.ts'
import { createSubscriberIndex } from './subscriberIndex.ts'

/** Tracks which client is subscribed to which topic, and delivers messages to the subscribers. */
export interface Subscriptions {
  /** Subscribes to `topics` and resolves to the ID of each subscription. `flush` delivers the pending messages. */
  subscribe(subscriber: Subscriber, topics: readonly string[]): Promise<string[]>
  unsubscribe(subscriber: Subscriber, topics: readonly string[]): void
  /** Delivers the pending messages on these topics. */
  flush(subscriber: Subscriber, topics: readonly string[]): Promise<void>
  /** Resolves to one page of pending messages. */
  fetch(subscriber: Pick<Subscriber, 'clientId' | 'fetched'>, topics: readonly string[]): Promise<MessagePage>
  /** Returns the number of subscribers to a topic on this instance. */
  subscriberCount(topic: string): number
  /** Delivers the messages that a client has missed. */
  catchUp(subscriber: Subscriber): void
  /** Delivers missed messages to all clients. Called by each sweep. */
  catchUpAll(): void
  close(): void
}

/**
 * Creates the subscriptions. `maxTopics` limits the topics per client, and `maxUnacked` limits the unacknowledged pushes that
 * are tracked per connection.
 */
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
  const subscribers = createSubscriberIndex<Subscriber>()
  const push = createPushMessage({ metrics, now, maxUnacked })

  const flush: Subscriptions['flush'] = async (subscriber, requestedTopics) => {
    const topics = [...new Set(requestedTopics)].filter((topic) => subscriber.topics.has(topic))
    const subscriptions = topics.map((topic) => subscriber.topics.get(topic) as Subscription)
    for (const subscription of subscriptions) subscription.buffered ??= []
    const unackedKeys = new Set([...subscriber.unacked.values()].map(({ topic, id }) => topic + id))
    // Unacknowledged messages count against the limit, because they are in flight. Messages that do not fit are delivered when
    // all pushes have been acknowledged, by the next sweep, or by `fetch`.
    const { takeIfFits, skippedTopics } = createDeliveryLimit(subscriber.clientId)
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
      .flatMap((subscription) => subscription.buffered ?? [])
      .filter(({ topic, id }) => !storedKeys.has(topic + id))
    for (const subscription of subscriptions) subscription.buffered = undefined
    for (const message of messages) push([subscriber], message)
    for (const message of buffered)
      if (!unackedKeys.has(message.topic + message.id) && takeIfFits({ ...message, size: storedSize(message) }))
        push([subscriber], message)
    for (const topic of skippedTopics) subscriber.behindTopics.add(topic)
  }

  const unsubscribe: Subscriptions['unsubscribe'] = (subscriber, topics) => {
    const abandonedTopics: string[] = []
    for (const topic of topics) {
      if (!subscriber.topics.delete(topic)) continue
      subscriber.behindTopics.delete(topic)
      subscriber.reserve(-1)
      metrics.subscriptions(-1)
      if (subscribers.remove(topic, subscriber)) abandonedTopics.push(topic)
    }
    store.unsubscribe(abandonedTopics)
  }

  const subscribeStore = async (subscriber: Subscriber, topics: readonly string[]): Promise<void> => {
    try {
      await store.subscribe(topics)
    } catch {
      // The client stays subscribed. Missed messages are delivered when the store is available again.
      for (const topic of topics) subscriber.behindTopics.add(topic)
    }
  }

  const catchUp: Subscriptions['catchUp'] = (subscriber) => {
    if (subscriber.behindTopics.size === 0) return
    const behindTopics = [...subscriber.behindTopics].filter((topic) => subscriber.topics.has(topic))
    // Cleared before the flush, because the flush adds the topics that are still behind.
    subscriber.behindTopics.clear()
    void subscriber.runInOrder(async () => {
      await subscribeStore(subscriber, behindTopics)
      await flush(subscriber, behindTopics)
    })
  }

  const stopListening = store.addListener({
    onMessage(message) {
      push(subscribers.of(message.topic), message)
    },
    onGap() {
      for (const subscriber of subscribers.all())
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
        // New messages are buffered until the flush, because the pending messages are older.
        subscriber.topics.set(topic, { id: undefined, buffered: [] })
        subscribers.add(topic, subscriber)
        metrics.subscriptions(1)
      }
      await subscribeStore(subscriber, newTopics)
      return topics.map((topic) => subscriptionId(subscriber, topic))
    },
    unsubscribe,
    flush,
    fetch: (subscriber, topics) => fetchMessagePage(store, subscriber, topics),
    subscriberCount: subscribers.count,
    catchUp,
    catchUpAll() {
      for (const subscriber of subscribers.all()) catchUp(subscriber)
    },
    close: stopListening,
  }
}
