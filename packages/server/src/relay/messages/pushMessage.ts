import { createHash } from 'node:crypto'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { Subscriber, Subscription } from '../subscriber.ts'
import type { RelayMessage } from './messageStore.ts'

/** The length from which a message's data is encoded once and shared by all subscribers. */
const sharedDataLength = 65_536

/** Pushes a message to a subscriber of the message's topic. `data` is the return value of `messageData`. */
export type PushMessage = (subscriber: Subscriber, message: RelayMessage, data: string | Buffer) => void

/**
 * Creates the function that pushes messages. `maxUnacked` is the maximum number of unacknowledged pushes that are tracked per
 * connection.
 */
export function createPushMessage({
  metrics,
  now,
  maxUnacked,
}: {
  metrics: Pick<RelayMetrics, 'delivered'>
  now: () => number
  maxUnacked: number
}): PushMessage {
  let lastPushId = 0
  // Push IDs are timestamps in microseconds, as specified, so that a client never receives the same ID on two connections.
  const nextPushId = (): string => {
    lastPushId = Math.max(now() * 1000, lastPushId + 1)
    return String(lastPushId)
  }

  return (subscriber, message, data) => {
    const subscription = subscriber.topics.get(message.topic)
    if (subscription === undefined || message.from === subscriber.clientId) return
    // Messages that the client has not read stay in the message store.
    if (!subscriber.hasRoom()) {
      subscriber.behindTopics.add(message.topic)
      return
    }
    if (subscription.buffered) {
      subscription.buffered.push(message)
      return
    }
    const id = nextPushId()
    subscriber.unacked.set(id, { topic: message.topic, id: message.id })
    // The client does not acknowledge messages. The oldest push is no longer tracked, and its message stays in the message store.
    if (subscriber.unacked.size > maxUnacked)
      subscriber.unacked.delete(subscriber.unacked.keys().next().value as string)
    // Serialized by hand, because the data is the same for every subscriber.
    const head = `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"${idOf(subscriber, message.topic, subscription)}","data":`
    if (typeof data === 'string') subscriber.send(`${head}${data}}}`)
    else subscriber.send(head, data, '}}')
    metrics.delivered(message.tag)
  }
}

/** Serializes a message for its subscribers. A long message is encoded only once, so that all subscribers share the bytes. */
export function messageData({ topic, message, publishedAt, tag, attestation }: RelayMessage): string | Buffer {
  const data = JSON.stringify({ topic, message, publishedAt, tag, attestation: attestation ?? null })
  return data.length < sharedDataLength ? data : Buffer.from(data)
}

/** Returns the ID of a client's subscription to a topic. */
export function subscriptionId({ clientId }: Pick<Subscriber, 'clientId'>, topic: string): string {
  return createHash('sha256').update(clientId).update(topic).digest('hex')
}

function idOf(subscriber: Subscriber, topic: string, subscription: Subscription): string {
  subscription.id ??= subscriptionId(subscriber, topic)
  return subscription.id
}
