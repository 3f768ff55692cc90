import { hash } from 'node:crypto'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { Subscriber, Subscription } from '../subscriber.ts'
import type { RelayMessage } from './messageStore.ts'

/** Pushes a message to the given subscribers, except to its publisher and to clients that are not subscribed to its topic. */
export type PushMessage = (subscribers: Iterable<Subscriber>, message: RelayMessage) => void

/**
 * Creates the function that pushes messages. A message is serialized once for all its subscribers. `maxUnacked` is the maximum
 * number of unacknowledged pushes that are tracked per connection.
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
  // Push IDs are timestamps in microseconds, as specified, so that IDs on two connections are unlikely to clash.
  const nextPushId = (): string => {
    lastPushId = Math.max(now() * 1000, lastPushId + 1)
    return String(lastPushId)
  }

  /** Returns whether the message can be pushed now. If it cannot, it stays in the store or is buffered. */
  const canPush = (subscriber: Subscriber, subscription: Subscription, message: RelayMessage): boolean => {
    // Messages that the client has not read stay in the message store.
    if (!subscriber.hasRoom()) subscriber.behindTopics.add(message.topic)
    else if (subscription.buffered) subscription.buffered.push(message)
    else return true
    return false
  }

  return (subscribers, message) => {
    const { topic, from, tag } = message
    const receipt = { topic, id: message.id }
    let data: Buffer | undefined
    let delivered = 0
    for (const subscriber of subscribers) {
      const subscription = subscriber.topics.get(topic)
      if (subscription === undefined || from === subscriber.clientId) continue
      if (!canPush(subscriber, subscription, message)) continue
      const id = nextPushId()
      const { unacked } = subscriber
      unacked.set(id, receipt)
      // If a client does not acknowledge its messages, its oldest push is no longer tracked, and the message stays in the store.
      if (unacked.size > maxUnacked) unacked.delete(unacked.keys().next().value as string)
      data ??= endOfPush(message)
      subscriber.send(startOfPush(id, idOf(subscriber, topic, subscription)), data)
      delivered += 1
    }
    if (delivered > 0) metrics.delivered(tag, delivered)
  }
}

function startOfPush(id: string, subscriptionId: string): string {
  return `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"${subscriptionId}","data":`
}

/** Serializes the part of a push that is the same for all subscribers. */
function endOfPush({ topic, message, publishedAt, tag, attestation }: RelayMessage): Buffer {
  const end = `"publishedAt":${publishedAt},"tag":${tag},"attestation":${JSON.stringify(attestation ?? null)}}}}`
  if (!plainText.test(message)) return Buffer.from(`{"topic":"${topic}","message":${JSON.stringify(message)},${end}`)
  // `JSON.stringify` and joining the parts would copy the message several times.
  const [before, after] = [`{"topic":"${topic}","message":"`, `",${end}`]
  const bytes = Buffer.allocUnsafe(before.length + message.length + Buffer.byteLength(after))
  bytes.write(before, 'latin1')
  bytes.write(message, before.length, 'latin1')
  bytes.write(after, before.length + message.length)
  return bytes
}

/** Matches text that is the same in JSON, such as base64. */
const plainText = /^[\w+/=-]*$/

/** Returns the ID of a client's subscription to a topic. */
export function subscriptionId({ clientId }: Pick<Subscriber, 'clientId'>, topic: string): string {
  return hash('sha256', clientId + topic)
}

function idOf(subscriber: Subscriber, topic: string, subscription: Subscription): string {
  subscription.id ??= subscriptionId(subscriber, topic)
  return subscription.id
}
