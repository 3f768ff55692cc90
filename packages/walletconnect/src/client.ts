import { type Clock, systemClock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import { type CryptoSource, primitives } from './crypto/primitives.ts'
import { browserStorage } from './indexedDbStorage.ts'
import { createRelayClient } from './relay/relayClient.ts'
import type { RelayState, Socket } from './relay/transport.ts'
import { createRpcEngine, type RpcEngine } from './sign/rpcEngine.ts'
import type { Metadata } from './sign/schemas.ts'
import { createSessions, type Sessions } from './sign/sessions.ts'
import type { KeyValueStorage } from './storage.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /** Our name and URL, as displayed by the other side. */
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
  /** Storage of keys and sessions. [IndexedDB] */
  readonly storage?: KeyValueStorage | undefined
  readonly clock?: Clock | undefined
  readonly crypto?: CryptoSource | undefined
  readonly connect?: ((url: string) => Socket) | undefined
  readonly onStateChange?: ((state: RelayState, error?: LatchkeyError) => void) | undefined
}

/** A client of a relay, the base of either role. */
export interface Client {
  readonly rpc: RpcEngine
  readonly sessions: Sessions
  /** The state of the relay connection. */
  readonly state: RelayState
  /** The relay's address in use, while there is a connection. */
  readonly relay: string | undefined
  /** Reconnects at once instead of waiting for the next attempt. */
  reconnectNow(): void
  close(): void
}

/** A client with the sessions of earlier pages. Without any, nothing is opened before the first call. */
export async function createClient(options: ClientOptions): Promise<Client> {
  const { clock = systemClock, storage = browserStorage(), metadata } = options
  const crypto = await primitives(options.crypto)
  const storedSeed = await storage.get('seed')
  const seed = storedSeed instanceof Uint8Array && storedSeed.length === 32 ? storedSeed : crypto.random(32)
  if (seed !== storedSeed) await storage.set('seed', seed)
  const { relay, verify, projectId } = options
  const rpc = createRpcEngine({
    crypto,
    clock,
    storage,
    metadata,
    relay: (deliver, onRefused, onReconnected) =>
      createRelayClient({
        crypto,
        clock,
        addresses: typeof relay === 'string' ? [relay] : relay,
        projectId,
        attest: verify
          ? async ({ message }) => {
              const { requestAttestation } = await import('./verify/requestAttestation.ts')
              return requestAttestation({ verify, message, projectId, crypto, clock })
            }
          : undefined,
        seed,
        userAgent: `wc-2/js-0.0.0/${globalThis.location ? `browser:${globalThis.location.hostname}` : 'node'}`,
        connect: options.connect,
        deliver,
        onReconnected,
        onStateChange(state, error) {
          if (state === 'refused' && error) onRefused(error)
          options.onStateChange?.(state, error)
        },
      }),
  })
  const topics = await rpc.start()
  const sessions = await createSessions(rpc)
  const live = new Set(sessions.all().map(({ topic }) => topic))
  // A pairing does not outlive its page.
  for (const topic of topics) if (!live.has(topic)) await rpc.unsubscribe(topic)
  if (live.size > 0) void rpc.relay.subscribe([...live]).catch(() => {})
  return {
    rpc,
    sessions,
    get state() {
      return rpc.relay.state
    },
    get relay() {
      return rpc.relay.address
    },
    reconnectNow: () => rpc.relay.reconnectNow(),
    close: () => rpc.relay.close(),
  }
}
