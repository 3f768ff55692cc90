import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/schemas'
import { createExpirer } from './expirer.ts'
import { type Method, methods, type Reason, reasons } from './methods.ts'
import { allows, validateNamespaces } from './namespaces.ts'
import { deferred, type MessageAttestation, type RpcEngine, type RpcRequest } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import {
  eventSchema,
  extendSchema,
  type GrantedNamespaces,
  reasonSchema,
  type Session,
  type SessionRequest,
  sessionRequestSchema,
  sessionSchema,
  updateSchema,
} from './schemas.ts'

/** Lifetime of a session from its settlement or extension, in seconds. */
export const sessionTtl: number = 7 * 86_400
/** Bounds of the TTL of a request, in seconds. */
const requestTtl = { min: 300, max: 7 * 86_400 } as const
/** Maximum clock difference between the peers, in seconds. */
const maxClockSkew = 3_600
/** Maximum transit time of a request without an expiry, in seconds. */
const defaultRequestTtl = 86_400
/** Timeout of a ping. */
const pingMs = 30_000

/** The events of `Sessions`. */
export interface SessionEvents {
  /** The wallet has updated the accounts, chains, methods or events. */
  updated: Session
  extended: Session
  /** The session was ended by either peer, or has expired. */
  ended: { readonly session: Session; readonly reason: Reason | 'expired' }
  /** The wallet emitted an event, such as `chainChanged`. */
  event: { readonly session: Session; readonly chainId: string; readonly name: string; readonly data: unknown }
  /** A request from the dapp, for wallets. Answer it with `Responder.respond`. */
  request: {
    readonly session: Session
    readonly id: number
    readonly request: SessionRequest
    readonly attested?: MessageAttestation | undefined
  }
}

