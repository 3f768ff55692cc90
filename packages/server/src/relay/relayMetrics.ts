import type { Metrics } from '../monitoring/metrics.ts'

// The tags in the specification (services 4.8). All other tags are combined, so that clients cannot create new metric series.
const knownTags = new Set([0, 1000, 1001, 1002, 1003, ...Array.from({ length: 22 }, (_, at) => 1100 + at)])

/** The relay's metrics. They never contain a topic, a client or an address. */
export interface RelayMetrics {
  connected(): void
  gone(): void
  refused(where: 'connection' | 'call', reason: string): void
  subscriptions(change: number): void
  published(tag: number, seconds: number): void
  /** Counts the deliveries of one message. */
  delivered(tag: number, count: number): void
}

/** Creates the relay's metrics. */
export function relayMetrics(metrics: Metrics): RelayMetrics {
  const tagOf = (tag: number): string => (knownTags.has(tag) ? String(tag) : 'other')
  let open = 0
  let topics = 0
  metrics.gauge('latchkey_relay_connections', () => open)
  metrics.gauge('latchkey_relay_subscriptions', () => topics)
  return {
    connected() {
      open += 1
      metrics.count('latchkey_relay_connections_total', { outcome: 'accepted' })
    },
    gone() {
      open -= 1
    },
    refused(where, reason) {
      if (where === 'connection') metrics.count('latchkey_relay_connections_total', { outcome: 'refused' })
      metrics.count('latchkey_relay_refusals_total', { where, reason })
    },
    subscriptions(change) {
      topics += change
    },
    published(tag, seconds) {
      metrics.count('latchkey_relay_messages_total', { what: 'published', tag: tagOf(tag) })
      metrics.observe('latchkey_relay_publish_seconds', seconds)
    },
    delivered: (tag, count) =>
      metrics.count('latchkey_relay_messages_total', { what: 'delivered', tag: tagOf(tag) }, count),
  }
}
