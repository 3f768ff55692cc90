import type { Clock } from '../../serverDependencies.ts'

/** A message on a topic. */
interface MessageKey {
  readonly topic: string
  readonly id: string
}

/** Removes acknowledged messages. */
export interface AcknowledgedMessages {
  /** Removes a message, unless it is already known to be gone. The promise rejects if the store is unavailable. */
  remove(receipt: MessageKey & { readonly acknowledgedBy: string }): void | Promise<void>
  /** Records that a message has been stored, so that it can be removed again. */
  isStored(message: MessageKey): void
}

/** The maximum number of removed messages to remember. The oldest are forgotten first. */
const maxGone = 10_000
/**
 * How long to remember that a message has been removed, in milliseconds. Its subscribers usually acknowledge it within this time.
 * Later, another instance might have stored the same message again.
 */
const goneMs = 5_000

/**
 * Creates the function that removes messages. Every subscriber acknowledges a message, but once the store has removed it, further
 * acknowledgements are not sent to the store. `remove` resolves to whether the message is gone, which is not the case if only its
 * publisher has acknowledged it.
 */
export function createAcknowledgedMessages(
  remove: (topic: string, id: string, acknowledgedBy: string) => Promise<boolean>,
  clock: Clock,
): AcknowledgedMessages {
  /** When each message was removed. */
  const gone = new Map<string, number>()
  const removing = new Map<string, Promise<boolean>>()

  const removeFromStore = async (
    key: string,
    { topic, id, acknowledgedBy }: MessageKey & { readonly acknowledgedBy: string },
  ): Promise<void> => {
    const running = removing.get(key)
    if (running && (await running)) return
    const removal = remove(topic, id, acknowledgedBy)
    removing.set(key, removal)
    // If the message has been stored again since then, the entry has been deleted or replaced.
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
  }

  return {
    remove(receipt) {
      const key = receipt.topic + receipt.id
      if (clock() - (gone.get(key) ?? Number.NEGATIVE_INFINITY) < goneMs) return
      return removeFromStore(key, receipt)
    },
    isStored({ topic, id }) {
      gone.delete(topic + id)
      removing.delete(topic + id)
    },
  }
}
