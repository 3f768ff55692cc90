import type { IncomingMessage } from 'node:http'
import type { RelayConfig } from '../config/relayConfig.ts'
import type { MemoryQuota } from '../memoryLimits/memoryQuota.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Log, Projects, RateLimiter, RelayRpc } from '../serverDependencies.ts'
import { createAuthenticator } from './authenticator.ts'
import { relayHttpRpc } from './httpRpc.ts'
import { createClientQuotas } from './limits/clientQuotas.ts'
import { type MessageStoreLimits, memoryMessageStore, messageStoreLimits } from './messages/messageStore.ts'
import { redisConnectionCounts } from './redis/redisConnectionCounts.ts'
import { redisMessageStore } from './redis/redisMessageStore.ts'
import { createRelay } from './relay.ts'
import { createRelayWebSocketServer, type RelayWebSocketServer } from './webSocketServer.ts'

const sweepMs = 60_000

/** The handlers for a relay, and a function that closes the relay and its store. */
export interface ConfiguredRelay {
  readonly calls: RelayRpc
  readonly sockets: RelayWebSocketServer
  close(): Promise<void>
}

/** Creates the relay that the configuration describes. */
export async function relayFromConfig({
  config: { redisUrl, names, connectionsPerAddress, messagesPerAddress, capacity, storedBytes },
  dependencies: { projects, rateLimiter: rates, metrics, log, heldBytes },
  clientAddressOf,
}: {
  config: RelayConfig
  dependencies: { projects: Projects; rateLimiter: RateLimiter; metrics: Metrics; log: Log; heldBytes: MemoryQuota }
  /** Returns the client's network address. */
  clientAddressOf(request: IncomingMessage): string | undefined
}): Promise<ConfiguredRelay> {
  const now = Date.now
  const storeLimits: MessageStoreLimits = { ...messageStoreLimits, maxBytes: storedBytes }
  const store =
    redisUrl === undefined
      ? memoryMessageStore({ now, limits: storeLimits, heldBytes })
      : await redisMessageStore({ url: redisUrl, now, log, limits: storeLimits })
  const connections =
    redisUrl === undefined
      ? undefined
      : await redisConnectionCounts({ url: redisUrl, perAddress: capacity.open.address, log })
  const limits = { connections: connectionsPerAddress, messages: messagesPerAddress }
  const clock = () => performance.now()
  // Messages are counted separately by each instance, because querying a store for each message would cost more than the message
  // itself.
  const authenticator = createAuthenticator({
    projects,
    rates,
    messageRates: createMemoryRateLimiter(clock),
    limits,
    hostNames: names,
    now,
  })
  const relay = createRelay({
    store,
    authenticator,
    metrics,
    log,
    now,
    clock,
    capacity: createClientQuotas({ limits: capacity, heldBytes, clock }),
    connections,
  })
  const sockets = createRelayWebSocketServer({ relay, authenticator, clientAddressOf })
  const sweepTimer = setInterval(() => relay.sweep(), sweepMs)
  sweepTimer.unref()
  return {
    calls: relayHttpRpc({ relay, authenticator, store }),
    sockets,
    async close() {
      clearInterval(sweepTimer)
      sockets.close()
      await connections?.end()
      await store.close()
    },
  }
}
