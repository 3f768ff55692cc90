import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import { AuthError, type Authenticator, type RelayClient } from './authenticator.ts'
import type { CallExecutor } from './callExecutor.ts'
import type { ErrorResponses } from './errorResponses.ts'
import type { ClientQuotas } from './limits/clientQuotas.ts'
import { callCost } from './limits/relayLimits.ts'
import type { MessageStore } from './messages/messageStore.ts'
import { type PublishLimits, parseRequest, RpcError } from './rpcRequest.ts'

/**
 * Handles a single request without a connection, and therefore without subscriptions. Rejects with an `AuthError` if the client
 * has sent too many requests.
 */
export type HttpCallHandler = (client: RelayClient, text: string) => Promise<string>

/** Creates the handler for requests without a connection. */
export function createHttpCallHandler({
  store,
  authenticator,
  capacity,
  executor,
  errors,
  limits,
  turnOf,
}: {
  store: Pick<MessageStore, 'remove'>
  authenticator: Pick<Authenticator, 'canSend'>
  capacity: Pick<ClientQuotas, 'charge' | 'waitMs'>
  executor: Pick<CallExecutor, 'publish' | 'fetch'>
  errors: ErrorResponses
  limits: PublishLimits
  /** Resolves when it is the client's turn. */
  turnOf: (client: RelayClient) => Promise<void> | undefined
}): HttpCallHandler {
  const tooManyRequests = () => new AuthError('TooManyRequests', 'Too many requests')

  return async (client, text) => {
    const frame = readFrame(text)
    if (!frame?.id || typeof frame.body.method !== 'string') return errors.invalidRequest()
    try {
      if (capacity.waitMs(client) > 0 || !(await authenticator.canSend(client))) throw tooManyRequests()
      capacity.charge(client, text.length + callCost.call)
      await turnOf(client)
      const call = parseRequest(frame.body.method, frame.body.params, limits)
      const more = call.type === 'publish' ? call.publications.length - 1 : 0
      if (more > 0 && !(await authenticator.canSend(client, more))) throw tooManyRequests()
      if (call.type === 'publish' && call.topics.length === 0) {
        await executor.publish(client, call.publications)
        return writeFrame(frame.id, { result: true })
      }
      if (call.type === 'fetch') {
        const result = await executor.fetch({ ...client, fetched: new Set() }, call.topics)
        const response = writeFrame(frame.id, { result })
        capacity.charge(client, response.length)
        return response
      }
      if (call.type === 'receive') {
        for (const { topic, messageId } of call.receipts)
          await store.remove({ topic, id: messageId, acknowledgedBy: client.clientId })
        return writeFrame(frame.id, { result: true })
      }
      throw new RpcError('MethodNotFound', 'This call requires a connection')
    } catch (error) {
      if (error instanceof AuthError) throw error
      return errors.failed(frame.id, error)
    }
  }
}
