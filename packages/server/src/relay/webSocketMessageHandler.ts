import { writeFrame } from '@latchkey/protocol/relay'
import type { Acknowledge } from './acknowledge.ts'
import type { RelayClient } from './authenticator.ts'
import type { CallExecutor, LaterResult } from './callExecutor.ts'
import type { ErrorResponses } from './errorResponses.ts'
import { parseClientMessage } from './parseClientMessage.ts'
import { type PublishLimits, parseRequest } from './rpcRequest.ts'
import type { Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * Handles a WebSocket message: either a call or the acknowledgement of a push. `canPublish` counts the additional publications in
 * a batch against the rate limits, because the message itself was counted only once. Returns a promise that never rejects, unless
 * the message has been handled completely.
 */
export type WebSocketMessageHandler = (
  subscriber: Subscriber & RelayClient,
  text: string,
  canPublish: (more: number) => Promise<boolean>,
) => void | Promise<void>

/** Creates the handler for WebSocket messages from clients. */
export function createWebSocketMessageHandler({
  acknowledge,
  subscriptions,
  executor,
  errors,
  limits,
}: {
  acknowledge: Acknowledge
  subscriptions: Pick<Subscriptions, 'flush'>
  executor: CallExecutor
  errors: ErrorResponses
  limits: PublishLimits
}): WebSocketMessageHandler {
  const respondLater = async (
    subscriber: Subscriber,
    id: string,
    execute: () => Promise<LaterResult | undefined>,
  ): Promise<void> => {
    try {
      const found = await execute()
      if (!found) return
      const { result, after } = found
      subscriber.send(writeFrame(id, { result }))
      if (after && after.length > 0) await subscriptions.flush(subscriber, after)
    } catch (error) {
      subscriber.send(errors.failed(id, error))
    }
  }

  return (subscriber, text, canPublish) => {
    const frame = parseClientMessage(text)
    if (!frame?.id) {
      subscriber.send(errors.invalidRequest())
      return
    }
    const { id, body } = frame
    // An error does not acknowledge the message. The client could not handle the message and will receive it again.
    if (typeof body.method !== 'string') return body.error ? undefined : acknowledge(subscriber, id)
    try {
      const call = parseRequest(body.method, body.params, limits)
      const more = call.type === 'publish' ? call.publications.length - 1 : 0
      if (more > 0)
        return respondLater(subscriber, id, async () =>
          (await canPublish(more)) ? executor.execute(subscriber, call) : undefined,
        )
      const execution = executor.execute(subscriber, call)
      if (execution instanceof Promise) return respondLater(subscriber, id, () => execution)
      const { result } = execution
      subscriber.send(writeFrame(id, { result }))
    } catch (error) {
      subscriber.send(errors.failed(id, error))
    }
  }
}
