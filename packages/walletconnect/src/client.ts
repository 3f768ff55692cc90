import { type Clock, systemClock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import { type CryptoSource, primitives } from './crypto/primitives.ts'
import { browserRecords } from './indexedDb.ts'
import type { Records } from './records.ts'
import { createRelay } from './relay/relay.ts'
import type { RelayState, Socket } from './relay/transport.ts'
import { createPeer, type Peer } from './sign/peer.ts'
import { createSessions, type Sessions } from './sign/sessions.ts'
import type { Metadata } from './sign/shapes.ts'

/** What a client is made of. */
export interface ClientOptions {
  /** Who we are, as the other side shows it. */
  readonly metadata: Metadata
  /** The relay: `wss://…`; several are addresses of one relay network, the preferred one first. */
  readonly relay: string | readonly [string, ...string[]]
  /** The id that the relay's operator gave, where one is asked for. */
  readonly projectId?: string | undefined
  /**
   * A verify service, `https://…`, which tells wallets that know it which page asks. Its frame is put into the page for each
   * question, so the page's `frame-src` must name it; while it does not answer, a question waits 5 s. [none]
   */
  readonly verify?: string | undefined
  /** Where keys and sessions are kept [IndexedDB]. */
  readonly records?: Records | undefined
  readonly clock?: Clock | undefined
  readonly crypto?: CryptoSource | undefined
  readonly connect?: ((url: string) => Socket) | undefined
  readonly changed?: ((state: RelayState, error?: LatchkeyError) => void) | undefined
}

/** One client of a relay, in whichever role is then built on it. */
export interface Client {
  readonly peer: Peer
  readonly sessions: Sessions
  /** How it stands with the relay. */
  readonly state: RelayState
  /** The relay's address in use, while there is a connection. */
  readonly relay: string | undefined
  /** Listens for what came in for the sessions that it found, and tries at once where it was waiting. */
  wake(): void
  close(): void
}

/** A client with the sessions of earlier pages. Without any, nothing is opened before the first call. */
export async function createClient(options: ClientOptions): Promise<Client> {
  const { clock = systemClock, records = browserRecords(), metadata } = options
  const crypto = await primitives(options.crypto)
  const kept = await records.get('seed')
  const seed = kept instanceof Uint8Array && kept.length === 32 ? kept : crypto.random(32)
  if (seed !== kept) await records.set('seed', seed)
  const { relay, verify, projectId } = options
  const peer = createPeer({
    crypto,
    clock,
    records,
    metadata,
    relay: (deliver, refused, reopened) =>
      createRelay({
        crypto,
        clock,
        addresses: typeof relay === 'string' ? [relay] : relay,
        projectId,
        attest: verify
          ? async ({ message }) => {
              const { attest } = await import('./verify/attest.ts')
              return attest({ verify, message, projectId, crypto, clock })
            }
          : undefined,
        seed,
        userAgent: `wc-2/js-0.0.0/${globalThis.location ? `browser:${globalThis.location.hostname}` : 'node'}`,
        connect: options.connect,
        deliver,
        reopened,
        changed(state, error) {
          if (state === 'refused' && error) refused(error)
          options.changed?.(state, error)
        },
      }),
  })
  const topics = await peer.start()
  const sessions = await createSessions(peer)
  const live = new Set(sessions.all().map(({ topic }) => topic))
  // A pairing does not outlive its page.
  for (const topic of topics) if (!live.has(topic)) await peer.leave(topic)
  if (live.size > 0) void peer.relay.subscribe([...live]).catch(() => {})
  return {
    peer,
    sessions,
    get state() {
      return peer.relay.state
    },
    get relay() {
      return peer.relay.address
    },
    wake: () => peer.relay.wake(),
    close: () => peer.relay.close(),
  }
}
