import { type Clock, systemClock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { type CryptoSource, primitives } from './crypto/primitives.ts'
import { browserStorage } from './indexedDbStorage.ts'
import { createRelayClient } from './relay/relayClient.ts'
import type { RelayState, Socket } from './relay/relayTransport.ts'
import { createRpcEngine, type RpcEngine } from './sign/rpcEngine.ts'
import type { Metadata } from './sign/schemas.ts'
import { createSessions, type Sessions } from './sign/sessions.ts'
import type { KeyValueStorage } from './storage.ts'

/** Options for `createClient`. */
export interface ClientOptions {
  /** This peer's name and URL, which the other peer displays. */
  readonly metadata: Metadata
  /** The relay URL (`wss://…`), or multiple URLs for the same relay network in order of preference. */
  readonly relay: string | readonly [string, ...string[]]
  /** The project ID, if the relay requires one. */
  readonly projectId?: string | undefined
  /**
   * The origin of a verify service (`https://…`), which attests the page's origin to wallets. The service's iframe is added to
   * the page for each request, so `frame-src` must allow it. If the service does not respond, the request is delayed by 5 s.
   * [none]
   */
  readonly verify?: string | undefined
  /** The storage for keys and sessions. [IndexedDB] */
  readonly storage?: KeyValueStorage | undefined
  /** The clock, which tests can replace. [the system clock] */
  readonly clock?: Clock | undefined
  /** The source of random values and algorithms. A library provides any algorithm that is missing. [`globalThis.crypto`] */
  readonly crypto?: CryptoSource | undefined
  /** Opens a socket. Replace it in tests, or on platforms without `WebSocket`. [`WebSocket`] */
  readonly connect?: ((url: string) => Socket) | undefined
  /** Called when the state of the relay connection changes. `error` is set if the state is `refused`. */
  readonly onStateChange?: ((state: RelayState, error?: LatchkeyError) => void) | undefined
}

/** A WalletConnect client, with which a dapp or wallet communicates over a relay. */
export interface Client {
  /** The RPC engine to pass to `createProposer` and `createResponder`. */
  readonly rpc: RpcEngine
  /** The client's sessions in either role. */
  readonly sessions: Sessions
  /** The state of the relay connection. */
  readonly state: RelayState
  /** The relay URL in use, or `undefined` if the client is not connected. */
  readonly relay: string | undefined
  /** Makes a pending reconnect attempt now instead of after its delay, and checks an open connection. */
  reconnectNow(): void
  /** Closes the relay connection and rejects pending calls with `request/aborted`. Stored sessions are kept. */
  close(): void
}

/**
 * Creates a client and restores its stored sessions. If there are none, the client does not connect until the first call is made.
 *
 * @example
 * const client = await createClient({
 *   relay: 'wss://relay.example.com',
 *   metadata: { name: 'Shop', description: '', url: 'https://shop.example', icons: [] },
 * })
 */
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
  // Pairings are not restored after a reload.
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
