import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { createEventEmitter } from './eventEmitter.ts'
import { type Reason, reasons } from './protocolMethods.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import type { Session } from './schemas.ts'
import { handleSessionMessages, type SessionEvents } from './sessionHandlers.ts'
import { createSessionStore, requireSession } from './sessionStore.ts'
import { allows } from './validateNamespaces.ts'

/** The minimum and maximum TTL of a request, in seconds. */
const requestTtl = { min: 300, max: 7 * 86_400 } as const
/** The timeout for a ping. */
const pingMs = 30_000

/** The client's sessions in either role. */
export interface Sessions {
  /** Returns the sessions that have not ended. */
  all(): readonly Session[]
  /** Returns the session with this topic, or `undefined` if it has ended or is unknown. */
  get(topic: string): Session | undefined
  /** Calls `listener` on each event. Returns a function that removes the listener. */
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void
  /** Sends a request. Rejects with the other peer's error, or if the session ends. `ttl` is in seconds. */
  request(
    topic: string,
    request: { chainId: string; method: string; params: unknown },
    options?: {
      ttl?: number | undefined
      signal?: AbortSignal | undefined
      /** Called with the request ID when the relay has accepted the request. */
      onPublished?: ((id: number) => void) | undefined
    },
  ): Promise<unknown>
  /** Resolves to `true` if the other peer responds, or to `false` if it does not respond in time. */
  ping(topic: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean>
  /** Ends a session and notifies the other peer if possible. */
  disconnect(topic: string, reason?: Reason): Promise<void>
  /** Stores a new or changed session without notifying the other peer. */
  store(session: Session): Promise<void>
  /** Deletes a session that was never settled. */
  remove(topic: string): Promise<void>
}

/** Restores a client's stored sessions and handles their messages. */
export async function createSessions(rpc: RpcEngine): Promise<Sessions> {
  const { clock } = rpc
  const events = createEventEmitter<SessionEvents>()
  const sessions = createSessionStore(rpc, (session, reason) => events.emit('ended', { session, reason }))
  handleSessionMessages(rpc, sessions, events)
  await sessions.restore()

  return {
    all: sessions.all,
    get: sessions.get,
    on: events.on,
    async request(topic, { chainId, method, params }, { ttl = requestTtl.min, signal, onPublished } = {}) {
      const session = requireSession(sessions, topic)
      if (!allows(session.namespaces, chainId, 'methods', method)) throw rpcError('unauthorizedMethod')
      const ttlSeconds = Math.min(Math.max(ttl, requestTtl.min), requestTtl.max)
      const { result } = await rpc.request({
        topic,
        method: 'wc_sessionRequest',
        params: { chainId, request: { method, params, expiryTimestamp: Math.floor(clock.now() / 1000) + ttlSeconds } },
        ttl: ttlSeconds,
        signal,
        onPublished,
      })
      return result
    },
    async ping(topic, { signal } = {}) {
      requireSession(sessions, topic)
      const stop = new AbortController()
      const cancel = clock.after(pingMs, () => stop.abort())
      const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
      try {
        await rpc.request({ topic, method: 'wc_sessionPing', params: {}, signal: both })
        return true
      } catch (error) {
        if (signal?.aborted) throw new LatchkeyError('request/aborted', undefined, { cause: error })
        return false
      } finally {
        cancel()
      }
    },
    async disconnect(topic, reason = reasons.userDisconnected) {
      const session = sessions.get(topic)
      if (!session) return
      // The request resolves only if the other peer responds. Even if there is no response, the session ends for this client.
      const notified = rpc.request({ topic, method: 'wc_sessionDelete', params: reason, ttl: 0 }).catch(() => {})
      await Promise.race([notified, new Promise<void>((resolve) => clock.after(3_000, resolve))])
      await sessions.end(session, reason)
    },
    store: sessions.store,
    remove: sessions.remove,
  }
}
