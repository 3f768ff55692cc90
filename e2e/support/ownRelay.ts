import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as Door from '../../packages/server/src/relay/door.ts'
import type * as Mailbox from '../../packages/server/src/relay/mailbox.ts'
import type * as Relay from '../../packages/server/src/relay/relay.ts'
import type * as Sockets from '../../packages/server/src/relay/socket.ts'
import { openSources } from '../../tools/source.mjs'

/** The server's relay on a port of its own, which can be killed and started again where it was. */
export interface OwnRelay {
  /** As pages and phones are told it. */
  readonly address: string
  /** Ends every connection; nothing listens any more. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Loads the server's relay into the test's process. What waits in mailboxes is shared by all, and survives, as in Redis. */
export async function openRelays(): Promise<{
  /** One more address of the same network. */
  start(): Promise<OwnRelay>
  close(): Promise<void>
}> {
  const sources = await openSources()
  const load = (name: string): Promise<Record<string, unknown>> => sources.load(`packages/server/src/${name}.ts`)
  const { createDoor } = (await load('relay/door')) as unknown as typeof Door
  const { memoryMailboxes } = (await load('relay/mailbox')) as unknown as typeof Mailbox
  const { createRelay } = (await load('relay/relay')) as unknown as typeof Relay
  const { relaySockets } = (await load('relay/socket')) as unknown as typeof Sockets
  const { createMetrics } = (await load('metrics')) as unknown as typeof import('../../packages/server/src/metrics.ts')
  const { createMemoryRates } = (await load('rates')) as unknown as typeof import('../../packages/server/src/rates.ts')
  const { memoryProjects } = (await load('memory')) as unknown as typeof import('../../packages/server/src/memory.ts')

  const running = new Set<() => Promise<void>>()
  const now = Date.now
  const mailboxes = memoryMailboxes({ now })

  /** Listens on `port`; answers the port and what ends it. */
  const listen = async (port: number): Promise<{ port: number; kill(): Promise<void> }> => {
    const limits = { connections: 0, messages: 0 }
    const door = createDoor({ projects: memoryProjects([]), rates: createMemoryRates(now), limits, now })
    const relay = createRelay({ mailboxes, door, metrics: createMetrics(), log: () => {}, now })
    const sockets = relaySockets({ relay, door, addressOf: ({ socket }) => socket.remoteAddress })
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
      await sources.close()
    },
  }
}
