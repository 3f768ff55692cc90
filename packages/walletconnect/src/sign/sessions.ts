import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/schemas'
import { createExpirer } from './expirer.ts'
import { type Method, methods, type Reason, reasons } from './methods.ts'
import { allows, shortfall } from './namespaces.ts'
import { type Attested, later, type Peer, type PeerRequest } from './peer.ts'
import { refusal } from './refusal.ts'
import {
  type Asked,
  askedSchema,
  eventSchema,
  extendSchema,
  type Granted,
  reasonSchema,
  type Session,
  sessionSchema,
  updateSchema,
} from './shapes.ts'

/** How long a session lives from its settlement or extension, in seconds. */
export const sessionLife: number = 7 * 86_400
/** The least and longest that a request may wait, in seconds. */
const requestLife = { least: 300, most: 7 * 86_400 } as const
/** By how much the clocks of two sides may differ, in seconds. */
const skew = 3_600
/** How long a request without an end of its own may be under way, in seconds. */
const endless = 86_400
/** How long a wallet has to show that it lives, in milliseconds. */
const pingMs = 30_000

/** What happens to sessions. */
export interface SessionEvents {
  /** The wallet changed accounts, chains, methods or events. */
  updated: Session
  extended: Session
  /** It is over: the other side ended it, we did, or its time is up. */
  ended: { readonly session: Session; readonly reason: Reason | 'expired' }
  /** The wallet tells something, e.g. `chainChanged`. */
  event: { readonly session: Session; readonly chainId: string; readonly name: string; readonly data: unknown }
  /** For a wallet: the other side asks for something; answer with `respond`. */
  request: {
    readonly session: Session
    readonly id: number
    readonly asked: Asked
    readonly attested?: Attested | undefined
  }
}

