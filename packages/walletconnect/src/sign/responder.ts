import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/parseWithSchema'
import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import { formatKey } from '../crypto/keyPair.ts'
import { parsePairingUri } from '../pairingUri.ts'
import { openAuthenticatedSession } from './authenticatedSession.ts'
import { sealResponseTo } from './authenticateResponse.ts'
import { type AuthPayload, authPayloadSchema, type Cacao } from './cacao.ts'
import { createEventEmitter } from './eventEmitter.ts'
import { createPairingRequests } from './pairingRequests.ts'
import { type Reason, reasons } from './protocolMethods.ts'
import { deferred, type MessageAttestation, type RpcEngine } from './rpcEngine.ts'
import { RpcError, rpcError } from './rpcError.ts'
import {
  type GrantedNamespaces,
  type Metadata,
  metadataSchema,
  type Proposal,
  proposalSchema,
  type Session,
} from './schemas.ts'
import type { Sessions } from './sessions.ts'
import { settleAsWallet } from './settleAsWallet.ts'
import { validateNamespaces } from './validateNamespaces.ts'

/** A session proposal from a dapp. */
export interface ProposalEvent {
  /** The ID of the proposal, to pass to `approve()` or `reject()`. */
  readonly id: number
  /**
   * The pairing topic. If a dapp sends a proposal and a sign-in request over one pairing, the sign-in request takes precedence.
   */
  readonly topic: string
  /** The dapp's metadata and the namespaces that it requests. The metadata is not verified. */
  readonly proposal: Proposal
  /** The attestation of the dapp's origin, which a verifier can check (see `createVerifier`). `undefined` if there is none. */
  readonly attested?: MessageAttestation | undefined
}

/** A dapp's request to sign in and connect. */
export interface AuthenticateEvent {
  /** The ID of the request, to pass to `signIn()` or `reject()`. */
  readonly id: number
  /** The pairing topic. */
  readonly topic: string
  /** The fields of the message to sign. The user signs in with an account on one or more of the payload's `chains`. */
  readonly payload: AuthPayload
  /** The dapp's self-reported metadata, which is not verified. */
  readonly requester: Metadata
  /** When the request expires, in Unix seconds. `undefined` if the dapp did not set an expiry. */
  readonly expiry?: number | undefined
  /** The attestation of the dapp's origin, which a verifier can check (see `createVerifier`). `undefined` if there is none. */
  readonly attested?: MessageAttestation | undefined
}

/** Events that occur before a session exists. */
export interface ResponderEvents {
  /** Emitted when a dapp proposes a session. If there is no listener, the proposal is rejected as unsupported. */
  proposal: ProposalEvent
  /** Emitted when a dapp requests a sign-in. If there is no listener, the request is rejected as unsupported. */
  signIn: AuthenticateEvent
  /**
   * Emitted when a request ends without an answer: the dapp withdrew it, it expired, or another request of its pairing was
   * answered.
   */
  withdrawn: { readonly id: number; readonly topic: string }
}

