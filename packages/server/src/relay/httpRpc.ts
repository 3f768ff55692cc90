import { writeFrame } from '@latchkey/protocol/relay'
import type { RelayRpc } from '../serverDependencies.ts'
import { AuthError, type Authenticator, handshakeOf } from './authenticator.ts'
import { relayLimits } from './limits/relayLimits.ts'
import type { MessageStore } from './messages/messageStore.ts'
import type { Relay } from './relay.ts'

/**
 * Creates the relay's handler for `POST /rpc`. A rejected handshake results in a JSON-RPC error with the corresponding HTTP
 * status.
 */
export function relayHttpRpc({
  relay,
  authenticator,
  store,
}: {
  relay: Pick<Relay, 'handleRequest'>
  authenticator: Pick<Authenticator, 'authenticate'>
  store: Pick<MessageStore, 'ping' | 'isOutOfMemory'>
}): RelayRpc {
  return {
    bytes: relayLimits.maxFrameBytes,
    ping: () => store.ping(),
    isOutOfMemory: () => store.isOutOfMemory?.() ?? false,
    async call(request, address, read) {
      try {
        const client = await authenticator.authenticate(handshakeOf(request, address))
        return { status: 200, body: await relay.handleRequest(client, await read()) }
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        const { message, tag, status } = error
        return { status, body: writeFrame('null', { error: { code: -32000, message, data: tag } }) }
      }
    },
  }
}
