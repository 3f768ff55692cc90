import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError } from '@latchkey/protocol/errors'
import type { Delivery, Publication } from '@latchkey/protocol/relay'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { Primitives } from '../crypto/primitives.ts'
import { openEnvelope, readEnvelope, seal } from '../envelope.ts'
import type { Records } from '../records.ts'
import type { Relay } from '../relay/relay.ts'
import { isMethod, type Method, methods, reasons, type Travel } from './methods.ts'
import { Refusal } from './refusal.ts'
import { type Metadata, reasonSchema } from './shapes.ts'

/** How many requests of a topic are remembered, so that none is answered twice, also after a reload. */
const remembered = 200

/** What came with a message about the page that sent it, unchecked: for a verifier (`@latchkey/walletconnect/verify`). */
export interface Attested {
  /** A JWT of a verify service. */
  readonly attestation: string
  /** The SHA-256 of the message, sealed as it was, in hex. */
  readonly messageId: string
}

/** One request of the other side. */
export interface PeerRequest {
  readonly id: number
  readonly topic: string
  readonly params: unknown
  /** Who sealed it, when that came along: an X25519 public key. */
  readonly sender?: Uint8Array | undefined
  readonly attested?: Attested | undefined
}

/** What a handler gives when the answer comes later, from a person. */
export const later: unique symbol = Symbol('later')

/** Encrypted JSON-RPC with other peers, by topic. */
export interface Peer {
  readonly crypto: Primitives
  readonly clock: Clock
  readonly records: Records
  readonly relay: Relay
  readonly metadata: Metadata
  /** Takes messages on the topic of `key`, from now on and after a reload; the answer is that topic. */
  join(key: Uint8Array, topic?: string): Promise<string>
  /** Takes messages on the topic of our own public key, from whoever seals to it. */
  await(privateKey: Uint8Array): Promise<string>
  /** Forgets a topic with its key. */
  leave(topic: string): Promise<void>
  /** The topic that a key stands for, and the key that two peers share. */
  topicOf(key: Uint8Array): Promise<string>
  agree(privateKey: Uint8Array, publicKey: string): Promise<Uint8Array>
  request(asked: {
    topic: string
    method: Method
    params: unknown
    /** Seconds. */
    life?: number | undefined
    answerOn?: string | undefined
    signal?: AbortSignal | undefined
    /** The relay has it, under this id. */
    sent?: ((id: number) => void) | undefined
  }): Promise<PeerAnswer>
  /** Says something that the other side need not answer; resolves when the relay has it. */
  tell(topic: string, method: Method, params: unknown): Promise<void>
  handle(method: Method, handler: (request: PeerRequest) => Promise<unknown>): void
  respond(
    to: { topic: string; id: number; method: Method },
    answer: { readonly result: unknown } | { readonly error: Refusal },
    seal?: { key: Uint8Array; sender: Uint8Array },
  ): Promise<void>
}

/** What the other side answered, and who sealed it. */
export interface PeerAnswer {
  readonly result: unknown
  readonly sender?: Uint8Array | undefined
}

interface Pending {
  readonly topic: string
  readonly method: Method
  /** What the relay has had of it. */
  published?: Publication
  settle(error: Error | undefined, answer?: PeerAnswer): void
}

const bodySchema = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
})

/** The part of an envelope that no other one has: its random bytes are in it, also behind a sender's key. */
const beginning = (message: string): string => message.slice(0, 64)

