import { read } from '@latchkey/protocol/parseWithSchema'
import type { EventEmitter } from './eventEmitter.ts'
import { type Method, methods, reasons } from './protocolMethods.ts'
import { createdAt, isExpired } from './requestId.ts'
import { deferred, type MessageAttestation, type RpcEngine, type RpcRequest } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import {
  eventSchema,
  extendSchema,
  reasonSchema,
  type Session,
  type SessionRequest,
  sessionRequestSchema,
  updateSchema,
} from './schemas.ts'
import { type SessionEndReason, type SessionStore, sessionTtl } from './sessionStore.ts'
import { allows, validateNamespaces } from './validateNamespaces.ts'

/** How long a request without an expiry can be in transit, in seconds. */
const defaultRequestTtl = 86_400

/** The events that `Sessions` emits. */
export interface SessionEvents {
  /** Emitted when the wallet updates the session's accounts, chains, methods or events. */
  updated: Session
  /** Emitted when the wallet extends the session to a later `expiry`. */
  extended: Session
  /** Emitted when either peer ends the session, or when the session expires. */
  ended: { readonly session: Session; readonly reason: SessionEndReason }
  /** Emitted when the wallet sends an event, such as `chainChanged`. */
  event: { readonly session: Session; readonly chainId: string; readonly name: string; readonly data: unknown }
  /** Emitted when the dapp sends a request. The wallet responds with `Responder.respond`. */
  request: {
    readonly session: Session
    readonly id: number
    readonly request: SessionRequest
    readonly attested?: MessageAttestation | undefined
  }
}

/** Handles session messages: validates them, stores the changes and emits the events. */
export function handleSessionMessages(
  rpc: RpcEngine,
  sessions: SessionStore,
  events: EventEmitter<SessionEvents>,
): void {
  const { clock } = rpc
  const seconds = (): number => Math.floor(clock.now() / 1000)

  /** Whether a request has expired, or is not newer than the last handled request of the same kind. */
  const isStale = ({ id }: RpcRequest, method: Method, last: number | undefined): boolean =>
    id <= (last ?? 0) || isExpired(id, methods[method].ttl, clock)

  /**
   * Returns the session of a request.
   * @throws an RPC error if there is no session, or if the dapp sent a request that only the wallet may send.
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
    await sessions.store(next)
    events.emit('updated', next)
    return true
  })

  rpc.handle('wc_sessionExtend', async (request) => {
    const session = sessionOf(request, 'unauthorizedExtend')
    const input = read(extendSchema, request.params ?? {})
    if (!input || isStale(request, 'wc_sessionExtend', session.lastExtend)) throw rpcError('invalidExtend')
    // The extension starts at the time when the wallet sent the request, so that a delay does not extend the session further.
    const max = Math.min(createdAt(request.id) ?? seconds(), seconds()) + sessionTtl
    const expiry = Math.min(input.expiry ?? max, max)
    if (expiry < session.expiry) throw rpcError('invalidExtend')
    const next: Session = { ...session, expiry, lastExtend: request.id }
    await sessions.store(next)
    events.emit('extended', next)
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
    await sessions.store(next)
    events.emit('event', { session: next, chainId, name: event.name, data: event.data })
    return true
  })

  rpc.handle('wc_sessionPing', async (request) => {
    sessionOf(request)
    return true
  })

  rpc.handle('wc_sessionDelete', async (request) => {
    const session = sessionOf(request)
    const reason = read(reasonSchema, request.params) ?? reasons.userDisconnected
    // Respond first, because the response is encrypted with the session's key.
    await rpc
      .respond({ topic: request.topic, id: request.id, method: 'wc_sessionDelete' }, { result: true })
      .catch(() => {})
    await sessions.end(session, reason)
    return deferred
  })

  rpc.handle('wc_sessionRequest', async (request) => {
    const session = sessionOf(request)
    const input = read(sessionRequestSchema, request.params)
    if (!input) throw rpcError('invalidMethod')
    const { expiryTimestamp } = input.request
    if (expiryTimestamp === undefined ? isExpired(request.id, defaultRequestTtl, clock) : expiryTimestamp <= seconds())
      throw rpcError('requestExpired')
    if (!allows(session.namespaces, input.chainId, 'methods', input.request.method))
      throw rpcError('unauthorizedMethod')
    if (!events.hasListener('request')) throw rpcError('invalidMethod')
    events.emit('request', { session, id: request.id, request: input, attested: request.attested })
    return deferred
  })
}