/** The sessions of this client, in either role. */
export interface Sessions {
  all(): readonly Session[]
  get(topic: string): Session | undefined
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void
  /** Sends a request. Rejects with the other peer's error, or if the session ends. `ttl` is in seconds. */
  request(
    topic: string,
    request: { chainId: string; method: string; params: unknown },
    options?: {
      ttl?: number | undefined
      signal?: AbortSignal | undefined
      /** Called when the relay has accepted the request, with its ID. */
      onPublished?: ((id: number) => void) | undefined
    },
  ): Promise<unknown>
  /** Resolves to whether the other peer responds. */
  ping(topic: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean>
  /** Ends a session and notifies the other peer if possible. */
  disconnect(topic: string, reason?: Reason): Promise<void>
  store(session: Session): Promise<void>
  /** Deletes a session that was never settled. */
  remove(topic: string): Promise<void>
}

/** Creates the session store: restores stored sessions and handles their messages. */
export async function createSessions(rpc: RpcEngine): Promise<Sessions> {
  const { clock, storage } = rpc
  const sessions = new Map<string, Session>()
  const expirer = createExpirer(clock)
  const listeners = new Map<keyof SessionEvents, Set<(event: never) => void>>()

  const emit = <Name extends keyof SessionEvents>(name: Name, event: SessionEvents[Name]): void => {
    for (const listener of [...(listeners.get(name) ?? [])]) (listener as (event: SessionEvents[Name]) => void)(event)
  }

  const seconds = (): number => Math.floor(clock.now() / 1000)

  const remove = async (topic: string): Promise<void> => {
    sessions.delete(topic)
    expirer.remove(`topic:${topic}`)
    await storage.remove(`session:${topic}`)
    await rpc.unsubscribe(topic)
  }

  const endSession = async (session: Session, reason: Reason | 'expired'): Promise<void> => {
    if (!sessions.has(session.topic)) return
    await remove(session.topic)
    emit('ended', { session, reason })
  }

  const watch = (session: Session): void =>
    expirer.set(`topic:${session.topic}`, session.expiry, () => void endSession(session, 'expired'))

  const store = async (session: Session): Promise<void> => {
    sessions.set(session.topic, session)
    watch(session)
    await storage.set(`session:${session.topic}`, session)
  }

  const requireSession = (topic: string): Session => {
    const session = sessions.get(topic)
    if (!session) throw failure('session/gone')
    return session
  }

  /** When a request was created, in Unix seconds. IDs start with the time in microseconds; `undefined` for other formats. */
  const createdAt = (id: number): number | undefined => (id >= 1e15 ? Math.floor(id / 1e6) : undefined)

  /** Whether a request has exceeded its TTL. A relay that follows the protocol would have dropped it by then. */
  const isExpired = (id: number, ttl: number): boolean => {
    const created = createdAt(id)
    return created !== undefined && created + ttl + maxClockSkew < seconds()
  }
  /** Whether a request is expired, repeated, or older than the last handled request of its kind. */
  const isStale = ({ id }: RpcRequest, method: Method, last: number | undefined): boolean =>
    id <= (last ?? 0) || isExpired(id, methods[method].ttl)

  /**
   * The session of a request.
   * @throws an RPC error if there is no session, or if only the wallet may send the request.
   */
  const sessionOf = (
    { topic }: RpcRequest,
    denied?: 'unauthorizedUpdate' | 'unauthorizedExtend' | 'unauthorizedEvent',
  ): Session => {
    const session = sessions.get(topic)
    if (!session) throw rpcError('userDisconnected')
    if (denied && session.controller) throw rpcError(denied)
    return session
  }

  rpc.handle('wc_sessionUpdate', async (request) => {
    const session = sessionOf(request, 'unauthorizedUpdate')
    const input = read(updateSchema, request.params)
    const problem = !input || validateNamespaces(input.namespaces, {}) !== undefined
    if (problem || isStale(request, 'wc_sessionUpdate', session.lastUpdate)) throw rpcError('invalidUpdate')
    const next: Session = { ...session, namespaces: input.namespaces, lastUpdate: request.id }
    await store(next)
    emit('updated', next)
    return true
  })

  rpc.handle('wc_sessionExtend', async (request) => {
    const session = sessionOf(request, 'unauthorizedExtend')
    const input = read(extendSchema, request.params ?? {})
    if (!input || isStale(request, 'wc_sessionExtend', session.lastExtend)) throw rpcError('invalidExtend')
    // The extension starts when the wallet sent it, so that a delayed request does not extend the session further.
    const max = Math.min(createdAt(request.id) ?? seconds(), seconds()) + sessionTtl
    const expiry = Math.min(input.expiry ?? max, max)
    if (expiry < session.expiry) throw rpcError('invalidExtend')
    const next: Session = { ...session, expiry, lastExtend: request.id }
    await store(next)
    emit('extended', next)
    return true
  })

  rpc.handle('wc_sessionEvent', async (request) => {
    const session = sessionOf(request, 'unauthorizedEvent')
    const input = read(eventSchema, request.params)
    const last = Math.max(session.lastEvent ?? 0, session.lastUpdate ?? 0)
    if (!input || isStale(request, 'wc_sessionEvent', last)) throw rpcError('invalidEvent')
    const { chainId, event } = input
    if (!allows(session.namespaces, chainId, 'events', event.name)) throw rpcError('unauthorizedEvent')
    const next: Session = { ...session, lastEvent: request.id }
    await store(next)
    emit('event', { session: next, chainId, name: event.name, data: event.data })
    return true
  })

  rpc.handle('wc_sessionPing', async (request) => {
    sessionOf(request)
    return true
  })

  rpc.handle('wc_sessionDelete', async (request) => {
    const session = sessionOf(request)
    const reason = read(reasonSchema, request.params) ?? reasons.userDisconnected
    // Respond first: the response needs the key.
    await rpc
      .respond({ topic: request.topic, id: request.id, method: 'wc_sessionDelete' }, { result: true })
      .catch(() => {})
    await endSession(session, reason)
    return deferred
  })

  rpc.handle('wc_sessionRequest', async (request) => {
    const session = sessionOf(request)
    const asked = read(sessionRequestSchema, request.params)
    if (!asked) throw rpcError('invalidMethod')
    const { expiryTimestamp } = asked.request
    if (expiryTimestamp === undefined ? isExpired(request.id, defaultRequestTtl) : expiryTimestamp <= seconds())
      throw rpcError('requestExpired')
    if (!allows(session.namespaces, asked.chainId, 'methods', asked.request.method))
      throw rpcError('unauthorizedMethod')
    if (!listeners.get('request')?.size) throw rpcError('invalidMethod')
    emit('request', { session, id: request.id, request: asked, attested: request.attested })
    return deferred
  })

  for (const [key, value] of await storage.list('session:')) {
    const session = read(sessionSchema, value)
    if (session && session.expiry > seconds()) {
      sessions.set(session.topic, session)
      watch(session)
    } else {
      await storage.remove(key)
      await rpc.unsubscribe(key.slice('session:'.length))
    }
  }

  return {
    all: () => [...sessions.values()],
    get: (topic) => sessions.get(topic),
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener as (event: never) => void)
      return () => void set.delete(listener as (event: never) => void)
    },
    async request(topic, { chainId, method, params }, { ttl = requestTtl.min, signal, onPublished } = {}) {
      const session = requireSession(topic)
      if (!allows(session.namespaces, chainId, 'methods', method)) throw rpcError('unauthorizedMethod')
      const ttlSeconds = Math.min(Math.max(ttl, requestTtl.min), requestTtl.max)
      const { result } = await rpc.request({
        topic,
        method: 'wc_sessionRequest',
        params: { chainId, request: { method, params, expiryTimestamp: seconds() + ttlSeconds } },
        ttl: ttlSeconds,
        signal,
        onPublished,
      })
      return result
    },
    async ping(topic, { signal } = {}) {
      requireSession(topic)
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
      // The request resolves only if the other peer responds. The session ends here in any case.
      const notified = rpc.request({ topic, method: 'wc_sessionDelete', params: reason, ttl: 0 }).catch(() => {})
      await Promise.race([notified, new Promise<void>((resolve) => clock.after(3_000, resolve))])
      await endSession(session, reason)
    },
    store,
    remove,
  }
}

