import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import type { Metrics } from '../metrics.ts'
import type { Clock, Log } from '../serverDependencies.ts'
import { AuthError, type Authenticator, type RelayClient } from './authenticator.ts'
import { type Capacity, createCapacity, type Lease } from './capacity.ts'
import { createFairQueue } from './fairQueue.ts'
import { type MessageStore, StoreUnavailableError } from './messageStore.ts'
import type { SharedConnectionCounts } from './redisConnectionCounts.ts'
import { relayMetrics } from './relayMetrics.ts'
import { parseRequest, type RelayRequest, RpcError } from './rpcRequest.ts'
import { createSubscriptions, errorFrame, type Send, type Subscriber } from './subscriptions.ts'

/** The transport of a connection. */
export interface RelayTransport {
  readonly send: Send
  close(code: number, reason: string): void
  /** Closes it without a close frame, for a client that does not read. */
  terminate(): void
  /** Bytes sent that the client has not read yet. */
  unread(): number
}

/** The relay's side of a connection. */
export interface RelayConnection {
  /**
   * Handles a frame from the client. Resolves when it is done. Bytes are decoded only when it is their turn, because V8 retains large
   * strings that wait for long.
   */
  receive(frame: string | Buffer): Promise<void>
  /** Reports received bytes of an incomplete frame. */
  receivedBytes(bytes: number): void
  /** Reports that the number of unread bytes has changed. */
  unreadBytesChanged(): void
  /** Reports that the connection has closed. */
  closed(): void
}

/** The limits of a relay. */
export interface RelayLimits {
  /** Maximum number of bytes per frame. */
  readonly maxFrameBytes: number
  /** Maximum number of characters per message. */
  readonly maxMessageLength: number
  /** Maximum time to live of a message, in seconds. */
  readonly maxTtlSeconds: number
  /** Maximum number of topics per client. */
  readonly maxTopics: number
  /** Maximum number of unacknowledged pushes per connection. */
  readonly maxUnacked: number
  /** Rate limit of calls and publications per connection: burst, then per second. Each item of a batch counts. */
  readonly burst: number
  readonly perSecond: number
}

/** The default limits of a relay. */
export const relayLimits: RelayLimits = {
  maxFrameBytes: 2_097_152,
  maxMessageLength: 1_048_576,
  maxTtlSeconds: 30 * 86_400,
  maxTopics: 5_000,
  maxUnacked: 2_000,
  burst: 600,
  perSecond: 60,
}

/** Passes encrypted messages from one client to the other subscribers of a topic. */
export interface Relay {
  /** Accepts a connection whose client is still being authenticated. */
  accept(transport: RelayTransport, client: Promise<RelayClient>): RelayConnection
  /** Handles a single request without a connection, so without subscriptions. */
  handleRequest(client: RelayClient, text: string): Promise<string>
  /** Retries deliveries after the store was unavailable, and removes expired messages. */
  sweep(): void
  close(): void
}

const tooManyRequestsCode = 3001
const internalErrorCode = 1011

type ConnectedClient = Subscriber & RelayClient & { readonly lease: Lease }

/** Delivery pauses above this number of unread bytes. Further messages stay in the message store. */
const maxUnreadBytes = 1_048_576
/** The cost of a call in addition to its bytes, and of each topic read. */
const cost = { call: 256, topic: 1_024 } as const