/** A peer over `relay`. `start` brings back the keys of earlier pages, whose messages are taken again. */
export function createPeer(setup: {
  crypto: Primitives
  clock: Clock
  records: Records
  metadata: Metadata
  /** `refused` says that no answer can come any more, and why; `reopened`, that the relay may have forgotten what it had. */
  relay: (
    deliver: (delivery: Delivery) => Promise<void>,
    refused: (error: Error) => void,
    reopened: () => void,
  ) => Relay
}): Peer & { start(): Promise<readonly string[]> } {
  const { crypto, clock, records, metadata } = setup
  const keys = new Map<string, Uint8Array>()
  /** Our private keys, by the topic on which strangers write to them. */
  const awaited = new Map<string, Uint8Array>()
  const pending = new Map<number, Pending>()
  const handlers = new Map<Method, (request: PeerRequest) => Promise<unknown>>()
  /** Requests that are being handled, and those that were, by topic. */
  const busy = new Set<string>()
  const handled = new Map<string, number[]>()
  let lastId = 0
  /** How envelopes of our own begin: one key serves both directions, and a relay may hand them back. */
  const own = new Set<string>()

  const topicOf = async (key: Uint8Array): Promise<string> => toHex(await crypto.sha256(key)).slice(2)

  const agree = async (privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array> =>
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
    own.add(beginning(message))
    for (const oldest of own) if (own.size > remembered) own.delete(oldest)
    const publication = { topic, message, ttl, tag, ...(prompt ? { prompt } : {}) }
    await relay.publish(publication, { signal: options.signal })
    return publication
  }

  const respond: Peer['respond'] = async ({ topic, id, method }, answer, sealed) => {
    const travel: Travel = methods[method]
    const tag = 'error' in answer ? (travel.refusal ?? travel.answer.tag) : travel.answer.tag
    const body =
      'error' in answer
        ? { id, error: { code: answer.error.code, message: answer.error.message, data: answer.error.data } }
        : { id, result: answer.result }
    await publish(topic, body, { tag, ttl: travel.answer.ttl }, { seal: sealed })
  }

  const opened = async ({
    topic,
    message,
  }: Delivery): Promise<{ text: string; sender?: Uint8Array | undefined } | undefined> => {
    const envelope = readEnvelope(message)
    if (!envelope) return undefined
    const mine = awaited.get(topic)
    const { sender } = envelope
    // On the topic of our public key the sender's key comes along; on any other it would be a key of a stranger's choice.
    const key = mine && sender ? await agree(mine, sender).catch(() => undefined) : sender ? undefined : keys.get(topic)
    const text = key && (await openEnvelope(crypto, { envelope, key }))
    return text === undefined ? undefined : { text, sender }
  }

  const handledBefore = async (topic: string): Promise<number[]> => {
    const kept = handled.get(topic) ?? [...(read(v.array(v.number()), await records.get(`handled:${topic}`)) ?? [])]
    const ids = handled.get(topic) ?? kept
    if (keys.has(topic)) handled.set(topic, ids)
    return ids
  }

  /** From now on this request of `topic` is not handled again, also after a reload. */
  const done = async (topic: string, id: number): Promise<void> => {
    const ids = await handledBefore(topic)
    ids.push(id)
    ids.splice(0, ids.length - remembered)
    if (keys.has(topic)) await records.set(`handled:${topic}`, ids)
  }

  const deliver = async (delivery: Delivery): Promise<void> => {
    const { topic } = delivery
    if (own.has(beginning(delivery.message))) return
    const found = await opened(delivery)
    if (!found) return
    let value: unknown
    try {
      value = JSON.parse(found.text)
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
      waiting.settle(error ? new Refusal(error) : undefined, { result: body.result, sender: found.sender })
      return
    }
    const mark = `${topic}:${id}`
    if (busy.has(mark) || (await handledBefore(topic)).includes(id)) return
    busy.add(mark)
    try {
      const { attestation, message } = delivery
      const attested = attestation
        ? { attestation, messageId: toHex(await crypto.sha256(toUtf8(message))).slice(2) }
        : undefined
      await answer({ id, topic, params, sender: found.sender, attested }, method)
      await done(topic, id)
    } finally {
      busy.delete(mark)
    }
  }

  /** Handles a request. Rejects while its answer has not left: the relay keeps the request, and gives it to the page's next life. */
  const answer = async (request: PeerRequest, method: string): Promise<void> => {
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
      if (!(error instanceof Refusal)) throw error
      if (keys.has(topic)) await respond({ topic, id, method }, { error })
      return
    }
    if (result !== later && keys.has(topic)) await respond({ topic, id, method }, { result })
  }

  const relay = setup.relay(
    deliver,
    (error) => {
      for (const one of [...pending.values()]) one.settle(error)
    },
    () => {
      // The very same envelopes: whoever has had them knows them.
      for (const { published } of pending.values()) if (published) void relay.publish(published).catch(() => {})
    },
  )

  return {
    crypto,
    clock,
    records,
    relay,
    metadata,
    topicOf,
    agree: (privateKey, publicKey) =>
      agree(
        privateKey,
        Uint8Array.from(publicKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
      ),
    respond,
    async start() {
      for (const [name, key] of await records.list('key:'))
        if (key instanceof Uint8Array && key.length === 32) keys.set(name.slice('key:'.length), key)
      return [...keys.keys()]
    },
    async join(key, given) {
      const topic = given ?? (await topicOf(key))
      keys.set(topic, key)
      await records.set(`key:${topic}`, key)
      await relay.subscribe([topic])
      return topic
    },
    async await(privateKey) {
      const topic = await topicOf(await crypto.agreement.publicKey(privateKey))
      awaited.set(topic, privateKey)
      await relay.subscribe([topic])
      return topic
    },
    async leave(topic) {
      keys.delete(topic)
      awaited.delete(topic)
      handled.delete(topic)
      for (const one of [...pending.values()]) if (one.topic === topic) one.settle(new LatchkeyError('request/aborted'))
      await Promise.all([records.remove(`key:${topic}`), records.remove(`handled:${topic}`), relay.unsubscribe(topic)])
    },
    async tell(topic, method, params) {
      await publish(topic, { id: nextId(), method, params }, methods[method])
    },
    handle(method, handler) {
      handlers.set(method, handler)
    },
    request({ topic, method, params, life, answerOn, signal, sent }) {
      const travel: Travel = methods[method]
      const id = nextId()
      const ttl = Math.max(life ?? 0, travel.ttl)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new LatchkeyError('request/aborted'))
        const afterMs = ttl * 1000
        const cancel = clock.after(afterMs, () =>
          waiting.settle(new LatchkeyError('request/timeout', { request: method, afterMs })),
        )
        const abort = (): void => waiting.settle(new LatchkeyError('request/aborted'))
        const waiting: Pending = {
          topic: answerOn ?? topic,
          method,
          settle(error, answer) {
            if (!pending.delete(id)) return
            cancel()
            signal?.removeEventListener('abort', abort)
            if (error) reject(error)
            else resolve(answer as PeerAnswer)
          },
        }
        pending.set(id, waiting)
        signal?.addEventListener('abort', abort)
        const { tag, prompt } = travel
        publish(topic, { id, method, params }, { tag, ttl, ...(prompt ? { prompt } : {}) }, { signal }).then(
          (published) => {
            waiting.published = published
            sent?.(id)
          },
          (error) => waiting.settle(error),
        )
      })
    },
  }
}
