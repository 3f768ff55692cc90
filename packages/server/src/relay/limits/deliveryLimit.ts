import type { MessageMetadata } from '../messages/messageStore.ts'
import { maxPageBytes } from './relayLimits.ts'

/** The size in bytes up to which a topic's first message is always delivered, regardless of the total. */
const smallMessageBytes = 16_384
/**
 * The maximum size of one delivery, per topic and in total, in bytes. A larger delivery could break the connection repeatedly.
 */
const maxBytes = { topic: maxPageBytes, total: 2 * maxPageBytes } as const

/** A limit on how much is delivered to a client at once. */
export interface DeliveryLimit {
  /**
   * Counts a message if it fits, and returns whether it fits. Once a message does not fit, later messages on its topic do not fit
   * either, so that they stay in order.
   */
  takeIfFits(message: Omit<MessageMetadata, 'id'>): boolean
  /** The topics that have messages that did not fit. */
  readonly skippedTopics: ReadonlySet<string>
}

/** Creates the limit for one delivery to a client. Rejects the client's own messages. */
export function createDeliveryLimit(clientId: string): DeliveryLimit {
  const bytesByTopic = new Map<string, number>()
  const skippedTopics = new Set<string>()
  let totalBytes = 0
  return {
    takeIfFits({ topic, from, size }) {
      if (from === clientId) return false
      const topicBytes = bytesByTopic.get(topic) ?? 0
      const isFirst = topicBytes === 0 && (totalBytes === 0 || size <= smallMessageBytes)
      const isOverLimit =
        skippedTopics.has(topic) ||
        (!isFirst && (topicBytes + size > maxBytes.topic || totalBytes + size > maxBytes.total))
      if (isOverLimit) skippedTopics.add(topic)
      if (isOverLimit) return false
      bytesByTopic.set(topic, topicBytes + size)
      totalBytes += size
      return true
    },
    skippedTopics,
  }
}
