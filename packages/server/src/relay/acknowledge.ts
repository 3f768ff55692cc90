import type { MessageStore } from './messages/messageStore.ts'
import type { Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * Handles the acknowledgement of the push with the given ID. Returns a promise if the message is still being removed. The promise
 * never rejects.
 */
export type Acknowledge = (subscriber: Subscriber, id: string) => Promise<void> | undefined

/** Creates the handler for acknowledgements. */
export function createAcknowledge({
  store,
  subscriptions,
}: {
  store: Pick<MessageStore, 'remove'>
  subscriptions: Pick<Subscriptions, 'catchUp'>
}): Acknowledge {
  return (subscriber, id) => {
    const receipt = subscriber.unacked.get(id)
    if (!receipt) return undefined
    subscriber.unacked.delete(id)
    const removed = (): void => {
      // Once all pushes have been acknowledged, there is room for the messages that did not fit.
      if (subscriber.unacked.size === 0) subscriptions.catchUp(subscriber)
    }
    const removal = store.remove({ ...receipt, acknowledgedBy: subscriber.clientId })
    if (removal) return removal.then(removed, removed)
    removed()
    return undefined
  }
}

/** The maximum length of a frame that `acknowledgedId` reads. */
const maxLength = 128
const [start, end] = ['{"id":', ',"jsonrpc":"2.0","result":true}']
const integer = /^(?:0|[1-9]\d*)$/

/**
 * Returns the ID of the push that a frame acknowledges, without parsing the frame. Only recognizes the form that most clients
 * send, and returns `undefined` for all other frames.
 */
export function acknowledgedId(frame: string | Buffer): string | undefined {
  if (frame.length > maxLength) return undefined
  const text = String(frame)
  if (!text.endsWith(end) || !text.startsWith(start)) return undefined
  const id = text.slice(start.length, -end.length)
  return integer.test(id) ? id : undefined
}
