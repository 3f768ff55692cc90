import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError } from '@latchkey/protocol/errors'
import type { Delivery, Publication } from '@latchkey/protocol/relay'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { Primitives } from '../crypto/primitives.ts'
import { openEnvelope, readEnvelope, seal } from '../envelope.ts'
import type { RelayClient } from '../relay/relayClient.ts'
import type { KeyValueStorage } from '../storage.ts'
import { isMethod, type Method, methods, type PublishOptions, reasons } from './methods.ts'
import { RpcError } from './rpcError.ts'
import { type Metadata, reasonSchema } from './schemas.ts'

/** Maximum number of remembered request IDs per topic, so that no request is handled twice, even after a reload. */
const maxHandledIds = 200

/** An unverified attestation of the page that sent a message, for a verifier (`@latchkey/walletconnect/verify`). */
export interface MessageAttestation {
  /** A JWT of a verify service. */
  readonly attestation: string
  /** The SHA-256 of the encrypted message, in hex. */
  readonly messageId: string
}

/** A request from the other peer. */
export interface RpcRequest {
  readonly id: number
  readonly topic: string
  readonly params: unknown
  /** The sender of a type 1 envelope: an X25519 public key. */
  readonly sender?: Uint8Array | undefined
  readonly attested?: MessageAttestation | undefined
}

/** Returned by a handler whose response is sent later, after the user has responded. */
export const deferred: unique symbol = Symbol('deferred')

/** Encrypted JSON-RPC with other peers, addressed by topic. */
export interface RpcEngine {
  readonly crypto: Primitives
  readonly clock: Clock
  readonly storage: KeyValueStorage
  readonly relay: RelayClient
  readonly metadata: Metadata
  /** Receives messages on the topic of `key`, also after a reload. Resolves to that topic. */
  subscribe(key: Uint8Array, topic?: string): Promise<string>
  /** Receives messages encrypted to our own public key, on the topic of that key. */
  subscribeToPublicKey(privateKey: Uint8Array): Promise<string>
  /** Unsubscribes from a topic and deletes its key. */
  unsubscribe(topic: string): Promise<void>
  /** The topic of a key: its SHA-256, in hex. */
  topicOf(key: Uint8Array): Promise<string>
  deriveSharedKey(privateKey: Uint8Array, publicKey: string): Promise<Uint8Array>
  request(params: {
    topic: string
    method: Method
    params: unknown
    /** Seconds. */
    ttl?: number | undefined
    responseTopic?: string | undefined
    signal?: AbortSignal | undefined
    /** Called with the request ID when the relay has accepted the request. */
    onPublished?: ((id: number) => void) | undefined
  }): Promise<RpcResponse>
  /** Sends a request without waiting for its response. Resolves when the relay has accepted it. */
  notify(topic: string, method: Method, params: unknown): Promise<void>
  handle(method: Method, handler: (request: RpcRequest) => Promise<unknown>): void
  respond(
    to: { topic: string; id: number; method: Method },
    answer: { readonly result: unknown } | { readonly error: RpcError },
    seal?: { key: Uint8Array; sender: Uint8Array },
  ): Promise<void>
}

/** The result of a request, and the sender of its envelope. */
export interface RpcResponse {
  readonly result: unknown
  readonly sender?: Uint8Array | undefined
}

interface Pending {
  readonly topic: string
  readonly method: Method
  /** The accepted publication, which is repeated after a reconnect. */
  published?: Publication
  settle(error: Error | undefined, answer?: RpcResponse): void
}

const bodySchema = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
})

/** A prefix that identifies an envelope: it includes random bytes even if a sender's key precedes them. */
const envelopePrefix = (message: string): string => message.slice(0, 64)

