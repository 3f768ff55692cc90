import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../metrics.ts'
import type { Log, Projects, Rates, RelayCalls } from '../ports.ts'
import type { RelaySettings } from '../settings.ts'
import { createDoor } from './door.ts'
import { memoryMailboxes } from './mailbox.ts'
import { redisMailboxes } from './redisMailbox.ts'
import { createRelay } from './relay.ts'
import { relayCalls } from './rpc.ts'
import { type RelaySockets, relaySockets } from './socket.ts'

const sweepMs = 60_000

/** A relay with its store open. */
export interface AssembledRelay {
  readonly calls: RelayCalls
  readonly sockets: RelaySockets
  close(): Promise<void>
}

/** Wires the relay that the settings ask for. */
export async function assembleRelay({
  settings: { redisUrl, names, connectionsPerAddress, messagesPerAddress },
  ports: { projects, rates, metrics, log },
  addressOf,
}: {
  settings: RelaySettings
  ports: { projects: Projects; rates: Rates; metrics: Metrics; log: Log }
  /** The network address of whoever asks. */
  addressOf(request: IncomingMessage): string | undefined
}): Promise<AssembledRelay> {
  const now = Date.now
  const mailboxes =
    redisUrl === undefined ? memoryMailboxes({ now }) : await redisMailboxes({ url: redisUrl, now, log })
  const limits = { connections: connectionsPerAddress, messages: messagesPerAddress }
  const door = createDoor({ projects, rates, limits, names, now })
  const relay = createRelay({ mailboxes, door, metrics, log, now })
  const sockets = relaySockets({ relay, door, addressOf })
  const swept = setInterval(() => relay.sweep(), sweepMs)
  swept.unref()
  return {
    calls: relayCalls({ relay, door, mailboxes }),
    sockets,
    async close() {
      clearInterval(swept)
      sockets.close()
      await mailboxes.close()
    },
  }
}
