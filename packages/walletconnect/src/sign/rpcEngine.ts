import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { Delivery, Publication } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import { formatKey, parseKey } from '../crypto/keyPair.ts'
import type { Primitives } from '../crypto/primitiveTypes.ts'
import type { RelayClient } from '../relay/relayClient.ts'
import type { KeyValueStorage } from '../storage.ts'
import { createKeychain, deriveSharedKey, type EnvelopeSeal, topicOf } from './keychain.ts'
import { isMethod, type Method, methods, type PublishOptions, reasons } from './protocolMethods.ts'
import { createRequestHistory } from './requestHistory.ts'
import { requestIds } from './requestId.ts'
import { RpcError } from './rpcError.ts'
import { type Metadata, reasonSchema } from './schemas.ts'
import { createSentRequests, type RpcResponse } from './sentRequests.ts'

/** An attestation of the page that sent a message. A verifier (`@latchkey/walletconnect/verify`) must check it. */
export interface MessageAttestation {
  /** A JWT from a verify service. */
  readonly attestation: string
  /** The SHA-256 hash of the encrypted message, in hex. */
  readonly messageId: string
}

/** A request from the other peer. */
export interface RpcRequest {
  readonly id: number
  readonly topic: string
  readonly params: unknown
  /** The sender's X25519 public key, if the request was sent in a type 1 envelope. */
  readonly sender?: Uint8Array | undefined
  readonly attested?: MessageAttestation | undefined
}

/** The value that a handler returns if its response is sent separately, for example once the user has responded. */
export const deferred: unique symbol = Symbol('deferred')

/** An engine for encrypted JSON-RPC with other peers. Messages are addressed by topic. */
export interface RpcEngine {
  readonly crypto: Primitives
  readonly clock: Clock
  readonly storage: KeyValueStorage
  readonly relay: RelayClient
  readonly metadata: Metadata
  /** Subscribes to the topic of `key` and stores the key, which is restored after a reload. Resolves to the topic. */
  subscribe(key: Uint8Array, topic?: string): Promise<string>
  /** Subscribes to messages that are encrypted for the public key of `privateKey`. Resolves to the topic of the public key. */
  subscribeToPublicKey(privateKey: Uint8Array): Promise<string>
  /** Unsubscribes from a topic and deletes its key. */
  unsubscribe(topic: string): Promise<void>
  /** Resolves to the topic of a key, which is the SHA-256 hash of the key in hex. */
  topicOf(key: Uint8Array): Promise<string>
  deriveSharedKey(privateKey: Uint8Array, publicKey: string): Promise<Uint8Array>
  request(params: {
    topic: string
    method: Method
    params: unknown
    /** The minimum TTL of the request, in seconds. */
    ttl?: number | undefined
    responseTopic?: string | undefined
    signal?: AbortSignal | undefined
    /** Called with the request ID when the relay has accepted the request. */
    onPublished?: ((id: number) => void) | undefined
  }): Promise<RpcResponse>
  /** Sends a request without waiting for its response. Resolves when the relay has accepted the request. */
  notify(topic: string, method: Method, params: unknown): Promise<void>
  handle(method: Method, handler: (request: RpcRequest) => Promise<unknown>): void
  respond(
    to: { topic: string; id: number; method: Method },
    response: { readonly result: unknown } | { readonly error: RpcError },
    sealing?: EnvelopeSeal,
  ): Promise<void>
}

const bodySchema = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
})

/** Returns a message's attestation, and the hash of the message that the attestation must match. */
async function attestationOf(crypto: Primitives, delivery: Delivery): Promise<MessageAttestation | undefined> {
  const { attestation, message } = delivery
  return attestation ? { attestation, messageId: formatKey(await crypto.sha256(toUtf8(message))) } : undefined
}

