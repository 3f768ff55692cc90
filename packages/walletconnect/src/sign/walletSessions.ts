import { failure } from '@latchkey/protocol/errors/errorMessages'
import { allows, validateNamespaces } from './namespaces.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import type { GrantedNamespaces } from './schemas.ts'
import { requireSession, sessionTtl } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'

/** Session methods of a wallet. */
export interface WalletSessions {
  /**
   * Replaces the granted namespaces.
   * @throws `session/invalid` if they are not valid, `session/gone`, or the dapp's `RpcError`.
   */
  update(topic: string, namespaces: GrantedNamespaces): Promise<void>
  /**
   * Extends the session to seven days from now.
   * @throws `session/gone`, or the dapp's `RpcError`.
   */
  extend(topic: string): Promise<void>
  /**
   * Sends an event to the dapp. `chainId`: the chain that it concerns (CAIP-2).
   * @throws an `RpcError` with code 3002 if the session does not grant the event, or `session/gone`.
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
      // Read the session again: it may have been extended or ended meanwhile.
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
      // Not every dapp responds to events.
      await rpc.notify(topic, 'wc_sessionEvent', { chainId, event })
    },
  }
}