/** Session methods of a wallet. */
export interface WalletSessions {
  update(topic: string, namespaces: GrantedNamespaces): Promise<void>
  extend(topic: string): Promise<void>
  emit(topic: string, chainId: string, event: { name: string; data: unknown }): Promise<void>
}

/** Creates the session methods that only a wallet can call. */
export function walletSessions(rpc: RpcEngine, sessions: Sessions): WalletSessions {
  const mine = (topic: string): Session => {
    const session = sessions.get(topic)
    if (!session) throw failure('session/gone')
    return session
  }
  return {
    async update(topic, namespaces) {
      mine(topic)
      const problem = validateNamespaces(namespaces, {})
      if (problem) throw failure('session/invalid', { message: problem })
      await rpc.request({ topic, method: 'wc_sessionUpdate', params: { namespaces } })
      // Read the session again: it may have been extended or ended meanwhile.
      await sessions.store({ ...mine(topic), namespaces })
    },
    async extend(topic) {
      mine(topic)
      const expiry = Math.floor(rpc.clock.now() / 1000) + sessionTtl
      await rpc.request({ topic, method: 'wc_sessionExtend', params: { expiry } })
      await sessions.store({ ...mine(topic), expiry })
    },
    async emit(topic, chainId, event) {
      const { namespaces } = mine(topic)
      if (!allows(namespaces, chainId, 'events', event.name)) throw rpcError('unauthorizedEvent')
      // Not every dapp responds to events.
      await rpc.notify(topic, 'wc_sessionEvent', { chainId, event })
    },
  }
}
