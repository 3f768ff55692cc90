import type { Clock } from '../../serverDependencies.ts'

/** A message on a topic. */
interface MessageKey {
  readonly topic: string
  readonly id: string
}

/** Removes acknowledged messages. */
export interface RemoveOnce {
  /** Removes a message, unless it is already known to be gone. Rejects if the store is unavailable. */
  remove(receipt: MessageKey & { readonly acknowledgedBy: string }): Promise<void>
  /** Notes that the store has the message, so that it can be removed again. */
  isStored(message: MessageKey): void
}

/** The maximum number of messages that are known to be gone. The oldest are forgotten first. */
const maxGone = 10_000
/**
 * How long a message is known to be gone, in milliseconds. Its subscribers acknowledge it within this time. Later, another instance
 * might have stored the same message again.
 */
const goneMs = 5_000

/**
 * Creates the function that removes messages. A message with many subscribers is acknowledged by each of them, but the store is
 * only asked until it has removed the message. `remove` resolves to whether the message is gone: a message is not removed if its
 * publisher acknowledges it.
 */
export function createRemoveOnce(
  remove: (topic: string, id: string, acknowledgedBy: string) => Promise<boolean>,
  clock: Clock,
): RemoveOnce {
  /** When each message was removed. */
  const gone = new Map<string, number>()
  const removing = new Map<string, Promise<boolean>>()

  return {
    async remove({ topic, id, acknowledgedBy }) {
      const key = topic + id
      if (clock() - (gone.get(key) ?? Number.NEGATIVE_INFINITY) < goneMs) return
      const running = removing.get(key)
      if (running && (await running)) return
      const removal = remove(topic, id, acknowledgedBy)
      removing.set(key, removal)
      // If the message has been stored again in the meantime, the map has no entry or another one.
      const isLatest = (): boolean => removing.get(key) === removal
      try {
        if ((await removal) && isLatest()) {
          gone.delete(key)
          gone.set(key, clock())
        }
        if (gone.size > maxGone) gone.delete(gone.keys().next().value as string)
      } finally {
        if (isLatest()) removing.delete(key)
      }
    },
    isStored({ topic, id }) {
      gone.delete(topic + id)
      removing.delete(topic + id)
    },
  }
}
