import type { EventBus } from '../serverDependencies.ts'

/** Creates an event bus that works within this process. */
export function createMemoryEventBus(): EventBus {
  const topics = new Map<string, Set<() => void>>()
  return {
    publish: (topic) => {
      for (const listener of topics.get(topic) ?? []) listener()
    },
    subscribe: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
