import type { Clock, Log } from '../serverDependencies.ts'
import { type Acknowledge, acknowledgedId } from './acknowledge.ts'
import { AuthError, type Authenticator, type RelayClient } from './authenticator.ts'
import { type CallQueue, createCallQueue } from './callQueue.ts'
import { createConnectionCount } from './connectionCount.ts'
import { unexpectedErrorFields } from './errorResponses.ts'
import type { ClientQuotas, Eviction, Lease } from './limits/clientQuotas.ts'
import { callCost, maxUnreadBytes, type RelayLimits } from './limits/relayLimits.ts'
import { createTokenBucket } from './limits/tokenBucket.ts'
import type { SharedConnectionCounts } from './redis/redisConnectionCounts.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import type { Send, Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { WebSocketMessageHandler } from './webSocketMessageHandler.ts'

const tooManyRequestsCode = 3001
const messageTooLongCode = 1009
const internalErrorCode = 1011

/** The transport that a connection uses. */
export interface RelayTransport {
  readonly send: Send
  close(code: number, reason: string): void
  /** Closes the connection without a close frame. Used if the client does not read. */
  terminate(): void
  /** Returns the number of sent bytes that the client has not read yet. */
  unread(): number
}

/** The relay's side of a connection. */
export interface RelayConnection {
  /**
   * Handles a frame from the client. Resolves when the frame has been handled. Returns `undefined` if there is nothing to wait
   * for. Queued bytes are decoded only when their turn comes, because V8 is slow to free large strings that have existed for a
   * long time.
   */
  receive(frame: string | Buffer): void | Promise<void>
  /** Reports that bytes of an incomplete frame have been received. */
  receivedBytes(bytes: number): void
  /** Reports that the number of unread bytes has changed. */
  unreadBytesChanged(): void
  /** Reports that the connection has closed. */
  closed(): void
}

/** The parts of a relay that its connections use. */
export interface ConnectionDependencies {
  readonly authenticator: Pick<Authenticator, 'canSend'>
  readonly capacity: Pick<ClientQuotas, 'open'>
  /** The connection counts that all instances share, or `undefined` if there is only one instance. */
  readonly connections: SharedConnectionCounts | undefined
  readonly subscriptions: Pick<Subscriptions, 'catchUp' | 'unsubscribe'>
  /** The transports of all authenticated clients. */
  readonly transports: Set<RelayTransport>
  readonly acknowledge: Acknowledge
  readonly handleFrame: WebSocketMessageHandler
  readonly metrics: RelayMetrics
  readonly log: Log
  readonly clock: Clock
  readonly pause: (ms: number) => Promise<void>
  /** Resolves when it is the client's turn. */
  readonly turnOf: (client: RelayClient) => Promise<void> | undefined
  readonly limits: RelayLimits
}

type ConnectedClient = Subscriber & RelayClient & { readonly lease: Lease }

