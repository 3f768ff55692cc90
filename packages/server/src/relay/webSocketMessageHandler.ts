import { writeFrame } from '@latchkey/protocol/relay'
import type { RelayClient } from './authenticator.ts'
import type { CallExecutor } from './callExecutor.ts'
import type { ErrorResponses } from './errorResponses.ts'
import type { MessageStore } from './messages/messageStore.ts'
import { readClientFrame } from './readClientFrame.ts'
import { type PublishLimits, parseRequest } from './rpcRequest.ts'
import type { Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * Handles a WebSocket message: either a call or the acknowledgement of a push. `canPublish` counts the additional publications in
 * a batch against the rate limits, because the message itself was counted only once.
 */
export type WebSocketMessageHandler = (
  subscriber: Subscriber & RelayClient,
  text: string,
  canPublish: (more: number) => Promise<boolean>,
) => Promise<void>

/** Creates the handler for WebSocket messages from clients. */
export function createWebSocketMessageHandler({
  store,
  subscriptions,
  executor,
  errors,
  limits,
}: {
  store: Pick<MessageStore, 'remove'>
  subscriptions: Pick<Subscriptions, 'catchUp' | 'flush'>
  executor: CallExecutor
  errors: ErrorResponses
  limits: PublishLimits
}): WebSocketMessageHandler {
  const acknowledge = async (subscriber: Subscriber, id: string): Promise<void> => {
    const receipt = subscriber.unacked.get(id)
    if (!receipt) return
    subscriber.unacked.delete(id)
    await store.remove({ ...receipt, acknowledgedBy: subscriber.clientId }).catch(() => {})
    // All pushes have been acknowledged, so the messages that did not fit can be delivered.
    if (subscriber.unacked.size === 0) subscriptions.catchUp(subscriber)
  }

  return async (subscriber, text, canPublish) => {
    const frame = readClientFrame(text)
    if (!frame?.id) {
      subscriber.send(errors.invalidRequest())
      return
    }
    const { id, body } = frame
    if (typeof body.method !== 'string') {
      // An error does not acknowledge the message. The client could not handle the message and will receive it again.
      if (!body.error) await acknowledge(subscriber, id)
      return
    }
    try {
      const call = parseRequest(body.method, body.params, limits)
      if (call.type === 'publish' && !(await canPublish(call.publications.length - 1))) return
      const { result, after } = await executor.execute(subscriber, call)
      subscriber.send(writeFrame(id, { result }))
      if (after && after.length > 0) await subscriptions.flush(subscriber, after)
    } catch (error) {
      subscriber.send(errors.failed(id, error))
    }
  }
}
