import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/parseWithSchema'
import { deferred, type RpcEngine } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import { type Metadata, type Session, type Settlement, settlementSchema } from './schemas.ts'
import { sessionTtl } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'
import { validateNamespaces } from './validateNamespaces.ts'

/** An approved proposal whose session the wallet has not settled yet. */
export interface AwaitedSettlement {
  /** The session's symmetric key. */
  readonly key: Uint8Array
  /** The public key with which the wallet responded to the proposal. Only that wallet can settle the session. */
  readonly responderPublicKey: string
  readonly self: { readonly publicKey: string; readonly metadata: Metadata }
  readonly pairing: { readonly topic: string; readonly signal: AbortSignal }
}

/** The settlements that a dapp is waiting for. */
export interface AwaitedSettlements {
  /**
   * Subscribes to the session's topic, and resolves once the wallet has settled the session. Rejects if the settlement is invalid
   * or the pairing ends.
   */
  wait(expected: AwaitedSettlement): Promise<Session>
}

/** Creates the handler for `wc_sessionSettle`, which stores settled sessions in `sessions`. */
export function createAwaitedSettlements(rpc: RpcEngine, sessions: Sessions): AwaitedSettlements {
  /** The handlers for expected settlements, keyed by the topic of the future session. */
  const expected = new Map<string, (settlement: Settlement, refuse: () => Promise<void>) => Promise<unknown>>()

  rpc.handle('wc_sessionSettle', async ({ topic, id, params }) => {
    const settle = expected.get(topic)
    const settlement = read(settlementSchema, params)
    // The session has already been settled, but the page was reloaded before it sent its response.
    if (settlement && sessions.get(topic)?.peer.publicKey === settlement.controller.publicKey) return true
    if (!settle || !settlement) throw rpcError('invalidSettle')
    return settle(settlement, () =>
      rpc.respond({ topic, id, method: 'wc_sessionSettle' }, { error: rpcError('invalidSettle') }),
    )
  })

  return {
    async wait({ key, responderPublicKey, self, pairing }) {
      const topic = await rpc.topicOf(key)
      return new Promise((resolve, reject) => {
        const fail = (error: unknown): void => {
          expected.delete(topic)
          pairing.signal.removeEventListener('abort', abort)
          void rpc.unsubscribe(topic)
          reject(error)
        }
        const abort = (): void => fail(pairing.signal.reason)
        expected.set(topic, async ({ namespaces, controller, expiry, sessionProperties }, refuse) => {
          const problem =
            controller.publicKey.toLowerCase() === responderPublicKey.toLowerCase()
              ? validateNamespaces(namespaces, {})
              : 'it was settled by another wallet'
          if (problem) {
            // Respond before the key is deleted.
            await refuse().catch(() => {})
            fail(failure('session/invalid', { message: problem }))
            return deferred
          }
          expected.delete(topic)
          pairing.signal.removeEventListener('abort', abort)
          const session: Session = {
            topic,
            pairingTopic: pairing.topic,
            expiry: Math.min(expiry, Math.floor(rpc.clock.now() / 1000) + sessionTtl),
            controller: false,
            namespaces,
            self,
            peer: controller,
            sessionProperties,
          }
          await sessions.store(session)
          resolve(session)
          return true
        })
        pairing.signal.addEventListener('abort', abort)
        rpc.subscribe(key, topic).catch(fail)
      })
    },
  }
}
