import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import { type Delivery, fetchedSchema, maxBatch, type Publication, subscriptionSchema } from '@latchkey/protocol/relay'
import type { Primitives } from '../crypto/primitiveTypes.ts'
import { relayToken } from './relayAuthToken.ts'
import { createTransport, type RelayState, type Socket } from './relayTransport.ts'

/** The maximum number of messages per topic that are remembered for deduplication. */
const maxSeenMessages = 256

// The tags of requests that require the user's approval: proposals, requests and sign-ins (specification, services 4.11).
const attestedTags: ReadonlySet<number> = new Set([1100, 1108, 1116])

/** A relay client. After a reconnect, a message may be published again, but each received message is handled only once. */
export interface RelayClient {
  readonly state: RelayState
  /** The relay URL in use, or `undefined` if the client is not connected. */
  readonly address: string | undefined
  publish(publication: Publication, options?: { signal?: AbortSignal | undefined }): Promise<void>
  /** Subscribes to `topics`, and subscribes again after each reconnect. */
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topic: string): Promise<void>
  /**
   * Makes a pending reconnect attempt now, and checks an open connection. Call it when the device is online again or the page
   * visible.
   */
  reconnectNow(): void
  close(): void
}

/** Options for `createRelayClient`. */
export interface RelayClientOptions {
  readonly crypto: Primitives
  readonly clock: Clock
  /** The URLs of the relay network (`wss://…`), in order of preference. */
  readonly addresses: readonly [string, ...string[]]
  /** The project ID, if the relay requires one. */
  readonly projectId?: string | undefined
  /** The seed of the Ed25519 key that identifies this client. */
  readonly seed: Uint8Array
  /** The user agent for the relay's logs: `wc-2/js-…`. */
  readonly userAgent: string
  readonly connect?: ((url: string) => Socket) | undefined
  /** Requests an attestation that this page sent the message. Resolves to an empty string if none is available. */
  readonly attest?: ((publication: Publication) => Promise<string>) | undefined
  /** Handles a message. If the promise rejects, the relay keeps the message. */
  deliver(delivery: Delivery): Promise<void>
  onStateChange?: ((state: RelayState, error?: LatchkeyError) => void) | undefined
  /** Called after a reconnect, once stored messages have been handled. Requests that are still pending may have been lost. */
  onReconnected?: (() => void) | undefined
}

/** Creates a client for the relay at `addresses`. The client does not connect until the first call is made. */
export function createRelayClient(setup: RelayClientOptions): RelayClient {
  const { crypto, clock, deliver } = setup
  const topics = new Map<string, string | undefined>()
  const handled = new Map<string, Map<string, Promise<void>>>()
  let opens = 0

  const handle = async (delivery: Delivery): Promise<void> => {
    const { topic, message } = delivery
    if (!topics.has(topic)) return
    const seen = handled.get(topic) ?? new Map()
    handled.set(topic, seen)
    const id = toHex(await crypto.sha256(toUtf8(message)))
    const earlier = seen.get(id)
    if (earlier) return earlier
    const handling = deliver(delivery)
    seen.set(id, handling)
    handling.catch(() => seen.delete(id))
    if (seen.size > maxSeenMessages) seen.delete(seen.keys().next().value as string)
    return handling
  }

  const transport = createTransport({
    addresses: setup.addresses,
    async urlFor(address) {
      const url = new URL(address)
      url.searchParams.set('auth', await relayToken(crypto, { seed: setup.seed, audience: address, now: clock.now() }))
      if (setup.projectId) url.searchParams.set('projectId', setup.projectId)
      url.searchParams.set('ua', setup.userAgent)
      url.searchParams.set('useOnCloseEvent', 'true')
      return url.href
    },
    connect: setup.connect ?? ((url) => new WebSocket(url) as unknown as Socket),
    clock,
    // The ID is a timestamp with thirteen digits, followed by six random digits. It is a string because the number exceeds 2^53.
    nextId: () => `${clock.now()}${String(randomUint32(crypto) % 1_000_000).padStart(6, '0')}`,
    onOpen() {
      const isReconnect = opens > 0
      opens += 1
      listen([...topics.keys()]).then(
        () => isReconnect && setup.onReconnected?.(),
        () => {},
      )
    },
    async onRequest(method, params) {
      if (!/^(irn|iridium|waku)_subscription$/.test(method)) throw new TypeError('Unknown method')
      const subscription = read(subscriptionSchema, params)
      if (subscription) await handle(subscription.data)
      return true
    },
    ...(setup.onStateChange ? { onStateChange: setup.onStateChange } : {}),
  })

  /** Subscribes to topics and fetches the messages that the relay has stored for them. */
  const listen = async (all: readonly string[]): Promise<void> => {
    for (let from = 0; from < all.length; from += maxBatch) {
      const batch = all.slice(from, from + maxBatch)
      const ids = await transport.call('irn_batchSubscribe', { topics: batch })
      batch.forEach((topic, index) => {
        if (topics.has(topic)) topics.set(topic, Array.isArray(ids) ? String(ids[index]) : '')
      })
      for (let more = true; more; ) {
        // Relays that deliver stored messages on subscription may not support this method.
        const result = await transport.call('irn_batchFetchMessages', { topics: batch }).catch(() => undefined)
        const fetched = read(fetchedSchema, result)
        const receipts: { topic: string; messageId: string }[] = []
        for (const delivery of fetched?.messages ?? []) {
          const { topic, message } = delivery
          const isHandled = await handle(delivery).then(
            () => true,
            () => false,
          )
          if (isHandled) receipts.push({ topic, messageId: toHex(await crypto.sha256(toUtf8(message))).slice(2) })
        }
        if (receipts.length > 0) await transport.call('irn_batchReceive', { receipts }).catch(() => {})
        more = fetched?.hasMore === true && fetched.messages.length > 0
      }
    }
  }

  return {
    get state() {
      return transport.state
    },
    get address() {
      return transport.address
    },
    async publish(publication, options) {
      const attestation = attestedTags.has(publication.tag) ? await setup.attest?.(publication) : undefined
      await transport.call('irn_publish', attestation ? { ...publication, attestation } : publication, options)
    },
    async subscribe(added) {
      const fresh = added.filter((topic) => !topics.has(topic))
      if (fresh.length === 0) return
      for (const topic of fresh) topics.set(topic, undefined)
      // A connection that is not open yet subscribes to all topics when it opens. Subscribing twice is harmless.
      transport.open()
      await listen(fresh)
    },
    async unsubscribe(topic) {
      if (!topics.has(topic)) return
      const id = topics.get(topic)
      topics.delete(topic)
      handled.delete(topic)
      if (transport.state === 'open') await transport.call('irn_unsubscribe', { topic, id: id ?? '' }).catch(() => {})
    },
    reconnectNow: () => transport.reconnectNow(),
    close: () => transport.close(),
  }
}

function randomUint32(crypto: Primitives): number {
  return new DataView(crypto.random(4).buffer).getUint32(0)
}