/** The wallet's side of the sign protocol. */
export interface Responder {
  /** Calls `listener` on each event. Returns a function that removes the listener. */
  on<Name extends keyof ResponderEvents>(name: Name, listener: (event: ResponderEvents[Name]) => void): () => void
  /**
   * Joins a pairing from its URI.
   * @throws `pairing/invalid` if the URI is invalid, or `pairing/expired` if it has expired.
   */
  pair(uri: string): Promise<void>
  /**
   * Approves a proposal and opens its session. The granted namespaces must include the required namespaces.
   * @throws `pairing/expired` if the proposal is no longer pending, or `session/invalid` if the granted namespaces are not valid.
   */
  approve(
    id: number,
    granted: { namespaces: GrantedNamespaces; sessionProperties?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<Session>
  /**
   * Rejects a proposal or sign-in request and ends its pairing. `reason` defaults to `reasons.userRejected`.
   * @throws `pairing/expired` if the request is no longer pending.
   */
  reject(id: number, reason?: Reason): Promise<void>
  /** Responds to a sign-in request with the signed CACAOs. Opens a session if the CACAOs grant methods. */
  signIn(id: number, cacaos: readonly Cacao[]): Promise<Session | undefined>
  /** Responds to a request in a session. */
  respond(
    to: { topic: string; id: number },
    response: { readonly result: unknown } | { readonly error: Reason },
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

/**
 * Creates a responder (the wallet's role) that communicates over `rpc`.
 *
 * @example
 * const responder = createResponder(client.rpc, client.sessions)
 * responder.on('proposal', ({ id }) => responder.approve(id, { namespaces }))
 * await responder.pair(uri)
 */
export function createResponder(rpc: RpcEngine, sessions: Sessions): Responder {
  const { clock, metadata } = rpc
  /**
   * The pairings that also request a sign-in. Their proposals are ignored, so that the user receives one request instead of two.
   */
  const authenticatePairings = new Set<string>()
  const events = createEventEmitter<ResponderEvents>()
  const pending = createPairingRequests(clock, (request) => events.emit('withdrawn', request))

  const isPast = (expiry: number | undefined): boolean =>
    expiry !== undefined && expiry <= Math.floor(clock.now() / 1000)

  /** Ends a pairing once one of its requests has been answered. */
  const endPairing = async (topic: string): Promise<void> => {
    pending.withdrawAll(topic)
    authenticatePairings.delete(topic)
    await rpc.unsubscribe(topic)
  }

  rpc.handle('wc_sessionPropose', async ({ id, topic, params, attested }) => {
    if (authenticatePairings.has(topic) && events.hasListener('signIn')) return deferred
    const proposal = read(proposalSchema, params)
    if (!proposal || !events.hasListener('proposal')) throw rpcError('unsupported')
    const { expiryTimestamp } = proposal
    if (isPast(expiryTimestamp)) throw rpcError('requestExpired')
    const isNew = pending.add(id, { topic, method: 'wc_sessionPropose', proposal }, expiryTimestamp)
    if (isNew) events.emit('proposal', { id, topic, proposal, attested })
    return deferred
  })

  rpc.handle('wc_sessionAuthenticate', async ({ id, topic, params, attested }) => {
    const input = read(signInSchema, params)
    if (!input || !events.hasListener('signIn')) throw rpcError('unsupported')
    const { authPayload: payload, requester, expiryTimestamp: expiry } = input
    if (isPast(expiry)) throw rpcError('requestExpired')
    const isNew = pending.add(id, { topic, method: 'wc_sessionAuthenticate', requester }, expiry)
    if (isNew) events.emit('signIn', { id, topic, payload, requester: requester.metadata, expiry, attested })
    return deferred
  })

  rpc.handle('wc_pairingPing', async () => true)
  rpc.handle('wc_pairingDelete', async ({ topic, id }) => {
    await rpc.respond({ topic, id, method: 'wc_pairingDelete' }, { result: true }).catch(() => {})
    await endPairing(topic)
    return deferred
  })

  return {
    on: events.on,

    async pair(text) {
      const uri = parsePairingUri(text)
      if (!uri || !read(topicSchema, uri.topic)) throw failure('pairing/invalid')
      if (isPast(uri.expiry)) throw failure('pairing/expired')
      if (uri.methods.includes('wc_sessionAuthenticate')) authenticatePairings.add(uri.topic)
      await rpc.subscribe(uri.symKey, uri.topic)
    },

    async approve(id, { namespaces, sessionProperties }) {
      const proposal = pending.get(id)?.proposal
      if (!proposal) throw failure('pairing/expired')
      const problem = validateNamespaces(namespaces, proposal.requiredNamespaces)
      if (problem) throw failure('session/invalid', { message: problem })
      const { topic: pairingTopic } = pending.take(id)
      const approval = { id, pairingTopic, proposal, namespaces, sessionProperties }
      const session = await settleAsWallet(rpc, sessions, approval)
      await endPairing(pairingTopic)
      return session
    },

    async reject(id, reason = reasons.userRejected) {
      const { topic: pairingTopic, method, requester } = pending.take(id)
      const error = new RpcError(reason)
      if (requester) {
        const { topic, sealing } = await sealResponseTo(rpc, requester.publicKey)
        await rpc.respond({ topic, id, method }, { error }, sealing)
      } else await rpc.respond({ topic: pairingTopic, id, method }, { error })
      await endPairing(pairingTopic)
    },

    async signIn(id, cacaos) {
      const { topic: pairingTopic, requester: peer } = pending.take(id)
      if (!peer) throw failure('pairing/expired')
      const { topic, sealing, privateKey } = await sealResponseTo(rpc, peer.publicKey)
      const publicKey = formatKey(sealing.sender)
      const keys = { privateKey, publicKey }
      const signIn = { cacaos, pairingTopic, keys, peer, controller: true }
      const session = await openAuthenticatedSession(rpc, sessions, signIn)
      const result = { cacaos, responder: { publicKey, metadata } }
      await rpc.respond({ topic, id, method: 'wc_sessionAuthenticate' }, { result }, sealing)
      await endPairing(pairingTopic)
      return session
    },

    async respond({ topic, id }, response) {
      await rpc.respond(
        { topic, id, method: 'wc_sessionRequest' },
        'error' in response ? { error: new RpcError(response.error) } : response,
      )
    },
  }
}
