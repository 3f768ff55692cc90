import { toHex } from '@latchkey/protocol/bytes'
import { isLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { topicSchema } from '@latchkey/protocol/relay'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { readUri } from '../uri.ts'
import { type AuthPayload, allowedBy, authPayloadSchema, type Cacao, readRecap, signerOf } from './cacao.ts'
import { createExpirer } from './expirer.ts'
import { type Method, type Reason, reasons } from './methods.ts'
import { shortfall } from './namespaces.ts'
import { type Attested, later, type Peer, type PeerRequest } from './peer.ts'
import { Refusal, refusal } from './refusal.ts'
import { type Sessions, sessionLife } from './sessions.ts'
import { type Granted, type Metadata, metadataSchema, type Proposal, proposalSchema, type Session } from './shapes.ts'

/** A page that wants to connect. */
export interface ProposalAsked {
  readonly id: number
  /** The pairing. A page that asks for both over one pairing wants the sign-in, or else the connection. */
  readonly topic: string
  readonly proposal: Proposal
  readonly attested?: Attested | undefined
}

/** A page that wants the visitor to sign in, and connect. */
export interface SignInAsked {
  readonly id: number
  /** The pairing. */
  readonly topic: string
  readonly payload: AuthPayload
  readonly requester: Metadata
  /** Unix seconds, where the page says when it gives up. */
  readonly expiry?: number | undefined
  readonly attested?: Attested | undefined
}

/** What reaches a wallet before there is a session. */
export interface ResponderEvents {
  proposal: ProposalAsked
  signIn: SignInAsked
  /** The page gave up, or its time is over. */
  withdrawn: { readonly id: number; readonly topic: string }
}

/** The wallet's role. */
export interface Responder {
  on<Name extends keyof ResponderEvents>(name: Name, listener: (event: ResponderEvents[Name]) => void): () => void
  /** Takes up a pairing that was scanned or pasted; throws `pairing/invalid` or `pairing/expired`. */
  pair(uri: string): Promise<void>
  approve(
    id: number,
    granted: { namespaces: Granted; sessionProperties?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<Session>
  reject(id: number, reason?: Reason): Promise<void>
  /** Signs in with what the visitor has signed; a session comes of it when the page asked for methods. */
  signIn(id: number, cacaos: readonly Cacao[]): Promise<Session | undefined>
  /** Answers a request of a session. */
  respond(
    to: { topic: string; id: number },
    answer: { readonly result: unknown } | { readonly error: Reason },
  ): Promise<void>
}

const signInSchema = v.object({
  authPayload: authPayloadSchema,
  requester: v.object({
    publicKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
    metadata: metadataSchema,
  }),
  expiryTimestamp: v.optional(v.pipe(v.number(), v.integer())),
})

/** How many questions of one pairing wait at the same time. */
const mostWaiting = 20

interface Waiting {
  readonly topic: string
  readonly method: Method
  readonly proposal?: Proposal
  readonly requester?: { readonly publicKey: string; readonly metadata: Metadata }
}

/** The wallet's role over `peer`. */
export function createResponder(peer: Peer, sessions: Sessions): Responder {
  const { crypto, clock, metadata } = peer
  const waiting = new Map<number, Waiting>()
  /** Pairings that ask for a sign-in as well: the visitor is asked one question, not two. */
  const signsIn = new Set<string>()
  const expirer = createExpirer(clock)
  const listeners = new Map<keyof ResponderEvents, Set<(event: never) => void>>()
  const seconds = (): number => Math.floor(clock.now() / 1000)

  const tell = <Name extends keyof ResponderEvents>(name: Name, event: ResponderEvents[Name]): void => {
    for (const listener of [...(listeners.get(name) ?? [])]) (listener as (event: ResponderEvents[Name]) => void)(event)
  }

  const withdraw = (id: number): void => {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    expirer.remove(`id:${id}`)
    tell('withdrawn', { id, topic: one.topic })
  }

  /**
   * Whether a question may be put. Answers go by id, and ids are the page's choice: the question that waits keeps its own, or
   * another pairing could swap what the visitor reads and says yes to.
   */
  const admits = ({ id, topic }: PeerRequest): boolean => {
    const same = waiting.get(id)
    if (same) {
      if (same.topic === topic) return false
      throw refusal('requestExpired')
    }
    const others = [...waiting.values()].filter((one) => one.topic === topic)
    if (others.length >= mostWaiting) throw refusal('requestExpired')
    return true
  }

  /** Puts a request before a person until `expiry`. */
  const hold = (request: PeerRequest, method: Method, expiry: number | undefined, more: Partial<Waiting>): void => {
    const { id, topic } = request
    waiting.set(id, { topic, method, ...more })
    expirer.set(`id:${id}`, expiry ?? seconds() + 300, () => withdraw(id))
  }

  const taken = (id: number): Waiting => {
    const one = waiting.get(id)
    if (!one) throw failure('pairing/expired')
    waiting.delete(id)
    expirer.remove(`id:${id}`)
    return one
  }

  /** The pairing has done its work once one of its requests is answered. */
  const finish = async (topic: string): Promise<void> => {
    for (const [id, one] of [...waiting]) if (one.topic === topic) withdraw(id)
    signsIn.delete(topic)
    await peer.leave(topic)
  }

  peer.handle('wc_sessionPropose', async (request) => {
    if (signsIn.has(request.topic) && listeners.get('signIn')?.size) return later
    const proposal = read(proposalSchema, request.params)
    if (!proposal || !listeners.get('proposal')?.size) throw refusal('unsupported')
    const { expiryTimestamp } = proposal
    if (expiryTimestamp !== undefined && expiryTimestamp <= seconds()) throw refusal('requestExpired')
    if (!admits(request)) return later
    hold(request, 'wc_sessionPropose', expiryTimestamp, { proposal })
    tell('proposal', { id: request.id, topic: request.topic, proposal, attested: request.attested })
    return later
  })

  peer.handle('wc_sessionAuthenticate', async (request) => {
    const given = read(signInSchema, request.params)
    if (!given || !listeners.get('signIn')?.size) throw refusal('unsupported')
    const { authPayload, requester, expiryTimestamp } = given
    if (expiryTimestamp !== undefined && expiryTimestamp <= seconds()) throw refusal('requestExpired')
    if (!admits(request)) return later
    hold(request, 'wc_sessionAuthenticate', expiryTimestamp, { requester })
    tell('signIn', {
      id: request.id,
      topic: request.topic,
      payload: authPayload,
      requester: requester.metadata,
      expiry: expiryTimestamp,
      attested: request.attested,
    })
    return later
  })

  peer.handle('wc_pairingPing', async () => true)
  peer.handle('wc_pairingDelete', async ({ topic, id }) => {
    await peer.respond({ topic, id, method: 'wc_pairingDelete' }, { result: true }).catch(() => {})
    await finish(topic)
    return later
  })

  /** How an answer to a sign-in travels: sealed to the page's own key, on the topic of that key. */
  const sealTo = async (
    publicKey: string,
  ): Promise<{ topic: string; privateKey: Uint8Array; seal: { key: Uint8Array; sender: Uint8Array } }> => {
    const privateKey = crypto.random(32)
    const theirs = Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return {
      topic: await peer.topicOf(theirs),
      privateKey,
      seal: { key: await peer.agree(privateKey, publicKey), sender: await crypto.agreement.publicKey(privateKey) },
    }
  }

  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener as (event: never) => void)
      return () => void set.delete(listener as (event: never) => void)
    },

    async pair(text) {
      const uri = readUri(text)
      if (!uri || !read(topicSchema, uri.topic)) throw failure('pairing/invalid')
      if (uri.expiry !== undefined && uri.expiry <= seconds()) throw failure('pairing/expired')
      if (uri.methods.includes('wc_sessionAuthenticate')) signsIn.add(uri.topic)
      await peer.join(uri.symKey, uri.topic)
    },

    async approve(id, { namespaces, sessionProperties }) {
      const proposal = waiting.get(id)?.proposal
      if (!proposal) throw failure('pairing/expired')
      const wrong = shortfall(namespaces, proposal.requiredNamespaces)
      if (wrong) throw failure('session/invalid', { message: wrong })
      const { topic: pairingTopic } = taken(id)
      const privateKey = crypto.random(32)
      const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
      const key = await peer.agree(privateKey, proposal.proposer.publicKey)
      const topic = await peer.join(key)
      const expiry = seconds() + sessionLife
      const session: Session = {
        topic,
        pairingTopic,
        expiry,
        controller: true,
        namespaces,
        self: { publicKey, metadata },
        peer: proposal.proposer,
        sessionProperties,
      }
      const relay = { protocol: 'irn' }
      const to = { topic: pairingTopic, id, method: 'wc_sessionPropose' } as const
      await peer.respond(to, { result: { relay, responderPublicKey: publicKey } })
      // From now on the page may have it and use it, whether or not its answer ever arrives here.
      await sessions.keep(session)
      try {
        await peer.request({
          topic,
          method: 'wc_sessionSettle',
          params: {
            relay,
            namespaces,
            controller: session.self,
            expiry,
            ...(sessionProperties ? { sessionProperties } : {}),
          },
        })
      } catch (error) {
        if (!isLatchkeyError(error, 'request/aborted')) await sessions.drop(topic)
        throw error
      }
      await finish(pairingTopic)
      return session
    },

    async reject(id, reason = reasons.userRejected) {
      const { topic, method, requester } = taken(id)
      const error = new Refusal(reason)
      if (requester) {
        const { topic: theirs, seal } = await sealTo(requester.publicKey)
        await peer.respond({ topic: theirs, id, method }, { error }, seal)
      } else await peer.respond({ topic, id, method }, { error })
      await finish(topic)
    },

    async signIn(id, cacaos) {
      const { topic: pairingTopic, requester } = taken(id)
      if (!requester) throw failure('pairing/expired')
      const { topic: theirs, seal, privateKey } = await sealTo(requester.publicKey)
      const publicKey = toHex(seal.sender).slice(2)
      const methods = cacaos.flatMap(({ p }) => allowedBy(readRecap(p.resources ?? [])).methods)
      const signers = cacaos.map(signerOf)
      let session: Session | undefined
      if (methods.length > 0) {
        const topic = await peer.join(await peer.agree(privateKey, requester.publicKey))
        session = {
          topic,
          pairingTopic,
          expiry: seconds() + sessionLife,
          controller: true,
          namespaces: {
            eip155: {
              chains: [...new Set(signers.map(({ chain }) => chain))],
              accounts: [...new Set(signers.map(({ chain, address }) => `${chain}:${address}`))],
              methods: [...new Set(methods)],
              events: ['chainChanged', 'accountsChanged'],
            },
          },
          self: { publicKey, metadata },
          peer: requester,
        }
        await sessions.keep(session)
      }
      const result = { cacaos, responder: { publicKey, metadata } }
      await peer.respond({ topic: theirs, id, method: 'wc_sessionAuthenticate' }, { result }, seal)
      await finish(pairingTopic)
      return session
    },

    async respond({ topic, id }, answer) {
      await peer.respond(
        { topic, id, method: 'wc_sessionRequest' },
        'error' in answer ? { error: new Refusal(answer.error) } : answer,
      )
    },
  }
}
