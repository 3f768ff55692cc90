import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as Authenticator from '../../packages/server/src/relay/authenticator.ts'
import type * as MessageStore from '../../packages/server/src/relay/messages/messageStore.ts'
import type * as Relay from '../../packages/server/src/relay/relay.ts'
import type * as WebSocketServer from '../../packages/server/src/relay/webSocketServer.ts'
import { loadSource } from './loadSource.ts'

/** A relay that can be killed and restarted on the same port. */
export interface RestartableRelay {
  /** The URL that pages and phones connect to. */
  readonly address: string
  /** Closes every connection and stops listening. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** A network of relays that share a message store. */
export interface RelayNetwork {
  /** Starts a relay in the network. */
  start(): Promise<RestartableRelay>
  /** Kills every relay in the network. */
  close(): Promise<void>
}

/** Creates a network of the server's relays in the test process. Its message store survives restarts, as Redis would. */
export async function createRelayNetwork(): Promise<RelayNetwork> {
  const load = (name: string): Promise<Record<string, unknown>> => loadSource(`packages/server/src/${name}.ts`)
  const { createAuthenticator } = (await load('relay/authenticator')) as unknown as typeof Authenticator
  const { memoryMessageStore } = (await load('relay/messages/messageStore')) as unknown as typeof MessageStore
  const { createRelay } = (await load('relay/relay')) as unknown as typeof Relay
  const { createRelayWebSocketServer } = (await load('relay/webSocketServer')) as unknown as typeof WebSocketServer
  const { createMetrics } = (await load(
    'monitoring/metrics',
  )) as unknown as typeof import('../../packages/server/src/monitoring/metrics.ts')
  const { createMemoryRateLimiter } = (await load(
    'rateLimits/memoryRateLimiter',
  )) as unknown as typeof import('../../packages/server/src/rateLimits/memoryRateLimiter.ts')
  const { inMemoryProjects } = (await load(
    'inMemoryDependencies',
  )) as unknown as typeof import('../../packages/server/src/inMemoryDependencies.ts')

  const running = new Set<() => Promise<void>>()
  const now = Date.now
  const store = memoryMessageStore({ now })

  /** Listens on `port`. Resolves to the port and a function that stops listening. */
  const listen = async (port: number): Promise<{ port: number; kill(): Promise<void> }> => {
    const limits = { connections: 0, messages: 0 }
    const authenticator = createAuthenticator({
      projects: inMemoryProjects([]),
      rates: createMemoryRateLimiter(now),
      limits,
      now,
    })
    const relay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now })
    const sockets = createRelayWebSocketServer({
      relay,
      authenticator,
      clientAddressOf: ({ socket }) => socket.remoteAddress,
    })
    const listener = createServer().on('upgrade', sockets.upgrade)
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(port, '127.0.0.1', resolve)
    })
    const kill = async (): Promise<void> => {
      running.delete(kill)
      sockets.close()
      await new Promise((resolve) => listener.close(resolve))
    }
    running.add(kill)
    return { port: (listener.address() as AddressInfo).port, kill }
  }

  return {
    async start() {
      let current = await listen(0)
      const { port } = current
      return {
        address: `ws://127.0.0.1:${port}`,
        kill: () => current.kill(),
        async start() {
          current = await listen(port)
        },
      }
    },
    async close() {
      for (const kill of [...running]) await kill()
    },
  }
}
