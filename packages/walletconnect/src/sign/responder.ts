import { toHex } from '@latchkey/protocol/bytes'
import { isLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { topicSchema } from '@latchkey/protocol/relay'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { parsePairingUri } from '../pairingUri.ts'
import { type AuthPayload, allowedBy, authPayloadSchema, type Cacao, readRecap, signerOf } from './cacao.ts'
import { createExpirer } from './expirer.ts'
import { type Method, type Reason, reasons } from './methods.ts'
import { validateNamespaces } from './namespaces.ts'
import { deferred, type MessageAttestation, type RpcEngine, type RpcRequest } from './rpcEngine.ts'
import { RpcError, rpcError } from './rpcError.ts'
import {
  type GrantedNamespaces,
  type Metadata,
  metadataSchema,
  type Proposal,
  proposalSchema,
  type Session,
} from './schemas.ts'
import { type Sessions, sessionTtl } from './sessions.ts'

/** A session proposal from a dapp. */
export interface ProposalEvent {
  readonly id: number
  /** The pairing topic. If a dapp sends both requests over one pairing, the sign-in takes precedence. */
  readonly topic: string
  readonly proposal: Proposal
  readonly attested?: MessageAttestation | undefined
}

/** A dapp's request to sign in and connect. */
export interface AuthenticateEvent {
  readonly id: number
  /** The pairing topic. */
  readonly topic: string
  readonly payload: AuthPayload
  readonly requester: Metadata
  /** Unix seconds, if the dapp sets an expiry. */
  readonly expiry?: number | undefined
  readonly attested?: MessageAttestation | undefined
}

/** Events that occur before a session exists. */
export interface ResponderEvents {
  proposal: ProposalEvent
  signIn: AuthenticateEvent
  /** The dapp withdrew the request, or it expired. */
  withdrawn: { readonly id: number; readonly topic: string }
}

/** The role of the wallet. */
export interface Responder {
  on<Name extends keyof ResponderEvents>(name: Name, listener: (event: ResponderEvents[Name]) => void): () => void
  /**
   * Joins a pairing from its URI.
   * @throws `pairing/invalid` or `pairing/expired`.
   */
  pair(uri: string): Promise<void>
  approve(
    id: number,
    granted: { namespaces: GrantedNamespaces; sessionProperties?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<Session>
  reject(id: number, reason?: Reason): Promise<void>
  /** Responds with the signed CACAOs. Opens a session if the dapp requested methods. */
  signIn(id: number, cacaos: readonly Cacao[]): Promise<Session | undefined>
  /** Responds to a request of a session. */
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

/** Maximum number of pending requests per pairing. */
const maxPending = 20

interface PendingRequest {
  readonly topic: string
  readonly method: Method
  readonly proposal?: Proposal
  readonly requester?: { readonly publicKey: string; readonly metadata: Metadata }
}

/** Creates the wallet's role over `rpc`. */
export function createResponder(rpc: RpcEngine, sessions: Sessions): Responder {
  const { crypto, clock, metadata } = rpc
  const pending = new Map<number, PendingRequest>()
  /** Pairings that also request a sign-in. Their proposals are ignored, so that the user gets one request instead of two. */
  const authenticatePairings = new Set<string>()
  const expirer = createExpirer(clock)
  const listeners = new Map<keyof ResponderEvents, Set<(event: never) => void>>()
  const seconds = (): number => Math.floor(clock.now() / 1000)

  const emit = <Name extends keyof ResponderEvents>(name: Name, event: ResponderEvents[Name]): void => {
    for (const listener of [...(listeners.get(name) ?? [])]) (listener as (event: ResponderEvents[Name]) => void)(event)
  }

  const withdraw = (id: number): void => {
    const entry = pending.get(id)
    if (!entry) return
    pending.delete(id)
    expirer.remove(`id:${id}`)
    emit('withdrawn', { id, topic: entry.topic })
  }

  /**
   * Whether a request can be accepted. Responses are matched by ID, and IDs are chosen by the page. A pending request keeps its
   * ID, or another pairing could swap the request that the user is approving.
   */
  const canAccept = ({ id, topic }: RpcRequest): boolean => {
    const existing = pending.get(id)
    if (existing) {
      if (existing.topic === topic) return false
      throw rpcError('requestExpired')
    }
    const others = [...pending.values()].filter((entry) => entry.topic === topic)
    if (others.length >= maxPending) throw rpcError('requestExpired')
    return true
  }

  /** Adds a pending request that expires at `expiry`. */
  const addPending = (
    request: RpcRequest,
    method: Method,
    expiry: number | undefined,
    more: Partial<PendingRequest>,
  ): void => {
    const { id, topic } = request
    pending.set(id, { topic, method, ...more })
    expirer.set(`id:${id}`, expiry ?? seconds() + 300, () => withdraw(id))
  }

  const takePending = (id: number): PendingRequest => {
    const entry = pending.get(id)
    if (!entry) throw failure('pairing/expired')
    pending.delete(id)
    expirer.remove(`id:${id}`)
    return entry
  }

  /** Ends a pairing once one of its requests is answered. */
  const finish = async (topic: string): Promise<void> => {
    for (const [id, entry] of [...pending]) if (entry.topic === topic) withdraw(id)
    authenticatePairings.delete(topic)
    await rpc.unsubscribe(topic)
  }

  rpc.handle('wc_sessionPropose', async (request) => {
    if (authenticatePairings.has(request.topic) && listeners.get('signIn')?.size) return deferred
    const proposal = read(proposalSchema, request.params)
    if (!proposal || !listeners.get('proposal')?.size) throw rpcError('unsupported')
    const { expiryTimestamp } = proposal
    if (expiryTimestamp !== undefined && expiryTimestamp <= seconds()) throw rpcError('requestExpired')
    if (!canAccept(request)) return deferred
    addPending(request, 'wc_sessionPropose', expiryTimestamp, { proposal })
    emit('proposal', { id: request.id, topic: request.topic, proposal, attested: request.attested })
    return deferred
  })

  rpc.handle('wc_sessionAuthenticate', async (request) => {
    const input = read(signInSchema, request.params)
    if (!input || !listeners.get('signIn')?.size) throw rpcError('unsupported')
    const { authPayload, requester, expiryTimestamp } = input
    if (expiryTimestamp !== undefined && expiryTimestamp <= seconds()) throw rpcError('requestExpired')
    if (!canAccept(request)) return deferred
    addPending(request, 'wc_sessionAuthenticate', expiryTimestamp, { requester })
    emit('signIn', {
      id: request.id,
      topic: request.topic,
      payload: authPayload,
      requester: requester.metadata,
      expiry: expiryTimestamp,
      attested: request.attested,
    })
    return deferred
  })

  rpc.handle('wc_pairingPing', async () => true)
  rpc.handle('wc_pairingDelete', async ({ topic, id }) => {
    await rpc.respond({ topic, id, method: 'wc_pairingDelete' }, { result: true }).catch(() => {})
    await finish(topic)
    return deferred
  })

  /** Prepares the response to a sign-in, which is encrypted to the page's public key and sent on the topic of that key. */
  const sealTo = async (
    publicKey: string,
  ): Promise<{ topic: string; privateKey: Uint8Array; seal: { key: Uint8Array; sender: Uint8Array } }> => {
    const privateKey = crypto.random(32)
    const theirs = Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return {
      topic: await rpc.topicOf(theirs),
      privateKey,
      seal: {
        key: await rpc.deriveSharedKey(privateKey, publicKey),
        sender: await crypto.agreement.publicKey(privateKey),
      },
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
      const uri = parsePairingUri(text)
      if (!uri || !read(topicSchema, uri.topic)) throw failure('pairing/invalid')
      if (uri.expiry !== undefined && uri.expiry <= seconds()) throw failure('pairing/expired')
      if (uri.methods.includes('wc_sessionAuthenticate')) authenticatePairings.add(uri.topic)
      await rpc.subscribe(uri.symKey, uri.topic)
    },

    async approve(id, { namespaces, sessionProperties }) {
      const proposal = pending.get(id)?.proposal
      if (!proposal) throw failure('pairing/expired')
      const problem = validateNamespaces(namespaces, proposal.requiredNamespaces)
      if (problem) throw failure('session/invalid', { message: problem })
      const { topic: pairingTopic } = takePending(id)
      const privateKey = crypto.random(32)
      const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
      const key = await rpc.deriveSharedKey(privateKey, proposal.proposer.publicKey)
      const topic = await rpc.subscribe(key)
      const expiry = seconds() + sessionTtl
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
      await rpc.respond(to, { result: { relay, responderPublicKey: publicKey } })
      // Store the session now: the page can use it from here on, even if its response to the settlement is lost.
      await sessions.store(session)
      try {
        await rpc.request({
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
        if (!isLatchkeyError(error, 'request/aborted')) await sessions.remove(topic)
        throw error
      }
      await finish(pairingTopic)
      return session
    },

    async reject(id, reason = reasons.userRejected) {
      const { topic, method, requester } = takePending(id)
      const error = new RpcError(reason)
      if (requester) {
        const { topic: theirs, seal } = await sealTo(requester.publicKey)
        await rpc.respond({ topic: theirs, id, method }, { error }, seal)
      } else await rpc.respond({ topic, id, method }, { error })
      await finish(topic)
    },

    async signIn(id, cacaos) {
      const { topic: pairingTopic, requester } = takePending(id)
      if (!requester) throw failure('pairing/expired')
      const { topic: theirs, seal, privateKey } = await sealTo(requester.publicKey)
      const publicKey = toHex(seal.sender).slice(2)
      const methods = cacaos.flatMap(({ p }) => allowedBy(readRecap(p.resources ?? [])).methods)
      const signers = cacaos.map(signerOf)
      let session: Session | undefined
      if (methods.length > 0) {
        const topic = await rpc.subscribe(await rpc.deriveSharedKey(privateKey, requester.publicKey))
        session = {
          topic,
          pairingTopic,
          expiry: seconds() + sessionTtl,
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
        await sessions.store(session)
      }
      const result = { cacaos, responder: { publicKey, metadata } }
      await rpc.respond({ topic: theirs, id, method: 'wc_sessionAuthenticate' }, { result }, seal)
      await finish(pairingTopic)
      return session
    },

    async respond({ topic, id }, answer) {
      await rpc.respond(
        { topic, id, method: 'wc_sessionRequest' },
        'error' in answer ? { error: new RpcError(answer.error) } : answer,
      )
    },
  }
}
