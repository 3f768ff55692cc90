import type { Metrics } from '../monitoring/metrics.ts'
import type { Clock, Log } from '../serverDependencies.ts'
import { createAcknowledge } from './acknowledge.ts'
import type { Authenticator, RelayClient } from './authenticator.ts'
import { createCallExecutor } from './callExecutor.ts'
import { createErrorResponses } from './errorResponses.ts'
import { createFairQueue } from './fairQueue.ts'
import { createHttpCallHandler, type HttpCallHandler } from './httpCallHandler.ts'
import { type ClientQuotas, createClientQuotas } from './limits/clientQuotas.ts'
import { type RelayLimits, relayLimits } from './limits/relayLimits.ts'
import type { MessageStore } from './messages/messageStore.ts'
import type { SharedConnectionCounts } from './redis/redisConnectionCounts.ts'
import { createRelayConnection, type RelayConnection, type RelayTransport } from './relayConnection.ts'
import { relayMetrics } from './relayMetrics.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWebSocketMessageHandler } from './webSocketMessageHandler.ts'

/** A relay that passes encrypted messages from one client to the other subscribers of a topic. */
export interface Relay {
  /** Accepts a connection whose client is still being authenticated. */
  accept(transport: RelayTransport, client: Promise<RelayClient>): RelayConnection
  /** Handles a single request without a connection, and therefore without subscriptions. */
  handleRequest: HttpCallHandler
  /** Removes expired messages, and retries deliveries that failed while the store was unavailable. */
  sweep(): void
  /** Stops all deliveries and closes all connections with code 1001. */
  close(): void
}

/**
 * Creates a relay that uses a message store.
 *
 * @example
 * const now = Date.now
 * const rates = createMemoryRateLimiter(() => performance.now())
 * const limits = { connections: 300, messages: 12_000 }
 * const authenticator = createAuthenticator({ projects: inMemoryProjects(), rates, limits, now })
 * const relay = createRelay({ store: memoryMessageStore({ now }), authenticator, metrics: createMetrics(), log, now })
 * setInterval(() => relay.sweep(), 60_000)
 *
 * const clientAddressOf = ({ socket }: IncomingMessage) => socket.remoteAddress
 * const sockets = createRelayWebSocketServer({ relay, authenticator, clientAddressOf })
 * httpServer.on('upgrade', sockets.upgrade)
 */
export function createRelay({
  store,
  authenticator,
  metrics: metricsRegistry,
  log,
  now,
  clock = () => performance.now(),
  capacity = createClientQuotas({ clock }),
  connections,
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  limits = relayLimits,
}: {
  store: MessageStore
  authenticator: Pick<Authenticator, 'canSend'>
  metrics: Metrics
  log: Log
  now: () => number
  /** A monotonic clock for rates and waits. Default: `performance.now`. */
  clock?: Clock
  capacity?: ClientQuotas
  /** The connection counts that all instances share. Absent if there is only one instance. */
  connections?: SharedConnectionCounts | undefined
  /** Resolves after the given number of milliseconds. Default: `setTimeout`. */
  pause?: (ms: number) => Promise<void>
  limits?: RelayLimits
}): Relay {
  const metrics = relayMetrics(metricsRegistry)
  addStoreGauges(metricsRegistry, store)
  const fairQueue = createFairQueue({ clock })
  const turnOf = ({ groups, clientId }: RelayClient): Promise<void> | undefined =>
    fairQueue.next(groups[0]?.name ?? clientId)
  const { maxTopics, maxUnacked } = limits
  const subscriptions = createSubscriptions({ store, metrics, now, maxTopics, maxUnacked })
  const errors = createErrorResponses({ metrics, log, clock })
  const executor = createCallExecutor({ store, subscriptions, capacity, metrics, now, clock })
  const acknowledge = createAcknowledge({ store, subscriptions })
  const handleFrame = createWebSocketMessageHandler({ acknowledge, subscriptions, executor, errors, limits })
  const transports = new Set<RelayTransport>()

  return {
    accept: (transport, client) =>
      createRelayConnection(transport, client, {
        authenticator,
        capacity,
        connections,
        subscriptions,
        transports,
        acknowledge,
        handleFrame,
        metrics,
        log,
        clock,
        pause,
        turnOf,
        limits,
      }),
    handleRequest: createHttpCallHandler({
      store,
      authenticator,
      capacity,
      executor,
      errors,
      limits,
      turnOf,
    }),
    sweep() {
      store.sweep()
      subscriptions.catchUpAll()
    },
    close() {
      subscriptions.close()
      for (const transport of [...transports]) transport.close(1001, 'The relay is shutting down')
    },
  }
}

function addStoreGauges(metrics: Metrics, store: Pick<MessageStore, 'ready' | 'stats'>): void {
  metrics.gauge('latchkey_relay_mailboxes_up', () => Number(store.ready()))
  const { stats } = store
  if (!stats) return
  metrics.gauge('latchkey_relay_letters', () => stats().messages)
  metrics.gauge('latchkey_relay_letters_bytes', () => stats().bytes)
}
