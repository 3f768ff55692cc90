import { toHex } from '@latchkey/protocol/bytes'
import { pairingExpiryMs } from '@latchkey/protocol/constants'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { parse, read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { formatPairingUri } from '../pairingUri.ts'
import { type AuthPayload, allowedBy, type Cacao, cacaoSchema, readRecap, recapOf, signerOf } from './cacao.ts'
import { reasons } from './methods.ts'
import { validateNamespaces } from './namespaces.ts'
import { deferred, type RpcEngine } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import {
  type GrantedNamespaces,
  type Metadata,
  metadataSchema,
  type ProposedNamespaces,
  proposalResponseSchema,
  type Session,
  type Settlement,
  settlementSchema,
} from './schemas.ts'
import { type Sessions, sessionTtl } from './sessions.ts'

/** A pairing that is waiting for a wallet to respond. */
export interface PendingPairing<T> {
  /** A secret. Use it only in the QR code or the wallet's link. */
  readonly uri: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Rejects with the wallet's `RpcError`, with `pairing/expired`, or with `request/aborted`. */
  readonly settled: Promise<T>
}

/** The result of `authenticate`: the signed CACAOs, not yet verified, and the session if the wallet opened one. */
export interface AuthenticateResult {
  readonly cacaos: readonly Cacao[]
  readonly session?: Session | undefined
}

/** Parameters of a proposal. The wallet can omit any of the requested namespaces. */
export interface ProposeParameters {
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The role of the dapp. */
export interface Proposer {
  propose(asking: ProposeParameters): Promise<PendingPairing<Session>>
  /** Requests connection and sign-in together. A wallet that cannot sign in can still connect. EVM chains only. */
  authenticate(
    asking: ProposeParameters & {
      readonly payload: Omit<AuthPayload, 'type' | 'version'>
      readonly methods: readonly string[]
    },
  ): Promise<PendingPairing<AuthenticateResult>>
}

const authenticateResponseSchema = v.object({
  cacaos: v.pipe(v.array(cacaoSchema), v.minLength(1), v.maxLength(100)),
  responder: v.object({
    publicKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
    metadata: metadataSchema,
  }),
})

/** Creates the dapp's role over `rpc`. */
export function createProposer(rpc: RpcEngine, sessions: Sessions): Proposer {
  const { crypto, clock, metadata } = rpc
  /** Expected settlements by the topic of the future session. */
  const settling = new Map<string, (settlement: Settlement, refuse: () => Promise<void>) => Promise<unknown>>()

  rpc.handle('wc_sessionSettle', async ({ topic, id, params }) => {
    const settle = settling.get(topic)
    const settlement = read(settlementSchema, params)
    // The page was reloaded before its response was sent.
    if (settlement && sessions.get(topic)?.peer.publicKey === settlement.controller.publicKey) return true
    if (!settle || !settlement) throw rpcError('invalidSettle')
    return settle(settlement, () =>
      rpc.respond({ topic, id, method: 'wc_sessionSettle' }, { error: rpcError('invalidSettle') }),
    )
  })
  rpc.handle('wc_pairingPing', async () => true)
  rpc.handle('wc_pairingDelete', async () => true)

  /** Creates a pairing that expires together with its QR code. */
  const pair = async (
    methods: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ topic: string; uri: string; expiresAt: number; signal: AbortSignal; done(): Promise<void> }> => {
    const symKey = crypto.random(32)
    const expiresAt = clock.now() + pairingExpiryMs
    const ended = new AbortController()
    const abort = (): void => ended.abort(new LatchkeyError('request/aborted'))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    const cancel = clock.after(pairingExpiryMs, () => ended.abort(failure('pairing/expired')))
    const topic = await rpc.subscribe(symKey)
    return {
      topic,
      uri: formatPairingUri({ topic, symKey, expiry: Math.floor(expiresAt / 1000), methods }),
      expiresAt,
      signal: ended.signal,
      async done() {
        cancel()
        signal?.removeEventListener('abort', abort)
        // Tells the wallet to withdraw a displayed request.
        if (signal?.aborted) await rpc.notify(topic, 'wc_pairingDelete', reasons.userDisconnected).catch(() => {})
        await rpc.unsubscribe(topic)
      },
    }
  }

  const self = (publicKey: string): { publicKey: string; metadata: Metadata } => ({ publicKey, metadata })

  /** Sends a proposal over an open pairing and waits for the wallet to settle the session. */
  const proposeOver = async (
    pairing: { topic: string; expiresAt: number; signal: AbortSignal },
    { optionalNamespaces, sessionProperties }: ProposeParameters,
  ): Promise<Session> => {
    const privateKey = crypto.random(32)
    const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
    const { result } = await rpc.request({
      topic: pairing.topic,
      method: 'wc_sessionPropose',
      params: {
        requiredNamespaces: {},
        optionalNamespaces,
        relays: [{ protocol: 'irn' }],
        pairingTopic: pairing.topic,
        proposer: self(publicKey),
        expiryTimestamp: Math.floor(pairing.expiresAt / 1000),
        ...(sessionProperties ? { sessionProperties } : {}),
      },
      signal: pairing.signal,
    })
    const { responderPublicKey } = parse(proposalResponseSchema, result, 'answer')
    const key = await rpc.deriveSharedKey(privateKey, responderPublicKey)
    const topic = await rpc.topicOf(key)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        settling.delete(topic)
        pairing.signal.removeEventListener('abort', abort)
        void rpc.unsubscribe(topic)
        reject(error)
      }
      const abort = (): void => fail(pairing.signal.reason)
      settling.set(topic, async ({ namespaces, controller, expiry, sessionProperties: given }, refuse) => {
        const wrong =
          controller.publicKey.toLowerCase() === responderPublicKey.toLowerCase()
            ? validateNamespaces(namespaces, {})
            : 'it was settled by another wallet'
        if (wrong) {
          // Respond before the key is deleted.
          await refuse().catch(() => {})
          fail(failure('session/invalid', { message: wrong }))
          return deferred
        }
        settling.delete(topic)
        pairing.signal.removeEventListener('abort', abort)
        const session: Session = {
          topic,
          pairingTopic: pairing.topic,
          expiry: Math.min(expiry, Math.floor(clock.now() / 1000) + sessionTtl),
          controller: false,
          namespaces,
          self: self(publicKey),
          peer: controller,
          sessionProperties: given,
        }
        await sessions.store(session)
        resolve(session)
        return true
      })
      pairing.signal.addEventListener('abort', abort)
      rpc.subscribe(key, topic).catch(fail)
    })
  }

  return {
    async propose(asking) {
      const pairing = await pair([], asking.signal)
      const settled = proposeOver(pairing, asking)
        .catch((error) => {
          throw pairing.signal.aborted ? pairing.signal.reason : error
        })
        .finally(() => pairing.done())
      settled.catch(() => {})
      return { uri: pairing.uri, expiresAt: pairing.expiresAt, settled }
    },

    async authenticate(asking) {
      const { payload, methods, signal } = asking
      const pairing = await pair(['wc_sessionAuthenticate'], signal)
      const privateKey = crypto.random(32)
      const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
      const answerOn = await rpc.subscribeToPublicKey(privateKey)
      const recap = methods.length > 0 ? [recapOf(methods, payload.chains)] : []
      const authPayload: AuthPayload = {
        ...payload,
        type: 'caip122',
        version: '1',
        resources: [...(payload.resources ?? []), ...recap],
      }
      // The first response to either request cancels the other.
      const other = new AbortController()
      const both = AbortSignal.any([pairing.signal, other.signal])
      const signIn = rpc
        .request({
          topic: pairing.topic,
          method: 'wc_sessionAuthenticate',
          params: {
            authPayload,
            requester: self(publicKey),
            expiryTimestamp: Math.floor(pairing.expiresAt / 1000),
          },
          responseTopic: answerOn,
          signal: both,
        })
        .then(async ({ result, sender }): Promise<AuthenticateResult> => {
          const { cacaos, responder } = parse(authenticateResponseSchema, result, 'answer')
          const senderKey = sender ? toHex(sender).slice(2) : ''
          if (senderKey !== responder.publicKey.toLowerCase())
            throw failure('session/invalid', { message: 'its sender is not the responder' })
          const namespaces = grantedBy(cacaos)
          if (!namespaces) return { cacaos }
          const key = await rpc.deriveSharedKey(privateKey, responder.publicKey)
          const topic = await rpc.subscribe(key)
          const session: Session = {
            topic,
            pairingTopic: pairing.topic,
            expiry: Math.floor(clock.now() / 1000) + sessionTtl,
            controller: false,
            namespaces,
            self: self(publicKey),
            peer: responder,
          }
          await sessions.store(session)
          return { cacaos, session }
        })
      const connect = proposeOver({ ...pairing, signal: both }, asking).then(
        (session): AuthenticateResult => ({ cacaos: [], session }),
      )
      const settled = firstOf(signIn, connect)
        .catch((error) => {
          throw pairing.signal.aborted ? pairing.signal.reason : error
        })
        .finally(async () => {
          other.abort(new LatchkeyError('request/aborted'))
          await Promise.all([pairing.done(), rpc.unsubscribe(answerOn)])
        })
      settled.catch(() => {})
      return { uri: pairing.uri, expiresAt: pairing.expiresAt, settled }
    },
  }
}

/**
 * Resolves with the first fulfilled promise. A rejection by the user rejects immediately. "Unsupported" is ignored unless both
 * reject, because a wallet may support only one of the two methods.
 */
function firstOf<T>(...all: readonly Promise<T>[]): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = all.length
    for (const one of all)
      one.then(resolve, (error: { code?: unknown }) => {
        left--
        if (left === 0 || error.code !== 10001) reject(error)
      })
  })
}

/** The namespaces that a sign-in grants: the methods of the ReCaps, on the chains of the CACAOs. */
function grantedBy(cacaos: readonly Cacao[]): GrantedNamespaces | undefined {
  const signers = cacaos.map(signerOf)
  const accounts = [...new Set(signers.map(({ chain, address }) => `${chain}:${address}`))]
  const methods = new Set<string>()
  for (const { p } of cacaos) for (const method of allowedBy(readRecap(p.resources ?? [])).methods) methods.add(method)
  if (methods.size === 0) return undefined
  return {
    eip155: {
      chains: [...new Set(signers.map(({ chain }) => chain))],
      accounts,
      methods: [...methods],
      events: ['chainChanged', 'accountsChanged'],
    },
  }
}
