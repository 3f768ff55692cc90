import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { parse } from '@latchkey/protocol/parseWithSchema'
import { createKeyPair } from '../crypto/keyPair.ts'
import { openAuthenticatedSession } from './authenticatedSession.ts'
import { readAuthenticateResponse } from './authenticateResponse.ts'
import { createAwaitedSettlements } from './awaitedSettlements.ts'
import { type AuthPayload, type Cacao, recapOf } from './cacao.ts'
import { openPairing, type Pairing } from './openPairing.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { type Metadata, type ProposedNamespaces, proposalResponseSchema, type Session } from './schemas.ts'
import type { Sessions } from './sessions.ts'

/** A pairing that is waiting for a wallet to respond. */
export interface PendingPairing<T> {
  /** The pairing URI. It is secret, so use it only in the QR code or in the link to the wallet. */
  readonly uri: string
  /** When the pairing expires, in epoch milliseconds. */
  readonly expiresAt: number
  /** Resolves to the wallet's response. Rejects with the wallet's `RpcError`, `pairing/expired` or `request/aborted`. */
  readonly settled: Promise<T>
}

/** The result of `authenticate`: the signed CACAOs, which have not been verified yet, and the session if there is one. */
export interface AuthenticateResult {
  /** The signed messages, one for each account and chain. Empty if the wallet connected without signing in. */
  readonly cacaos: readonly Cacao[]
  /** The session, or `undefined` if the wallet granted no method. */
  readonly session?: Session | undefined
}

/** Parameters for a proposal. The wallet can omit any of the requested namespaces. */
export interface ProposeParameters {
  /** The requested namespaces (CAIP-25). */
  readonly optionalNamespaces: ProposedNamespaces
  /** Properties that apply to the whole session (CAIP-25). [none] */
  readonly sessionProperties?: Readonly<Record<string, string>> | undefined
  /** Aborts the pairing, which then rejects with `request/aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** The dapp's side of the sign protocol. */
export interface Proposer {
  /**
   * Opens a pairing and proposes a session over it. Resolves once there is a URI to display. `settled` resolves to the session.
   */
  propose(params: ProposeParameters): Promise<PendingPairing<Session>>
  /**
   * Requests a connection and a sign-in together, on EVM chains only. A wallet that does not support sign-in can still connect.
   */
  authenticate(
    params: ProposeParameters & {
      readonly payload: Omit<AuthPayload, 'type' | 'version'>
      readonly methods: readonly string[]
    },
  ): Promise<PendingPairing<AuthenticateResult>>
}

/**
 * Creates a proposer (the dapp's role) that communicates over `rpc`.
 *
 * @example
 * const { uri, settled } = await createProposer(client.rpc, client.sessions).propose({
 *   optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] } },
 * })
 * showQrCode(uri)
 * const session = await settled
 */
export function createProposer(rpc: RpcEngine, sessions: Sessions): Proposer {
  const { crypto, metadata } = rpc
  const settlements = createAwaitedSettlements(rpc, sessions)
  rpc.handle('wc_pairingPing', async () => true)
  rpc.handle('wc_pairingDelete', async () => true)

  const self = (publicKey: string): { publicKey: string; metadata: Metadata } => ({ publicKey, metadata })

  /** Sends a proposal over an open pairing and waits for the wallet to settle the session. */
  const proposeOver = async (
    pairing: Pick<Pairing, 'topic' | 'expiresAt' | 'signal'>,
    { optionalNamespaces, sessionProperties }: ProposeParameters,
  ): Promise<Session> => {
    const { privateKey, publicKey } = await createKeyPair(crypto)
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
    return settlements.wait({ key, responderPublicKey, self: self(publicKey), pairing })
  }

  /** Returns a pending pairing that is closed once the wallet has responded. */
  const pendingPairing = <T>(
    pairing: Pairing,
    response: Promise<T>,
    close: () => Promise<unknown>,
  ): PendingPairing<T> => {
    const settled = response
      .catch((error) => {
        throw pairing.signal.aborted ? pairing.signal.reason : error
      })
      .finally(close)
    settled.catch(() => {})
    return { uri: pairing.uri, expiresAt: pairing.expiresAt, settled }
  }

  return {
    async propose(params) {
      const pairing = await openPairing(rpc, { methods: [], signal: params.signal })
      return pendingPairing(pairing, proposeOver(pairing, params), () => pairing.close())
    },

    async authenticate(params) {
      const { payload, methods, signal } = params
      const pairing = await openPairing(rpc, { methods: ['wc_sessionAuthenticate'], signal })
      const keys = await createKeyPair(crypto)
      const responseTopic = await rpc.subscribeToPublicKey(keys.privateKey)
      // The first response to either request cancels the other request.
      const other = new AbortController()
      const both = AbortSignal.any([pairing.signal, other.signal])
      const signIn = rpc
        .request({
          topic: pairing.topic,
          method: 'wc_sessionAuthenticate',
          params: {
            authPayload: withRecap(payload, methods),
            requester: self(keys.publicKey),
            expiryTimestamp: Math.floor(pairing.expiresAt / 1000),
          },
          responseTopic,
          signal: both,
        })
        .then(async (response): Promise<AuthenticateResult> => {
          const { cacaos, responder: peer } = readAuthenticateResponse(response)
          const { topic: pairingTopic } = pairing
          const session = await openAuthenticatedSession(rpc, sessions, {
            cacaos,
            pairingTopic,
            keys,
            peer,
            controller: false,
          })
          return session ? { cacaos, session } : { cacaos }
        })
      const connect = proposeOver({ ...pairing, signal: both }, params).then(
        (session): AuthenticateResult => ({ cacaos: [], session }),
      )
      return pendingPairing(pairing, firstOf(signIn, connect), () => {
        other.abort(new LatchkeyError('request/aborted'))
        return Promise.all([pairing.close(), rpc.unsubscribe(responseTopic)])
      })
    },
  }
}

/** Returns the payload for a sign-in request, with a ReCap that requests `methods`. */
function withRecap(payload: Omit<AuthPayload, 'type' | 'version'>, methods: readonly string[]): AuthPayload {
  const recap = methods.length > 0 ? [recapOf(methods, payload.chains)] : []
  return { ...payload, type: 'caip122', version: '1', resources: [...(payload.resources ?? []), ...recap] }
}

/**
 * Resolves to the result of the first request that succeeds. Rejects as soon as a request fails, unless the error is
 * "unsupported". That error is ignored until every request has failed, because a wallet may support only one of the methods.
 */
function firstOf<T>(...requests: readonly Promise<T>[]): Promise<T> {
  return new Promise((resolve, reject) => {
    let pending = requests.length
    for (const request of requests)
      request.then(resolve, (error: { code?: unknown }) => {
        pending--
        if (pending === 0 || error.code !== 10001) reject(error)
      })
  })
}