/** Creates the relay's side of a connection whose client is still being authenticated. */
export function createRelayConnection(
  transport: RelayTransport,
  client: Promise<RelayClient>,
  dependencies: ConnectionDependencies,
): RelayConnection {
  const { authenticator, capacity, subscriptions, transports, handleFrame, metrics, clock, limits } = dependencies
  const bucket = createTokenBucket(limits, clock)
  const count = createConnectionCount(dependencies.connections)
  let subscriber: ConnectedClient | undefined
  let isClosed = false
  /** The number of bytes of queued calls, and the number of received bytes of an incomplete call. */
  let [queuedBytes, partialBytes] = [0, 0]

  const disconnect = (): void => {
    isClosed = true
    count.close()
    queue.resume()
    if (!subscriber) return
    subscriber.lease.end()
    transports.delete(transport)
    subscriptions.unsubscribe(subscriber, [...subscriber.topics.keys()])
    metrics.gone()
    subscriber = undefined
  }
  const { refuse, reject } = createRefusal(transport, dependencies)
  const evict = (why: Eviction): void => {
    metrics.refused('connection', `Evicted:${why}`)
    disconnect()
    // A client that does not read would not receive a close frame either.
    if (why === 'unread') transport.terminate()
    else transport.close(tooManyRequestsCode, 'Too many requests')
  }
  const closeAsFlooded = (): void => {
    metrics.refused('call', 'TooManyRequests')
    transport.close(tooManyRequestsCode, 'Too many requests')
    // This also drops the queued calls.
    disconnect()
  }

  const open = (authenticated: RelayClient): void => {
    if (isClosed) return
    const lease = capacity.open(authenticated, evict)
    if (!lease) {
      disconnect()
      refuse(new AuthError('TooManyRequests', 'Too many connections'))
      return
    }
    lease.input(queuedBytes + partialBytes)
    if (isClosed) return
    subscriber = createSubscriber({ client: authenticated, lease, transport, runInOrder: queue.run })
    transports.add(transport)
    metrics.connected()
  }
  const queue: CallQueue<ConnectedClient> = createCallQueue({
    opened: client.then(count.open).then(open, reject),
    client: () => subscriber,
    unreadBytes: () => transport.unread(),
    pause: dependencies.pause,
    turnOf: dependencies.turnOf,
  })

  /** Counts calls against the rate limit of the client's network. Closes the connection if there are too many calls. */
  const canSend = (sender: ConnectedClient, calls?: number): boolean | Promise<boolean> => {
    const closeUnless = (isAllowed: boolean): boolean => {
      if (!isAllowed) closeAsFlooded()
      return isAllowed
    }
    const isAllowed = authenticator.canSend(sender, calls)
    return typeof isAllowed === 'boolean' ? closeUnless(isAllowed) : isAllowed.then(closeUnless)
  }
  const canPublish = async (sender: ConnectedClient, more: number): Promise<boolean> => {
    if (more === 0) return true
    if (bucket.take(more)) return canSend(sender, more)
    closeAsFlooded()
    return false
  }

  const receiveInOrder = (frame: string | Buffer): void | Promise<void> => {
    const finish = (): void => {
      queuedBytes -= frame.length
      subscriber?.lease.input(queuedBytes + partialBytes)
    }
    queuedBytes += frame.length
    subscriber?.lease.input(queuedBytes)
    const running = queue.run(
      (sender) => handleFrame(sender, String(frame), (more) => canPublish(sender, more)),
      (sender) => {
        sender.lease.charge(frame.length + callCost.call)
        const isAllowed = canSend(sender)
        return typeof isAllowed === 'boolean' ? !isAllowed : isAllowed.then((later) => !later)
      },
    )
    if (running) return running.then(finish)
    finish()
  }
  /**
   * Handles an acknowledgement when no call of the client is waiting. Does so immediately, unless the rate limit has to be looked
   * up in a store. Every subscriber acknowledges each message, and waiting for a turn would take longer than the acknowledgement.
   */
  const acknowledge = (sender: ConnectedClient, id: string, bytes: number): void | Promise<void> => {
    sender.lease.charge(bytes + callCost.call)
    const isAllowed = canSend(sender)
    if (isAllowed === false) return
    if (isAllowed !== true)
      return queue.run(
        () => dependencies.acknowledge(sender, id),
        async () => !(await isAllowed),
      )
    const removal = dependencies.acknowledge(sender, id)
    return removal && queue.waitFor(removal)
  }

  return {
    receive(frame) {
      if (isClosed) return undefined
      partialBytes = 0
      if (!bucket.take(1)) {
        closeAsFlooded()
        return undefined
      }
      if (Buffer.byteLength(frame) > limits.maxFrameBytes) {
        transport.close(messageTooLongCode, 'The message is too long')
        return undefined
      }
      if (subscriber && queue.isIdle() && transport.unread() < maxUnreadBytes && subscriber.lease.waitMs() === 0) {
        const id = acknowledgedId(frame)
        if (id !== undefined) {
          subscriber.lease.input(queuedBytes)
          return acknowledge(subscriber, id, frame.length)
        }
      }
      return receiveInOrder(frame)
    },
    receivedBytes(bytes) {
      partialBytes += bytes
      subscriber?.lease.input(queuedBytes + partialBytes)
    },
    unreadBytesChanged() {
      const bytes = transport.unread()
      subscriber?.lease.unread(bytes)
      if (bytes >= maxUnreadBytes / 2) return
      queue.resume()
      if (subscriber) subscriptions.catchUp(subscriber)
    },
    closed: disconnect,
  }
}

/** Returns the functions that close the connection of a client that is not accepted. */
function createRefusal(
  transport: RelayTransport,
  { metrics, log }: Pick<ConnectionDependencies, 'metrics' | 'log'>,
): { refuse(error: AuthError): void; reject(error: unknown): void } {
  const refuse = (error: AuthError): void => {
    metrics.refused('connection', error.tag)
    transport.close(error.closeCode, error.message)
  }
  return {
    refuse,
    reject(error) {
      if (error instanceof AuthError) {
        refuse(error)
        return
      }
      log('error', 'relay client could not be authenticated', unexpectedErrorFields(error))
      metrics.refused('connection', 'Internal')
      transport.close(internalErrorCode, 'The relay failed')
    },
  }
}

function createSubscriber({
  client,
  lease,
  transport,
  runInOrder,
}: {
  client: RelayClient
  lease: Lease
  transport: RelayTransport
  runInOrder: Subscriber['runInOrder']
}): ConnectedClient {
  return {
    ...client,
    lease,
    send(...parts) {
      let length = 0
      for (const part of parts) length += part.length
      lease.charge(length)
      transport.send(...parts)
    },
    hasRoom: () => transport.unread() < maxUnreadBytes,
    reserve: lease.topics,
    topics: new Map(),
    behindTopics: new Set(),
    unacked: new Map(),
    fetched: new Set(),
    runInOrder,
  }
}
