import type { IncomingMessage } from 'node:http'
import type { HeldBytes } from '../heldBytes.ts'
import type { Metrics } from '../metrics.ts'
import type { Log, Projects, Rates, RelayCalls } from '../ports.ts'
import { createMemoryRates } from '../rates.ts'
import type { RelaySettings } from '../settings.ts'
import { createCapacity } from './capacity.ts'
import { createDoor } from './door.ts'
import { mailboxLimits, memoryMailboxes } from './mailbox.ts'
import { redisConnections } from './redisConnections.ts'
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
  settings: { redisUrl, names, connectionsPerAddress, messagesPerAddress, capacity, storedBytes },
  ports: { projects, rates, metrics, log, heldBytes },
  addressOf,
}: {
  settings: RelaySettings
  ports: { projects: Projects; rates: Rates; metrics: Metrics; log: Log; heldBytes: HeldBytes }
  /** The network address of whoever asks. */
  addressOf(request: IncomingMessage): string | undefined
}): Promise<AssembledRelay> {
  const now = Date.now
  const room = { ...mailboxLimits, bytes: storedBytes }
  const mailboxes =
    redisUrl === undefined
      ? memoryMailboxes({ now, limits: room, heldBytes })
      : await redisMailboxes({ url: redisUrl, now, log, limits: room })
  const connections =
    redisUrl === undefined
      ? undefined
      : await redisConnections({ url: redisUrl, perAddress: capacity.open.address, log })
  const limits = { connections: connectionsPerAddress, messages: messagesPerAddress }
  const clock = () => performance.now()
  // Messages are counted here alone: to ask a store for each would cost more than the message.
  const door = createDoor({ projects, rates, messageRates: createMemoryRates(clock), limits, names, now })
  const relay = createRelay({
    mailboxes,
    door,
    metrics,
    log,
    now,
    clock,
    capacity: createCapacity({ limits: capacity, heldBytes, clock }),
    connections,
  })
  const sockets = relaySockets({ relay, door, addressOf })
  const swept = setInterval(() => relay.sweep(), sweepMs)
  swept.unref()
  return {
    calls: relayCalls({ relay, door, mailboxes }),
    sockets,
    async close() {
      clearInterval(swept)
      sockets.close()
      await connections?.end()
      await mailboxes.close()
    },
  }
}
