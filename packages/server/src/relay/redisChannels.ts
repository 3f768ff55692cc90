import { splitIntoBatches } from './splitIntoBatches.ts'

/** The maximum number of channels in one SUBSCRIBE. */
const maxTopicsPerSubscribe = 1_000

/** The commands of a Redis client that subscribe to channels. */
export interface ChannelClient {
  subscribe(channels: string[], listener: (message: string) => void): Promise<void>
  unsubscribe(channels: string[], listener: (message: string) => void): Promise<void>
}

/** The channels of the topics that this instance is subscribed to. */
export interface RedisChannels {
  subscribe(topics: readonly string[]): Promise<void>
  /** Abandons topics. Their channels are unsubscribed by the next sweep. */
  unsubscribe(topics: readonly string[]): void
  /** Subscribes to all topics again. */
  restore(): Promise<void>
  sweep(): void
}

/** Returns the channel on which new messages of a topic are published. */
export const topicChannel = (topic: string): string => `latchkey:relay:${topic}`

/** Subscribes to the channels of topics. `onMessage` receives the text of each new message. */
export function createRedisChannels({
  subscriber,
  onMessage,
}: {
  subscriber: ChannelClient
  onMessage: (text: string) => void
}): RedisChannels {
  const subscribedTopics = new Set<string>()
  /** The topics of all subscribed channels, including abandoned ones until the next sweep. */
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
    // Channels are unsubscribed in a single call, and none is subscribed meanwhile: the Redis client treats a channel that it is about
    // to unsubscribe as subscribed.
    sweep() {
      const abandonedTopics = [...channelTopics].filter((topic) => !subscribedTopics.has(topic))
      for (const topic of abandonedTopics) channelTopics.delete(topic)
      unsubscribing = subscriber.unsubscribe(abandonedTopics.map(topicChannel), onMessage).catch(() => {
        // The Redis client subscribes to them again when it reconnects. The next sweep unsubscribes them.
        for (const topic of abandonedTopics) channelTopics.add(topic)
      })
    },
  }
}