/** The sessions of this client, in either role. */
export interface Sessions {
  all(): readonly Session[]
  get(topic: string): Session | undefined
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void
  /** Asks the other side; rejects with its refusal, or when the session is over. `life` is in seconds. */
  request(
    topic: string,
    asked: { chainId: string; method: string; params: unknown },
    options?: {
      life?: number | undefined
      signal?: AbortSignal | undefined
      /** The relay has it: the wallet is about to hear of it, under this id. */
      sent?: ((id: number) => void) | undefined
    },
  ): Promise<unknown>
  /** Whether the other side answers. */
  ping(topic: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean>
  /** Ends a session here, and tells the other side as far as it can be reached. */
  end(topic: string, reason?: Reason): Promise<void>
  keep(session: Session): Promise<void>
  /** Forgets a session that never came to be. */
  drop(topic: string): Promise<void>
}

/** Takes up the sessions that `peer` has records of, and takes part in them. */
export async function createSessions(peer: Peer): Promise<Sessions> {
  const { clock, records } = peer
  const sessions = new Map<string, Session>()
  const expirer = createExpirer(clock)
  const listeners = new Map<keyof SessionEvents, Set<(event: never) => void>>()

  const tell = <Name extends keyof SessionEvents>(name: Name, event: SessionEvents[Name]): void => {
    for (const listener of [...(listeners.get(name) ?? [])]) (listener as (event: SessionEvents[Name]) => void)(event)
  }

  const seconds = (): number => Math.floor(clock.now() / 1000)

  const drop = async (topic: string): Promise<void> => {
    sessions.delete(topic)
    expirer.remove(`topic:${topic}`)
    await records.remove(`session:${topic}`)
    await peer.leave(topic)
  }

  const forget = async (session: Session, reason: Reason | 'expired'): Promise<void> => {
    if (!sessions.has(session.topic)) return
    await drop(session.topic)
    tell('ended', { session, reason })
  }

  const watch = (session: Session): void =>
    expirer.set(`topic:${session.topic}`, session.expiry, () => void forget(session, 'expired'))

  const keep = async (session: Session): Promise<void> => {
    sessions.set(session.topic, session)
    watch(session)
    await records.set(`session:${session.topic}`, session)
  }

  const known = (topic: string): Session => {
    const session = sessions.get(topic)
    if (!session) throw failure('session/gone')
    return session
  }

  /** When a request was made, in seconds: ids begin with the time in microseconds. `undefined` for ids of another kind. */
  const madeAt = (id: number): number | undefined => (id >= 1e15 ? Math.floor(id / 1e6) : undefined)

  /** Whether a request was held back beyond its time: a relay that keeps to the protocol has dropped it by then. */
  const isOver = (id: number, life: number): boolean => {
    const made = madeAt(id)
    return made !== undefined && made + life + skew < seconds()
  }
  /** Whether it was held back while a later one of its kind overtook it, before or after a reload; an id that comes again is no new one. */
  const isLate = ({ id }: PeerRequest, method: Method, last: number | undefined): boolean =>
    id <= (last ?? 0) || isOver(id, methods[method].ttl)

  /** The session of a request, which must be the wallet's where only the wallet may speak. */
  const heard = (
    { topic }: PeerRequest,
    denied?: 'unauthorizedUpdate' | 'unauthorizedExtend' | 'unauthorizedEvent',
  ): Session => {
    const session = sessions.get(topic)
    if (!session) throw refusal('userDisconnected')
    if (denied && session.controller) throw refusal(denied)
    return session
  }

  peer.handle('wc_sessionUpdate', async (request) => {
    const session = heard(request, 'unauthorizedUpdate')
    const given = read(updateSchema, request.params)
    const wrong = !given || shortfall(given.namespaces, {}) !== undefined
    if (wrong || isLate(request, 'wc_sessionUpdate', session.lastUpdate)) throw refusal('invalidUpdate')
    const next: Session = { ...session, namespaces: given.namespaces, lastUpdate: request.id }
    await keep(next)
    tell('updated', next)
    return true
  })

  peer.handle('wc_sessionExtend', async (request) => {
    const session = heard(request, 'unauthorizedExtend')
    const given = read(extendSchema, request.params ?? {})
    if (!given || isLate(request, 'wc_sessionExtend', session.lastExtend)) throw refusal('invalidExtend')
    // Counted from when the wallet said it: one that was held back extends no further than it would have then.
    const most = Math.min(madeAt(request.id) ?? seconds(), seconds()) + sessionLife
    const expiry = Math.min(given.expiry ?? most, most)
    if (expiry < session.expiry) throw refusal('invalidExtend')
    const next: Session = { ...session, expiry, lastExtend: request.id }
    await keep(next)
    tell('extended', next)
    return true
  })

  peer.handle('wc_sessionEvent', async (request) => {
    const session = heard(request, 'unauthorizedEvent')
    const given = read(eventSchema, request.params)
    const last = Math.max(session.lastEvent ?? 0, session.lastUpdate ?? 0)
    if (!given || isLate(request, 'wc_sessionEvent', last)) throw refusal('invalidEvent')
    const { chainId, event } = given
    if (!allows(session.namespaces, chainId, 'events', event.name)) throw refusal('unauthorizedEvent')
    const next: Session = { ...session, lastEvent: request.id }
    await keep(next)
    tell('event', { session: next, chainId, name: event.name, data: event.data })
    return true
  })

  peer.handle('wc_sessionPing', async (request) => {
    heard(request)
    return true
  })

  peer.handle('wc_sessionDelete', async (request) => {
    const session = heard(request)
    const reason = read(reasonSchema, request.params) ?? reasons.userDisconnected
    // The answer needs the key, so it goes first.
    await peer
      .respond({ topic: request.topic, id: request.id, method: 'wc_sessionDelete' }, { result: true })
      .catch(() => {})
    await forget(session, reason)
    return later
  })

  peer.handle('wc_sessionRequest', async (request) => {
    const session = heard(request)
    const asked = read(askedSchema, request.params)
    if (!asked) throw refusal('invalidMethod')
    const { expiryTimestamp } = asked.request
    if (expiryTimestamp === undefined ? isOver(request.id, endless) : expiryTimestamp <= seconds())
      throw refusal('requestExpired')
    if (!allows(session.namespaces, asked.chainId, 'methods', asked.request.method)) throw refusal('unauthorizedMethod')
    if (!listeners.get('request')?.size) throw refusal('invalidMethod')
    tell('request', { session, id: request.id, asked, attested: request.attested })
    return later
  })

  for (const [key, value] of await records.list('session:')) {
    const session = read(sessionSchema, value)
    if (session && session.expiry > seconds()) {
      sessions.set(session.topic, session)
      watch(session)
    } else {
      await records.remove(key)
      await peer.leave(key.slice('session:'.length))
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
    async request(topic, { chainId, method, params }, { life = requestLife.least, signal, sent } = {}) {
      const session = known(topic)
      if (!allows(session.namespaces, chainId, 'methods', method)) throw refusal('unauthorizedMethod')
      const lives = Math.min(Math.max(life, requestLife.least), requestLife.most)
      const { result } = await peer.request({
        topic,
        method: 'wc_sessionRequest',
        params: { chainId, request: { method, params, expiryTimestamp: seconds() + lives } },
        life: lives,
        signal,
        sent,
      })
      return result
    },
    async ping(topic, { signal } = {}) {
      known(topic)
      const stop = new AbortController()
      const cancel = clock.after(pingMs, () => stop.abort())
      const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
      try {
        await peer.request({ topic, method: 'wc_sessionPing', params: {}, signal: both })
        return true
      } catch (error) {
        if (signal?.aborted) throw new LatchkeyError('request/aborted', undefined, { cause: error })
        return false
      } finally {
        cancel()
      }
    },
    async end(topic, reason = reasons.userDisconnected) {
      const session = sessions.get(topic)
      if (!session) return
      // Only its own relay can tell that the word has left; the session is over here in any case.
      const told = peer.request({ topic, method: 'wc_sessionDelete', params: reason, life: 0 }).catch(() => {})
      await Promise.race([told, new Promise<void>((resolve) => clock.after(3_000, resolve))])
      await forget(session, reason)
    },
    keep,
    drop,
  }
}

/** What a wallet does to its sessions. */
export interface WalletSessions {
  update(topic: string, namespaces: Granted): Promise<void>
  extend(topic: string): Promise<void>
  emit(topic: string, chainId: string, event: { name: string; data: unknown }): Promise<void>
}

/** The part of sessions that only the wallet has. */
export function walletSessions(peer: Peer, sessions: Sessions): WalletSessions {
  const mine = (topic: string): Session => {
    const session = sessions.get(topic)
    if (!session) throw failure('session/gone')
    return session
  }
  return {
    async update(topic, namespaces) {
      mine(topic)
      const wrong = shortfall(namespaces, {})
      if (wrong) throw failure('session/invalid', { message: wrong })
      await peer.request({ topic, method: 'wc_sessionUpdate', params: { namespaces } })
      // As it is now: it may have been extended, or ended, meanwhile.
      await sessions.keep({ ...mine(topic), namespaces })
    },
    async extend(topic) {
      mine(topic)
      const expiry = Math.floor(peer.clock.now() / 1000) + sessionLife
      await peer.request({ topic, method: 'wc_sessionExtend', params: { expiry } })
      await sessions.keep({ ...mine(topic), expiry })
    },
    async emit(topic, chainId, event) {
      const { namespaces } = mine(topic)
      if (!allows(namespaces, chainId, 'events', event.name)) throw refusal('unauthorizedEvent')
      // Not every page answers an event.
      await peer.tell(topic, 'wc_sessionEvent', { chainId, event })
    },
  }
}
