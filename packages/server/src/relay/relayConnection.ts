import type { Clock, Log } from '../serverDependencies.ts'
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
   * Handles a frame from the client. Resolves when the frame has been handled. The bytes are decoded only when it is the frame's
   * turn, because V8 is slow to free large strings that have existed for a long time.
   */
  receive(frame: string | Buffer): Promise<void>
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
  const { authenticator, capacity, subscriptions, transports, handleFrame, metrics, log, clock, limits } = dependencies
  const bucket = createTokenBucket(limits, clock)
  const count = createConnectionCount(dependencies.connections)
  let subscriber: ConnectedClient | undefined
  let isClosed = false
  /** The bytes of queued calls, and the received bytes of an incomplete call. */
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
  const refuse = (error: AuthError): void => {
    metrics.refused('connection', error.tag)
    transport.close(error.closeCode, error.message)
  }
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
  const reject = (error: unknown): void => {
    if (error instanceof AuthError) {
      refuse(error)
      return
    }
    log('error', 'relay client could not be authenticated', unexpectedErrorFields(error))
    metrics.refused('connection', 'Internal')
    transport.close(internalErrorCode, 'The relay failed')
  }
  const queue: CallQueue<ConnectedClient> = createCallQueue({
    opened: client.then(count.open).then(open, reject),
    client: () => subscriber,
    unreadBytes: () => transport.unread(),
    pause: dependencies.pause,
    turnOf: dependencies.turnOf,
  })

  /** Counts calls against the rate limit of the client's network. Closes the connection if there are too many calls. */
  const canSend = async (sender: ConnectedClient, calls?: number): Promise<boolean> => {
    const isAllowed = await authenticator.canSend(sender, calls)
    if (!isAllowed) closeAsFlooded()
    return isAllowed
  }
  const canPublish = async (sender: ConnectedClient, more: number): Promise<boolean> => {
    if (more === 0) return true
    if (bucket.take(more)) return canSend(sender, more)
    closeAsFlooded()
    return false
  }

  return {
    async receive(frame) {
      if (isClosed) return
      partialBytes = 0
      if (!bucket.take(1)) return closeAsFlooded()
      if (Buffer.byteLength(frame) > limits.maxFrameBytes)
        return transport.close(messageTooLongCode, 'The message is too long')
      queuedBytes += frame.length
      subscriber?.lease.input(queuedBytes)
      await queue.run(
        (sender) => handleFrame(sender, String(frame), (more) => canPublish(sender, more)),
        async (sender) => {
          sender.lease.charge(frame.length + callCost.call)
          return !(await canSend(sender))
        },
      )
      queuedBytes -= frame.length
      subscriber?.lease.input(queuedBytes + partialBytes)
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
      lease.charge(parts.reduce((sum, { length }) => sum + length, 0))
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
