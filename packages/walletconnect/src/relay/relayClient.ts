import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import { type Delivery, fetchedSchema, maxBatch, type Publication, subscriptionSchema } from '@latchkey/protocol/relay'
import { read } from '@latchkey/protocol/schemas'
import type { Primitives } from '../crypto/primitives.ts'
import { relayToken } from './relayAuthToken.ts'
import { createTransport, type RelayState, type Socket } from './transport.ts'

/** How many messages of a topic are remembered, so that none is handled twice. */
const maxSeenMessages = 256

// What a person is asked over: proposals, requests and sign-ins (specification, services 4.11).
const attestedTags: ReadonlySet<number> = new Set([1100, 1108, 1116])

/** A client of a relay: what is published is delivered at least once, what is delivered is handled once. */
export interface RelayClient {
  readonly state: RelayState
  /** The address in use. */
  readonly address: string | undefined
  publish(publication: Publication, options?: { signal?: AbortSignal | undefined }): Promise<void>
  /** Listens on `topics` from now on, over every connection to come. */
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topic: string): Promise<void>
  /** Tries at once: the device is online, or the page is seen again. */
  reconnectNow(): void
  close(): void
}

/** What a relay client is made of. */
export interface RelayClientOptions {
  readonly crypto: Primitives
  readonly clock: Clock
  /** `wss://…`; several are addresses of one relay network, the preferred one first. */
  readonly addresses: readonly [string, ...string[]]
  /** The host's id at this relay, where it asks for one. */
  readonly projectId?: string | undefined
  /** The seed of the key that this client is known by. */
  readonly seed: Uint8Array
  /** For the relay's log: `wc-2/js-…`. */
  readonly userAgent: string
  readonly connect?: ((url: string) => Socket) | undefined
  /** Says in signed words that this page sent a message; an empty text when it cannot. */
  readonly attest?: ((publication: Publication) => Promise<string>) | undefined
  /** Takes one message. While the promise rejects, the relay keeps the message. */
  deliver(delivery: Delivery): Promise<void>
  onStateChange?: ((state: RelayState, error?: LatchkeyError) => void) | undefined
  /** The connection is back, and what came in meanwhile has been handed over: what is still unanswered may have been forgotten. */
  onReconnected?: (() => void) | undefined
}

/** A client of the relay at `addresses`. Nothing is opened before the first call. */
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
    const before = seen.get(id)
    if (before) return before
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
    // Thirteen digits of time and six of chance, as a text: above 2^53.
    nextId: () => `${clock.now()}${String(chance(crypto) % 1_000_000).padStart(6, '0')}`,
    onOpen() {
      const again = opens > 0
      opens += 1
      listen([...topics.keys()]).then(
        () => again && setup.onReconnected?.(),
        () => {},
      )
    },
    async onRequest(method, params) {
      if (!/^(irn|iridium|waku)_subscription$/.test(method)) throw new TypeError('Unknown method')
      const given = read(subscriptionSchema, params)
      if (given) await handle(given.data)
      return true
    },
    ...(setup.onStateChange ? { onStateChange: setup.onStateChange } : {}),
  })

  /** Asks for these topics, and for what came in while nobody listened. */
  const listen = async (all: readonly string[]): Promise<void> => {
    for (let from = 0; from < all.length; from += maxBatch) {
      const some = all.slice(from, from + maxBatch)
      const ids = await transport.call('irn_batchSubscribe', { topics: some })
      some.forEach((topic, at) => {
        if (topics.has(topic)) topics.set(topic, Array.isArray(ids) ? String(ids[at]) : '')
      })
      for (let more = true; more; ) {
        // A relay that has delivered all of it on subscribing may know no such call.
        const answer = await transport.call('irn_batchFetchMessages', { topics: some }).catch(() => undefined)
        const found = read(fetchedSchema, answer)
        const receipts: { topic: string; messageId: string }[] = []
        for (const delivery of found?.messages ?? []) {
          const { topic, message } = delivery
          const taken = await handle(delivery).then(
            () => true,
            () => false,
          )
          if (taken) receipts.push({ topic, messageId: toHex(await crypto.sha256(toUtf8(message))).slice(2) })
        }
        if (receipts.length > 0) await transport.call('irn_batchReceive', { receipts }).catch(() => {})
        more = found?.hasMore === true && found.messages.length > 0
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
    async subscribe(wanted) {
      const fresh = wanted.filter((topic) => !topics.has(topic))
      if (fresh.length === 0) return
      for (const topic of fresh) topics.set(topic, undefined)
      // A connection that is not open yet asks for all topics when it opens; asking then once more would do no harm.
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

function chance(crypto: Primitives): number {
  return new DataView(crypto.random(4).buffer).getUint32(0)
}
