/** The subscribers of each topic on this instance. */
export interface SubscriberIndex<Subscriber> {
  add(topic: string, subscriber: Subscriber): void
  /** Removes a subscriber. Returns whether the topic has no subscribers left. */
  remove(topic: string, subscriber: Subscriber): boolean
  of(topic: string): Iterable<Subscriber>
  count(topic: string): number
  /** Returns all subscribers without duplicates. */
  all(): ReadonlySet<Subscriber>
}

/** Creates an index of the subscribers to each topic. */
export function createSubscriberIndex<Subscriber extends object>(): SubscriberIndex<Subscriber> {
  // A single subscriber is stored without a set, because most topics have only one, and a set takes more memory than the topic.
  const byTopic = new Map<string, Subscriber | Set<Subscriber>>()
  const iterate = (existing: Subscriber | Set<Subscriber>): Iterable<Subscriber> =>
    existing instanceof Set ? existing : [existing]

  return {
    add(topic, subscriber) {
      const existing = byTopic.get(topic)
      if (existing === undefined) byTopic.set(topic, subscriber)
      else if (existing instanceof Set) existing.add(subscriber)
      else byTopic.set(topic, new Set([existing, subscriber]))
    },
    remove(topic, subscriber) {
      const existing = byTopic.get(topic)
      if (existing instanceof Set) {
        existing.delete(subscriber)
        if (existing.size > 0) return false
      }
      byTopic.delete(topic)
      return true
    },
    of(topic) {
      const existing = byTopic.get(topic)
      return existing === undefined ? [] : iterate(existing)
    },
    count(topic) {
      const existing = byTopic.get(topic)
      return existing instanceof Set ? existing.size : Number(existing !== undefined)
    },
    all: () => new Set([...byTopic.values()].flatMap((existing) => [...iterate(existing)])),
  }
}
