import { splitIntoBatches } from './splitIntoBatches.ts'

/** The maximum number of channels in one SUBSCRIBE command. */
const maxTopicsPerSubscribe = 1_000

/** The Redis client commands that subscribe to channels. */
export interface ChannelClient {
  subscribe(channels: string[], listener: (message: string) => void): Promise<void>
  unsubscribe(channels: string[], listener: (message: string) => void): Promise<void>
}

/** The Redis channels for the topics that this instance is subscribed to. */
export interface RedisChannels {
  subscribe(topics: readonly string[]): Promise<void>
  /** Abandons topics. The next sweep unsubscribes from their channels. */
  unsubscribe(topics: readonly string[]): void
  /** Subscribes to all topics again. */
  restore(): Promise<void>
  sweep(): void
}

/** Returns the channel on which a topic's new messages are published. */
export const topicChannel = (topic: string): string => `latchkey:relay:${topic}`

/** Creates the channel subscriptions. `onMessage` receives the text of each new message. */
export function createRedisChannels({
  subscriber,
  onMessage,
}: {
  subscriber: ChannelClient
  onMessage: (text: string) => void
}): RedisChannels {
  const subscribedTopics = new Set<string>()
  /** The topics of all subscribed channels. Includes abandoned topics until the next sweep. */
  const channelTopics = new Set<string>()
  let unsubscribing: Promise<void> = Promise.resolve()

  const subscribeChannels = async (topics: readonly string[]): Promise<void> => {
    await unsubscribing
    for (const topic of topics) channelTopics.add(topic)
    for (const batch of splitIntoBatches(topics, maxTopicsPerSubscribe))
      await subscriber.subscribe(batch.map(topicChannel), onMessage)
  }

  return {
    subscribe(topics) {
      for (const topic of topics) subscribedTopics.add(topic)
      return subscribeChannels(topics)
    },
    unsubscribe(topics) {
      for (const topic of topics) subscribedTopics.delete(topic)
    },
    restore: () => subscribeChannels([...subscribedTopics]),
    // Unsubscribes with a single command and does not subscribe until it has finished, because the Redis client treats a channel
    // as subscribed while it is unsubscribing from the channel.
    sweep() {
      const abandonedTopics = [...channelTopics].filter((topic) => !subscribedTopics.has(topic))
      for (const topic of abandonedTopics) channelTopics.delete(topic)
      unsubscribing = subscriber.unsubscribe(abandonedTopics.map(topicChannel), onMessage).catch(() => {
        // The Redis client subscribes to these channels again when it reconnects, so the next sweep has to unsubscribe from them.
        for (const topic of abandonedTopics) channelTopics.add(topic)
      })
    },
  }
}
