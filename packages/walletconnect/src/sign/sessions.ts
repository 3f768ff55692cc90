import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/catalogue'
import { read } from '@latchkey/protocol/shapes'
import { createExpirer } from './expirer.ts'
import { type Reason, reasons } from './methods.ts'
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

  /** The session of a request, which must be the wallet's where only the wallet may speak. */
  const heard = ({ topic }: PeerRequest, denied?: 'unauthorizedUpdate' | 'unauthorizedExtend'): Session => {
    const session = sessions.get(topic)
    if (!session) throw refusal('userDisconnected')
    if (denied && session.controller) throw refusal(denied)
    return session
  }

  peer.handle('wc_sessionUpdate', async (request) => {
    const session = heard(request, 'unauthorizedUpdate')
    const given = read(updateSchema, request.params)
    // Ids begin with the time: what was held back must not undo what was said after it.
    const isLate = Math.floor(request.id / 1000) < Math.floor((session.lastUpdate ?? 0) / 1000)
    if (!given || isLate || shortfall(given.namespaces, {})) throw refusal('invalidUpdate')
    const next: Session = { ...session, namespaces: given.namespaces, lastUpdate: request.id }
    await keep(next)
    tell('updated', next)
    return true
  })

  peer.handle('wc_sessionExtend', async (request) => {
    const session = heard(request, 'unauthorizedExtend')
    const given = read(extendSchema, request.params ?? {})
    const most = seconds() + sessionLife
    if (!given) throw refusal('invalidExtend')
    const expiry = Math.min(given.expiry ?? most, most)
    if (expiry < session.expiry) throw refusal('invalidExtend')
    const next: Session = { ...session, expiry }
    await keep(next)
    tell('extended', next)
    return true
  })

  peer.handle('wc_sessionEvent', async (request) => {
    const session = heard(request)
    const given = read(eventSchema, request.params)
    if (!given) throw refusal('invalidEvent')
    const { chainId, event } = given
    if (!allows(session.namespaces, chainId, 'events', event.name)) throw refusal('unauthorizedEvent')
    tell('event', { session, chainId, name: event.name, data: event.data })
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
    if (expiryTimestamp !== undefined && expiryTimestamp <= seconds()) throw refusal('requestExpired')
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
      const session = mine(topic)
      const wrong = shortfall(namespaces, {})
      if (wrong) throw failure('session/invalid', { message: wrong })
      await peer.request({ topic, method: 'wc_sessionUpdate', params: { namespaces } })
      await sessions.keep({ ...session, namespaces })
    },
    async extend(topic) {
      const session = mine(topic)
      const expiry = Math.floor(peer.clock.now() / 1000) + sessionLife
      await peer.request({ topic, method: 'wc_sessionExtend', params: { expiry } })
      await sessions.keep({ ...session, expiry })
    },
    async emit(topic, chainId, event) {
      const { namespaces } = mine(topic)
      if (!allows(namespaces, chainId, 'events', event.name)) throw refusal('unauthorizedEvent')
      // Not every page answers an event.
      await peer.tell(topic, 'wc_sessionEvent', { chainId, event })
    },
  }
}