/** Creates an RPC engine over `relay`. `start` restores the stored keys and resolves to their topics. */
export function createRpcEngine(setup: {
  crypto: Primitives
  clock: Clock
  storage: KeyValueStorage
  metadata: Metadata
  /** `refused` is called if no responses can arrive anymore, and `reopened` if the relay may have lost messages. */
  relay: (
    deliver: (delivery: Delivery) => Promise<void>,
    refused: (error: Error) => void,
    reopened: () => void,
  ) => RelayClient
}): RpcEngine & { start(): Promise<readonly string[]> } {
  const { crypto, clock, storage, metadata } = setup
  const keys = new Map<string, Uint8Array>()
  /** Our private keys, by the topic on which unknown peers can reach us. */
  const ownPrivateKeys = new Map<string, Uint8Array>()
  const pending = new Map<number, Pending>()
  const handlers = new Map<Method, (request: RpcRequest) => Promise<unknown>>()
  /** Requests being handled (`busy`) and already handled (`handled`). */
  const busy = new Set<string>()
  const handled = new Map<string, number[]>()
  let lastId = 0
  /** Prefixes of our own envelopes. Both directions share a key, so a relay could replay our messages to us. */
  const own = new Set<string>()

  const topicOf = async (key: Uint8Array): Promise<string> => toHex(await crypto.sha256(key)).slice(2)

  const deriveSharedKey = async (privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array> =>
    crypto.hkdf(await crypto.agreement.shared(privateKey, publicKey))

  const nextId = (): number => {
    const chance = new DataView(crypto.random(2).buffer).getUint16(0) % 1000
    lastId = Math.max(clock.now() * 1000 + chance, lastId + 1)
    return lastId
  }

  const publish = async (
    topic: string,
    body: object,
    { tag, ttl, prompt }: { tag: number; ttl: number; prompt?: true },
    options: { signal?: AbortSignal | undefined; seal?: { key: Uint8Array; sender: Uint8Array } | undefined } = {},
  ): Promise<Publication> => {
    const key = options.seal?.key ?? keys.get(topic)
    if (!key) throw new LatchkeyError('request/aborted')
    const text = JSON.stringify({ jsonrpc: '2.0', ...body })
    const message = await seal(crypto, { key, text, sender: options.seal?.sender })
    own.add(envelopePrefix(message))
    for (const oldest of own) if (own.size > maxHandledIds) own.delete(oldest)
    const publication = { topic, message, ttl, tag, ...(prompt ? { prompt } : {}) }
    await relay.publish(publication, { signal: options.signal })
    return publication
  }

  const respond: RpcEngine['respond'] = async ({ topic, id, method }, answer, sealed) => {
    const publishOptions: PublishOptions = methods[method]
    const tag =
      'error' in answer ? (publishOptions.errorTag ?? publishOptions.response.tag) : publishOptions.response.tag
    const body =
      'error' in answer
        ? { id, error: { code: answer.error.code, message: answer.error.message, data: answer.error.data } }
        : { id, result: answer.result }
    await publish(topic, body, { tag, ttl: publishOptions.response.ttl }, { seal: sealed })
  }

  const decrypt = async ({
    topic,
    message,
  }: Delivery): Promise<{ text: string; sender?: Uint8Array | undefined } | undefined> => {
    const envelope = readEnvelope(message)
    if (!envelope) return undefined
    const privateKey = ownPrivateKeys.get(topic)
    const { sender } = envelope
    // On the topic of our public key, the key is derived from the sender's key. On other topics, a sender could choose the key.
    const key =
      privateKey && sender
        ? await deriveSharedKey(privateKey, sender).catch(() => undefined)
        : sender
          ? undefined
          : keys.get(topic)
    const text = key && (await openEnvelope(crypto, { envelope, key }))
    return text === undefined ? undefined : { text, sender }
  }

  const handledIds = async (topic: string): Promise<number[]> => {
    const stored = handled.get(topic) ?? [...(read(v.array(v.number()), await storage.get(`handled:${topic}`)) ?? [])]
    const ids = handled.get(topic) ?? stored
    if (keys.has(topic)) handled.set(topic, ids)
    return ids
  }

  /** Marks a request as handled, so that it is not handled again, even after a reload. */
  const markHandled = async (topic: string, id: number): Promise<void> => {
    const ids = await handledIds(topic)
    ids.push(id)
    ids.splice(0, ids.length - maxHandledIds)
    if (keys.has(topic)) await storage.set(`handled:${topic}`, ids)
  }

  const deliver = async (delivery: Delivery): Promise<void> => {
    const { topic } = delivery
    if (own.has(envelopePrefix(delivery.message))) return
    const opened = await decrypt(delivery)
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
    if (method === undefined) {
      const waiting = pending.get(id)
      if (!waiting || waiting.topic !== topic) return
      const error = body.error ? (read(reasonSchema, body.error) ?? { code: 0, message: '' }) : undefined
      waiting.settle(error ? new RpcError(error) : undefined, { result: body.result, sender: opened.sender })
      return
    }
    const requestKey = `${topic}:${id}`
    if (busy.has(requestKey) || (await handledIds(topic)).includes(id)) return
    busy.add(requestKey)
    try {
      const { attestation, message } = delivery
      const attested = attestation
        ? { attestation, messageId: toHex(await crypto.sha256(toUtf8(message))).slice(2) }
        : undefined
      await answer({ id, topic, params, sender: opened.sender, attested }, method)
      await markHandled(topic, id)
    } finally {
      busy.delete(requestKey)
    }
  }

  /** Handles a request. Rejects if the response could not be sent, so that the relay keeps the request for the next page load. */
  const answer = async (request: RpcRequest, method: string): Promise<void> => {
    const { id, topic } = request
    const handler = isMethod(method) ? handlers.get(method) : undefined
    if (!handler || !isMethod(method)) {
      const error = { id, error: reasons.unsupported }
      if (keys.has(topic)) await publish(topic, error, { tag: 0, ttl: 86_400 })
      return
    }
    let result: unknown
    try {
      result = await handler(request)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (keys.has(topic)) await respond({ topic, id, method }, { error })
      return
    }
    if (result !== deferred && keys.has(topic)) await respond({ topic, id, method }, { result })
  }

  const relay = setup.relay(
    deliver,
    (error) => {
      for (const entry of [...pending.values()]) entry.settle(error)
    },
    () => {
      // Repeat identical envelopes, so that a peer that has received them ignores the duplicates.
      for (const { published } of pending.values()) if (published) void relay.publish(published).catch(() => {})
    },
  )

  return {
    crypto,
    clock,
    storage,
    relay,
    metadata,
    topicOf,
    deriveSharedKey: (privateKey, publicKey) =>
      deriveSharedKey(
        privateKey,
        Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
      ),
    respond,
    async start() {
      for (const [name, key] of await storage.list('key:'))
        if (key instanceof Uint8Array && key.length === 32) keys.set(name.slice('key:'.length), key)
      return [...keys.keys()]
    },
    async subscribe(key, customTopic) {
      const topic = customTopic ?? (await topicOf(key))
      keys.set(topic, key)
      await storage.set(`key:${topic}`, key)
      await relay.subscribe([topic])
      return topic
    },
    async subscribeToPublicKey(privateKey) {
      const topic = await topicOf(await crypto.agreement.publicKey(privateKey))
      ownPrivateKeys.set(topic, privateKey)
      await relay.subscribe([topic])
      return topic
    },
    async unsubscribe(topic) {
      keys.delete(topic)
      ownPrivateKeys.delete(topic)
      handled.delete(topic)
      for (const entry of [...pending.values()])
        if (entry.topic === topic) entry.settle(new LatchkeyError('request/aborted'))
      await Promise.all([storage.remove(`key:${topic}`), storage.remove(`handled:${topic}`), relay.unsubscribe(topic)])
    },
    async notify(topic, method, params) {
      await publish(topic, { id: nextId(), method, params }, methods[method])
    },
    handle(method, handler) {
      handlers.set(method, handler)
    },
    request({ topic, method, params, ttl: minTtl, responseTopic, signal, onPublished }) {
      const publishOptions: PublishOptions = methods[method]
      const id = nextId()
      const ttl = Math.max(minTtl ?? 0, publishOptions.ttl)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new LatchkeyError('request/aborted'))
        const afterMs = ttl * 1000
        const cancel = clock.after(afterMs, () =>
          waiting.settle(new LatchkeyError('request/timeout', { request: method, afterMs })),
        )
        const abort = (): void => waiting.settle(new LatchkeyError('request/aborted'))
        const waiting: Pending = {
          topic: responseTopic ?? topic,
          method,
          settle(error, answer) {
            if (!pending.delete(id)) return
            cancel()
            signal?.removeEventListener('abort', abort)
            if (error) reject(error)
            else resolve(answer as RpcResponse)
          },
        }
        pending.set(id, waiting)
        signal?.addEventListener('abort', abort)
        const { tag, prompt } = publishOptions
        publish(topic, { id, method, params }, { tag, ttl, ...(prompt ? { prompt } : {}) }, { signal }).then(
          (published) => {
            waiting.published = published
            onPublished?.(id)
          },
          (error) => waiting.settle(error),
        )
      })
    },
  }
}