/** Creates an RPC engine that communicates over `relay`. `start` restores the stored keys and resolves to their topics. */
export function createRpcEngine(setup: {
  crypto: Primitives
  clock: Clock
  storage: KeyValueStorage
  metadata: Metadata
  /**
   * Creates the relay client. The client calls `refused` if no more responses can arrive, and `reopened` if the relay may have
   * lost messages.
   */
  relay: (
    deliver: (delivery: Delivery) => Promise<void>,
    refused: (error: Error) => void,
    reopened: () => void,
  ) => RelayClient
}): RpcEngine & { start(): Promise<readonly string[]> } {
  const { crypto, clock, storage, metadata } = setup
  const keychain = createKeychain(crypto, storage)
  const history = createRequestHistory(storage, keychain.has)
  const pending = createSentRequests(clock)
  const nextId = requestIds(crypto, clock)
  const handlers = new Map<Method, (request: RpcRequest) => Promise<unknown>>()

  const publish = async (
    topic: string,
    body: object,
    { tag, ttl, prompt }: { tag: number; ttl: number; prompt?: true },
    options: { signal?: AbortSignal | undefined; sealing?: EnvelopeSeal | undefined } = {},
  ): Promise<Publication> => {
    const message = await keychain.encrypt(topic, JSON.stringify({ jsonrpc: '2.0', ...body }), options.sealing)
    const publication = { topic, message, ttl, tag, ...(prompt ? { prompt } : {}) }
    await relay.publish(publication, { signal: options.signal })
    return publication
  }

  const respond: RpcEngine['respond'] = async ({ topic, id, method }, response, sealing) => {
    const { response: success, errorTag = success.tag }: PublishOptions = methods[method]
    if ('error' in response) {
      const { code, message, data } = response.error
      const body = { id, error: { code, message, data } }
      await publish(topic, body, { tag: errorTag, ttl: success.ttl }, { sealing })
    } else await publish(topic, { id, result: response.result }, success, { sealing })
  }

  const deliver = async (delivery: Delivery): Promise<void> => {
    const { topic } = delivery
    const opened = await keychain.decrypt(delivery)
    if (!opened) return
    let value: unknown
    try {
      value = JSON.parse(opened.text)
    } catch {
      return
    }
    const body = read(bodySchema, value)
    if (!body) return
    const { id, method, params } = body
    const { sender } = opened
    if (method === undefined) {
      const error = body.error ? (read(reasonSchema, body.error) ?? { code: 0, message: '' }) : undefined
      pending.settle(id, topic, error ? new RpcError(error) : { result: body.result, sender })
      return
    }
    await history.handleOnce(topic, id, async () => {
      const attested = await attestationOf(crypto, delivery)
      await handleRequest({ id, topic, params, sender, attested }, method)
    })
  }

  /** Handles a request. Rejects if the response could not be sent, so that the relay keeps the request for the next page load. */
  const handleRequest = async (request: RpcRequest, method: string): Promise<void> => {
    const { id, topic } = request
    const handler = isMethod(method) ? handlers.get(method) : undefined
    if (!handler || !isMethod(method)) {
      const error = { id, error: reasons.unsupported }
      if (keychain.has(topic)) await publish(topic, error, { tag: 0, ttl: 86_400 })
      return
    }
    let result: unknown
    try {
      result = await handler(request)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (keychain.has(topic)) await respond({ topic, id, method }, { error })
      return
    }
    if (result !== deferred && keychain.has(topic)) await respond({ topic, id, method }, { result })
  }

  const relay = setup.relay(
    deliver,
    (error) => pending.rejectAll(error),
    () => {
      // Publish identical envelopes again, so that a peer that has already received them ignores the duplicates.
      for (const publication of pending.publications()) void relay.publish(publication).catch(() => {})
    },
  )

  return {
    crypto,
    clock,
    storage,
    relay,
    metadata,
    topicOf: (key) => topicOf(crypto, key),
    deriveSharedKey: (privateKey, publicKey) => deriveSharedKey(crypto, privateKey, parseKey(publicKey)),
    respond,
    start: () => keychain.restore(),
    async subscribe(key, customTopic) {
      const topic = customTopic ?? (await topicOf(crypto, key))
      await keychain.add(topic, key)
      await relay.subscribe([topic])
      return topic
    },
    async subscribeToPublicKey(privateKey) {
      const topic = await topicOf(crypto, await crypto.agreement.publicKey(privateKey))
      keychain.addPrivateKey(topic, privateKey)
      await relay.subscribe([topic])
      return topic
    },
    async unsubscribe(topic) {
      pending.rejectAll(new LatchkeyError('request/aborted'), topic)
      await Promise.all([keychain.remove(topic), history.remove(topic), relay.unsubscribe(topic)])
    },
    async notify(topic, method, params) {
      await publish(topic, { id: nextId(), method, params }, methods[method])
    },
    handle(method, handler) {
      handlers.set(method, handler)
    },
    async request({ topic, method, params, ttl: minTtl, responseTopic, signal, onPublished }) {
      const { tag, ttl: defaultTtl, prompt }: PublishOptions = methods[method]
      const id = nextId()
      const ttl = Math.max(minTtl ?? 0, defaultTtl)
      if (signal?.aborted) throw new LatchkeyError('request/aborted')
      const entry = pending.add(id, { topic: responseTopic ?? topic, method, timeoutMs: ttl * 1000, signal })
      publish(topic, { id, method, params }, { tag, ttl, ...(prompt ? { prompt } : {}) }, { signal }).then(
        (publication) => {
          entry.published(publication)
          onPublished?.(id)
        },
        entry.reject,
      )
      return entry.response
    },
  }
}