/** Creates a relay over a message store. */
export function createRelay({
  store,
  authenticator,
  metrics: metricsRegistry,
  log,
  now,
  clock = () => performance.now(),
  capacity = createCapacity({ clock }),
  connections,
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  limits = relayLimits,
}: {
  store: MessageStore
  authenticator: Pick<Authenticator, 'canSend'>
  metrics: Metrics
  log: Log
  now: () => number
  /** [performance.now] A monotonic clock for rates and waits. */
  clock?: Clock
  capacity?: Capacity
  /** Counts connections across all instances, if there are several. */
  connections?: SharedConnectionCounts | undefined
  /** [setTimeout] Resolves after the given number of milliseconds. */
  pause?: (ms: number) => Promise<void>
  limits?: RelayLimits
}): Relay {
  const metrics = relayMetrics(metricsRegistry)
  const fairQueue = createFairQueue({ clock })
  const turnOf = ({ groups, clientId }: RelayClient): Promise<void> | undefined =>
    fairQueue.next(groups[0]?.name ?? clientId)
  const subscriptions = createSubscriptions({
    store,
    metrics,
    now,
    maxTopics: limits.maxTopics,
    maxUnacked: limits.maxUnacked,
  })
  const transports = new Set<RelayTransport>()
  metricsRegistry.gauge('latchkey_relay_mailboxes_up', () => Number(store.ready()))
  const stats = store.stats
  if (stats) {
    metricsRegistry.gauge('latchkey_relay_letters', () => stats().messages)
    metricsRegistry.gauge('latchkey_relay_letters_bytes', () => stats().bytes)
  }

  const publish = async (
    client: RelayClient,
    publications: Extract<RelayRequest, { type: 'publish' }>['publications'],
  ) => {
    for (const { ttl, ...publication } of publications) {
      // The publisher pays for each delivery.
      capacity.charge(client, publication.message.length * subscriptions.subscriberCount(publication.topic))
      const from = clock()
      const at = now()
      const stored = { ...publication, publishedAt: at, expiresAt: at + ttl * 1000, from: client.clientId }
      const result = await store.put(stored, client)
      if (result === 'topicFull') throw new RpcError('MailboxLimitExceeded', 'The topic has too many messages')
      if (result === 'quotaExceeded')
        throw new RpcError(
          'MailboxLimitExceeded',
          'Too many of your messages are pending: try again when some have been received',
        )
      metrics.published(publication.tag, (clock() - from) / 1000)
    }
  }

  /** Executes a request. `after` lists topics to flush after the response. */
  const execute = async (
    subscriber: Subscriber & RelayClient,
    call: RelayRequest,
  ): Promise<{ result: unknown; after?: readonly string[] }> => {
    switch (call.type) {
      case 'publish':
        await subscriptions.subscribe(subscriber, call.topics)
        // The subscription takes effect even if publishing fails.
        await publish(subscriber, call.publications).catch(async (error: unknown) => {
          await subscriptions.flush(subscriber, call.topics)
          throw error
        })
        return { result: true, after: call.topics }
      case 'subscribe': {
        const ids = await subscriptions.subscribe(subscriber, call.topics)
        if (call.blocking) await subscriptions.flush(subscriber, call.topics)
        return { result: call.isBatch ? ids : ids[0], ...(call.blocking ? {} : { after: call.topics }) }
      }
      case 'unsubscribe':
        subscriptions.unsubscribe(subscriber, call.topics)
        return { result: true }
      case 'fetch':
        capacity.charge(subscriber, cost.topic * call.topics.length)
        return { result: await subscriptions.fetch(subscriber, call.topics) }
      case 'receive':
        // A message is removed when another subscriber of its topic has received it.
        for (const { topic, messageId } of call.receipts)
          if (subscriber.topics.has(topic))
            await store.remove({ topic, id: messageId, acknowledgedBy: subscriber.clientId })
        return { result: true }
    }
  }

  const unavailable = { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
  /** Logs a single line for many rejections, so that an unavailable store does not flood the log. */
  const logUnavailable = (reason: string): void => {
    unavailable.count += 1
    if (clock() - unavailable.loggedAt < 5_000) return
    log('warn', 'relay calls were rejected because the message store is unavailable', {
      code: 'MailboxUnavailable',
      reason,
      count: unavailable.count,
    })
    unavailable.count = 0
    unavailable.loggedAt = clock()
  }

  const toRpcError = (error: unknown): RpcError => {
    if (error instanceof RpcError) return error
    if (error instanceof StoreUnavailableError) {
      logUnavailable(error.message)
      return new RpcError('MailboxUnavailable', 'The relay cannot reach its message store: try again')
    }
    log('error', 'relay call failed', errorFields(error))
    return new RpcError('Internal', 'The relay failed')
  }
  const refuse = (id: string, error: unknown): string => {
    const rpcError = toRpcError(error)
    metrics.refused('call', rpcError.tag)
    return errorFrame(id, rpcError)
  }
  const invalidRequest = (): string => refuse('null', new RpcError('InvalidRequest', 'Invalid request'))

  /** `canPublish` takes additional publications from the rate limit, beyond the one that any frame can contain. */
  const handleFrame = async (
    subscriber: Subscriber & RelayClient,
    text: string,
    canPublish: (more: number) => Promise<boolean>,
  ): Promise<void> => {
    const frame = readFrame(text)
    if (!frame?.id) {
      subscriber.send(invalidRequest())
      return
    }
    const { id, body } = frame
    if (typeof body.method !== 'string') {
      const receipt = subscriber.unacked.get(id)
      // An error is not an acknowledgement: the client could not handle the message and will receive it again.
      if (!receipt || body.error) return
      subscriber.unacked.delete(id)
      await store.remove({ ...receipt, acknowledgedBy: subscriber.clientId }).catch(() => {})
      // Everything pushed is acknowledged: deliver the messages that had to wait.
      if (subscriber.unacked.size === 0) subscriptions.catchUp(subscriber)
      return
    }
    try {
      const call = parseRequest(body.method, body.params, limits)
      if (call.type === 'publish' && !(await canPublish(call.publications.length - 1))) return
      const { result, after } = await execute(subscriber, call)
      subscriber.send(writeFrame(id, { result }))
      if (after && after.length > 0) await subscriptions.flush(subscriber, after)
    } catch (error) {
      subscriber.send(refuse(id, error))
    }
  }

  return {
    accept(transport, client) {
      let subscriber: ConnectedClient | undefined
      let isClosed = false
      let availableTokens = limits.burst
      let refilledAt = clock()
      /** Bytes of queued calls, and of a call that has arrived in part. */
      let [queuedBytes, partialBytes] = [0, 0]
      let resumeReading: (() => void) | undefined
      const refuse = (error: AuthError): void => {
        metrics.refused('connection', error.tag)
        transport.close(error.closeCode, error.message)
      }
      let countedGroups: RelayClient['groups'] = []
      const disconnect = (): void => {
        isClosed = true
        connections?.close(countedGroups)
        countedGroups = []
        resumeReading?.()
        if (!subscriber) return
        subscriber.lease.end()
        transports.delete(transport)
        subscriptions.unsubscribe(subscriber, [...subscriber.topics.keys()])
        metrics.gone()
        subscriber = undefined
      }
      const countConnection = async (client: RelayClient): Promise<RelayClient> => {
        if (!connections) return client
        if (!(await connections.open(client.groups))) throw new AuthError('TooManyRequests', 'Too many connections')
        if (isClosed) connections.close(client.groups)
        else countedGroups = client.groups
        return client
      }
      let queue: Promise<void> = client.then(countConnection).then(
        (client) => {
          if (isClosed) return
          const lease = capacity.open(client, (why) => {
            metrics.refused('connection', `Evicted:${why}`)
            disconnect()
            // A client that does not read cannot receive a close frame either.
            if (why === 'unread') transport.terminate()
            else transport.close(tooManyRequestsCode, 'Too many requests')
          })
          if (!lease) {
            disconnect()
            refuse(new AuthError('TooManyRequests', 'Too many connections'))
            return
          }
          lease.input(queuedBytes + partialBytes)
          if (isClosed) return
          subscriber = {
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
          transports.add(transport)
          metrics.connected()
        },
        (error: unknown) => {
          if (error instanceof AuthError) {
            refuse(error)
            return
          }
          log('error', 'relay client could not be authenticated', errorFields(error))
          metrics.refused('connection', 'Internal')
          transport.close(internalErrorCode, 'The relay failed')
        },
      )
      /** Waits until the client has read its responses and is within its cost limit. */
      const untilAllowed = async (): Promise<void> => {
        while (subscriber && transport.unread() >= maxUnreadBytes)
          await new Promise<void>((resolve) => {
            resumeReading = resolve
          })
        resumeReading = undefined
        for (let ms = subscriber?.lease.waitMs() ?? 0; ms > 0; ms = subscriber?.lease.waitMs() ?? 0) await pause(ms)
      }
      /** Runs a task when its turn has come, after the earlier ones, unless `isRefused` or the client disconnects. */
      const runInOrder = (
        task: (client: ConnectedClient) => Promise<void>,
        isRefused?: (client: ConnectedClient) => Promise<boolean>,
      ): Promise<void> => {
        queue = queue.then(async () => {
          await untilAllowed()
          if (!subscriber || (await isRefused?.(subscriber))) return
          // Directly before the task: the queue measures what runs after the turn has come.
          if (subscriber) await turnOf(subscriber)
          if (subscriber) await task(subscriber)
        })
        return queue
      }
      const takeTokens = (calls: number): boolean => {
        const at = clock()
        availableTokens = Math.min(limits.burst, availableTokens + ((at - refilledAt) / 1000) * limits.perSecond)
        refilledAt = at
        if (availableTokens < calls) return false
        availableTokens -= calls
        return true
      }
      const closeAsFlooded = (): void => {
        metrics.refused('call', 'TooManyRequests')
        transport.close(tooManyRequestsCode, 'Too many requests')
        // Queued calls are dropped.
        disconnect()
      }
      return {
        async receive(frame) {
          if (isClosed) return
          partialBytes = 0
          if (!takeTokens(1)) return closeAsFlooded()
          if (Buffer.byteLength(frame) > limits.maxFrameBytes) return transport.close(1009, 'The message is too long')
          queuedBytes += frame.length
          subscriber?.lease.input(queuedBytes)
          const isRefused = async (client: ConnectedClient): Promise<boolean> => {
            client.lease.charge(frame.length + cost.call)
            const isAllowed = await authenticator.canSend(client)
            if (!isAllowed) closeAsFlooded()
            return !isAllowed
          }
          await runInOrder(
            (client) =>
              handleFrame(client, String(frame), async (more) => {
                const isAllowed = more === 0 || (takeTokens(more) && (await authenticator.canSend(client, more)))
                if (!isAllowed) closeAsFlooded()
                return isAllowed
              }),
            isRefused,
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
          resumeReading?.()
          if (subscriber) subscriptions.catchUp(subscriber)
        },
        closed: disconnect,
      }
    },
    async handleRequest(guest, text) {
      const frame = readFrame(text)
      if (!frame?.id || typeof frame.body.method !== 'string') return invalidRequest()
      try {
        if (capacity.waitMs(guest) > 0 || !(await authenticator.canSend(guest)))
          throw new AuthError('TooManyRequests', 'Too many requests')
        capacity.charge(guest, text.length + cost.call)
        await turnOf(guest)
        const call = parseRequest(frame.body.method, frame.body.params, limits)
        const { clientId: client } = guest
        const more = call.type === 'publish' ? call.publications.length - 1 : 0
        if (more > 0 && !(await authenticator.canSend(guest, more)))
          throw new AuthError('TooManyRequests', 'Too many requests')
        if (call.type === 'publish' && call.topics.length === 0) {
          await publish(guest, call.publications)
          return writeFrame(frame.id, { result: true })
        }
        if (call.type === 'fetch') {
          capacity.charge(guest, cost.topic * call.topics.length)
          const response = writeFrame(frame.id, {
            result: await subscriptions.fetch({ clientId: client, fetched: new Set() }, call.topics),
          })
          capacity.charge(guest, response.length)
          return response
        }
        if (call.type === 'receive') {
          for (const { topic, messageId } of call.receipts)
            await store.remove({ topic, id: messageId, acknowledgedBy: client })
          return writeFrame(frame.id, { result: true })
        }
        throw new RpcError('MethodNotFound', 'This call requires a connection')
      } catch (error) {
        if (error instanceof AuthError) throw error
        return refuse(frame.id, error)
      }
    },
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

function errorFields(error: unknown): Record<string, string> {
  const { name, code, stack } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
  return { error: name ?? 'unknown', ...(code ? { code } : {}), ...(stack ? { stack } : {}) }
}
