import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { RpcEngine } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import type { GrantedNamespaces } from './schemas.ts'
import { requireSession, sessionTtl } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'
import { allows, validateNamespaces } from './validateNamespaces.ts'

/** The session methods that only a wallet can call. */
export interface WalletSessions {
  /**
   * Replaces the granted namespaces.
   * @throws `session/invalid` if the namespaces are not valid, `session/gone` if the session has ended, or the dapp's `RpcError`.
   */
  update(topic: string, namespaces: GrantedNamespaces): Promise<void>
  /**
   * Extends the session to seven days from now.
   * @throws `session/gone` if the session has ended, or the dapp's `RpcError`.
   */
  extend(topic: string): Promise<void>
  /**
   * Sends an event to the dapp. `chainId` is the CAIP-2 ID of the chain that the event concerns.
   * @throws an `RpcError` with code 3002 if the session does not grant the event, or `session/gone` if the session has ended.
   */
  emit(topic: string, chainId: string, event: { name: string; data: unknown }): Promise<void>
}

/**
 * Creates the session methods that only a wallet can call.
 *
 * @example
 * await walletSessions(client.rpc, client.sessions).emit(topic, 'eip155:1', { name: 'chainChanged', data: 1 })
 */
export function walletSessions(rpc: RpcEngine, sessions: Sessions): WalletSessions {
  return {
    async update(topic, namespaces) {
      requireSession(sessions, topic)
      const problem = validateNamespaces(namespaces, {})
      if (problem) throw failure('session/invalid', { message: problem })
      await rpc.request({ topic, method: 'wc_sessionUpdate', params: { namespaces } })
      // Read the session again, because it may have been extended or ended since the request was sent.
      await sessions.store({ ...requireSession(sessions, topic), namespaces })
    },
    async extend(topic) {
      requireSession(sessions, topic)
      const expiry = Math.floor(rpc.clock.now() / 1000) + sessionTtl
      await rpc.request({ topic, method: 'wc_sessionExtend', params: { expiry } })
      await sessions.store({ ...requireSession(sessions, topic), expiry })
    },
    async emit(topic, chainId, event) {
      const { namespaces } = requireSession(sessions, topic)
      if (!allows(namespaces, chainId, 'events', event.name)) throw rpcError('unauthorizedEvent')
      // Do not wait for a response, because not every dapp responds to events.
      await rpc.notify(topic, 'wc_sessionEvent', { chainId, event })
    },
  }
}
