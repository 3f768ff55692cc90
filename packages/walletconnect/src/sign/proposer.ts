import { toHex } from '@latchkey/protocol/bytes'
import { pairingExpiryMs } from '@latchkey/protocol/constants'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { parse, read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { writeUri } from '../uri.ts'
import { type AuthPayload, allowedBy, type Cacao, cacaoSchema, readRecap, recapOf, signerOf } from './cacao.ts'
import { reasons } from './methods.ts'
import { shortfall } from './namespaces.ts'
import { later, type Peer } from './peer.ts'
import { refusal } from './refusal.ts'
import { type Sessions, sessionLife } from './sessions.ts'
import {
  type Granted,
  type Metadata,
  metadataSchema,
  type Proposed,
  proposedAnswerSchema,
  type Session,
  type Settlement,
  settlementSchema,
} from './shapes.ts'

/** A pairing that waits for a wallet. */
export interface Offer<T> {
  /** A secret: for the QR code or the wallet's link, and nothing else. */
  readonly uri: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Rejects with the wallet's refusal, with `pairing/expired`, or with `request/aborted`. */
  readonly answered: Promise<T>
}

/** What came of a sign-in: who signed, unchecked, and the session if the wallet opened one. */
export interface Authenticated {
  readonly cacaos: readonly Cacao[]
  readonly session?: Session | undefined
}

/** What a page asks of a wallet. All of it is optional for the wallet. */
export interface Asking {
  readonly optionalNamespaces: Proposed
  readonly sessionProperties?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The page's role. */
export interface Proposer {
  propose(asking: Asking): Promise<Offer<Session>>
  /** Asks to connect and sign in at once; a wallet that cannot may still connect. EVM chains only. */
  authenticate(
    asking: Asking & { readonly payload: Omit<AuthPayload, 'type' | 'version'>; readonly methods: readonly string[] },
  ): Promise<Offer<Authenticated>>
}

const answerSchema = v.object({
  cacaos: v.pipe(v.array(cacaoSchema), v.minLength(1), v.maxLength(100)),
  responder: v.object({
    publicKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
    metadata: metadataSchema,
  }),
})

/** The page's role over `peer`. */
export function createProposer(peer: Peer, sessions: Sessions): Proposer {
  const { crypto, clock, metadata } = peer
  /** Settlements that are waited for, by the topic of the session to come. */
  const settling = new Map<string, (settlement: Settlement, refuse: () => Promise<void>) => Promise<unknown>>()

  peer.handle('wc_sessionSettle', async ({ topic, id, params }) => {
    const settle = settling.get(topic)
    const settlement = read(settlementSchema, params)
    // The page was reloaded before its answer had left.
    if (settlement && sessions.get(topic)?.peer.publicKey === settlement.controller.publicKey) return true
    if (!settle || !settlement) throw refusal('invalidSettle')
    return settle(settlement, () =>
      peer.respond({ topic, id, method: 'wc_sessionSettle' }, { error: refusal('invalidSettle') }),
    )
  })
  peer.handle('wc_pairingPing', async () => true)
  peer.handle('wc_pairingDelete', async () => true)

  /** A new pairing, which lasts as long as its QR code. */
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
    const topic = await peer.join(symKey)
    return {
      topic,
      uri: writeUri({ topic, symKey, expiry: Math.floor(expiresAt / 1000), methods }),
      expiresAt,
      signal: ended.signal,
      async done() {
        cancel()
        signal?.removeEventListener('abort', abort)
        // Whoever is looking at the question need not answer it any more.
        if (signal?.aborted) await peer.tell(topic, 'wc_pairingDelete', reasons.userDisconnected).catch(() => {})
        await peer.leave(topic)
      },
    }
  }

  const self = (publicKey: string): { publicKey: string; metadata: Metadata } => ({ publicKey, metadata })

  /** Proposes over an open pairing, and waits until the wallet has settled. */
  const proposeOver = async (
    pairing: { topic: string; expiresAt: number; signal: AbortSignal },
    { optionalNamespaces, sessionProperties }: Asking,
  ): Promise<Session> => {
    const privateKey = crypto.random(32)
    const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
    const { result } = await peer.request({
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
    const { responderPublicKey } = parse(proposedAnswerSchema, result, 'answer')
    const key = await peer.agree(privateKey, responderPublicKey)
    const topic = await peer.topicOf(key)
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        settling.delete(topic)
        pairing.signal.removeEventListener('abort', abort)
        void peer.leave(topic)
        reject(error)
      }
      const abort = (): void => fail(pairing.signal.reason)
      settling.set(topic, async ({ namespaces, controller, expiry, sessionProperties: given }, refuse) => {
        const wrong =
          controller.publicKey.toLowerCase() === responderPublicKey.toLowerCase()
            ? shortfall(namespaces, {})
            : 'it was settled by somebody else'
        if (wrong) {
          // The wallet hears it before the key to say it with is gone.
          await refuse().catch(() => {})
          fail(failure('session/invalid', { message: wrong }))
          return later
        }
        settling.delete(topic)
        pairing.signal.removeEventListener('abort', abort)
        const session: Session = {
          topic,
          pairingTopic: pairing.topic,
          expiry: Math.min(expiry, Math.floor(clock.now() / 1000) + sessionLife),
          controller: false,
          namespaces,
          self: self(publicKey),
          peer: controller,
          sessionProperties: given,
        }
        await sessions.keep(session)
        resolve(session)
        return true
      })
      pairing.signal.addEventListener('abort', abort)
      peer.join(key, topic).catch(fail)
    })
  }

  return {
    async propose(asking) {
      const pairing = await pair([], asking.signal)
      const answered = proposeOver(pairing, asking)
        .catch((error) => {
          throw pairing.signal.aborted ? pairing.signal.reason : error
        })
        .finally(() => pairing.done())
      answered.catch(() => {})
      return { uri: pairing.uri, expiresAt: pairing.expiresAt, answered }
    },

    async authenticate(asking) {
      const { payload, methods, signal } = asking
      const pairing = await pair(['wc_sessionAuthenticate'], signal)
      const privateKey = crypto.random(32)
      const publicKey = toHex(await crypto.agreement.publicKey(privateKey)).slice(2)
      const answerOn = await peer.await(privateKey)
      const recap = methods.length > 0 ? [recapOf(methods, payload.chains)] : []
      const authPayload: AuthPayload = {
        ...payload,
        type: 'caip122',
        version: '1',
        resources: [...(payload.resources ?? []), ...recap],
      }
      // Whichever the wallet takes up first ends the other.
      const other = new AbortController()
      const both = AbortSignal.any([pairing.signal, other.signal])
      const signIn = peer
        .request({
          topic: pairing.topic,
          method: 'wc_sessionAuthenticate',
          params: {
            authPayload,
            requester: self(publicKey),
            expiryTimestamp: Math.floor(pairing.expiresAt / 1000),
          },
          answerOn,
          signal: both,
        })
        .then(async ({ result, sender }): Promise<Authenticated> => {
          const { cacaos, responder } = parse(answerSchema, result, 'answer')
          const senderKey = sender ? toHex(sender).slice(2) : ''
          if (senderKey !== responder.publicKey.toLowerCase())
            throw failure('session/invalid', { message: 'it was signed by somebody else' })
          const namespaces = grantedBy(cacaos)
          if (!namespaces) return { cacaos }
          const key = await peer.agree(privateKey, responder.publicKey)
          const topic = await peer.join(key)
          const session: Session = {
            topic,
            pairingTopic: pairing.topic,
            expiry: Math.floor(clock.now() / 1000) + sessionLife,
            controller: false,
            namespaces,
            self: self(publicKey),
            peer: responder,
          }
          await sessions.keep(session)
          return { cacaos, session }
        })
      const connect = proposeOver({ ...pairing, signal: both }, asking).then(
        (session): Authenticated => ({ cacaos: [], session }),
      )
      const answered = firstOf(signIn, connect)
        .catch((error) => {
          throw pairing.signal.aborted ? pairing.signal.reason : error
        })
        .finally(async () => {
          other.abort(new LatchkeyError('request/aborted'))
          await Promise.all([pairing.done(), peer.leave(answerOn)])
        })
      answered.catch(() => {})
      return { uri: pairing.uri, expiresAt: pairing.expiresAt, answered }
    },
  }
}

/**
 * The first that is fulfilled. A refusal of either ends both: the visitor has said no. A wallet that knows only one of the
 * two says so by "unsupported", which decides nothing.
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

/** The namespaces that signed sign-ins open: the methods of their ReCaps, on the chains that were signed for. */
function grantedBy(cacaos: readonly Cacao[]): Granted | undefined {
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
