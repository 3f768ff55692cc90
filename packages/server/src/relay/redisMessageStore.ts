import { setMaxListeners } from 'node:events'
import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import { errorFields } from '../errorLogFields.ts'
import { createSemaphore } from '../semaphore.ts'
import type { Log } from '../serverDependencies.ts'
import { chunk } from './chunk.ts'
import {
  type MessageListener,
  type MessageMetadata,
  type MessageStore,
  type MessageStoreLimits,
  messageStoreLimits,
  ownersOf,
  type PutResult,
  type RelayMessage,
  StoreUnavailableError,
  storedSize,
} from './messageStore.ts'
import { forgetScript, makeRoomScript, putScript, redisPrefix, removeScript } from './redisScripts.ts'
import { withTimeout } from './redisTimeout.ts'

/** Timeout for a Redis command and for the first connection. */
const answerMs = 3_000
/** The maximum number of channels in one SUBSCRIBE. */
const maxTopicsPerSubscribe = 1_000
/** How many topics are listed per batch, and how many messages are read per batch. */
const topicsPerBatch = 50
const messagesPerBatch = 16
/** The maximum number of concurrent reads: a slow store must not fill this process with replies or block writers. */
const maxReaders = 4

const topicKey = (topic: string): string => `${redisPrefix}t:${topic}`
const messageKey = (topic: string, id: string): string => `${redisPrefix}m:${topic}:${id}`
const topicChannel = (topic: string): string => `latchkey:relay:${topic}`

/** How many expired messages are removed per script call. */
const expireBatchSize = 500
/** The share of Redis' `maxmemory` that messages can use. The rest is reserved for overhead. */
const maxMemoryShare = 0.5

const messageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    topic: topicSchema,
    message: v.string(),
    tag: v.number(),
    attestation: v.optional(v.string()),
    publishedAt: v.number(),
    expiresAt: v.number(),
    from: v.string(),
  }),
)

/**
 * Creates a message store in Redis, so that any instance can serve any client: one hash per topic, quotas maintained by the scripts
 * that write, and a channel per topic for new messages. Rejects if no Redis responds at `url`; after that, it reconnects
 * automatically.
 */
export async function redisMessageStore({
  url,
  now,
  log,
  limits = messageStoreLimits,
}: {
  url: string
  now: () => number
  log: Log
  limits?: MessageStoreLimits
}): Promise<MessageStore> {
  const { createClient } = await import('@redis/client')
  const redis = createClient({
    url,
    RESP: 2,
    // Without an offline queue, a publish during an outage fails immediately, so that the client is notified.
    disableOfflineQueue: true,
    pingInterval: 10_000,
  })
  const subscriber = redis.duplicate()
  const subscribedTopics = new Set<string>()
  /** The subscribed channels, including abandoned topics until the next sweep. */
  const channels = new Set<string>()
  const listeners = new Set<MessageListener>()
  const abortController = new AbortController()
  // One listener per waiting reader.
  setMaxListeners(0, abortController.signal)
  const readers = createSemaphore({ calls: maxReaders, waiting: Number.POSITIVE_INFINITY })
  let unsubscribing: Promise<void> = Promise.resolve()
  let isAvailable = false

  const ready = (): boolean => redis.isReady && subscriber.isReady

  const onError = (error: unknown): void => {
    if (isAvailable) log('warn', 'the relay’s Redis is unavailable', errorFields(error))
    isAvailable = false
  }

  const run = async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      return await withTimeout(command(), answerMs)
    } catch (error) {
      throw new StoreUnavailableError(String(error))
    }
  }

  /** Runs a script by its digest, or by its text if Redis does not know it yet. */
  const script = (text: string) => {
    let digest: Promise<string> | undefined
    return async (...args: (string | number)[]): Promise<unknown> => {
      const options = { arguments: args.map(String) }
      digest ??= redis.scriptLoad(text).catch((error) => {
        digest = undefined
        throw error
      })
      return redis.evalSha(await digest, options).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.eval(text, options)
        throw error
      })
    }
  }
  const [put, remove, expire, makeRoom] = [putScript, removeScript, forgetScript, makeRoomScript].map(script) as [
    ReturnType<typeof script>,
    ReturnType<typeof script>,
    ReturnType<typeof script>,
    ReturnType<typeof script>,
  ]
  let maxBytes = limits.maxBytes.process
  let isOutOfMemory = false

  /** Limits the total to a share of Redis' `maxmemory`, so that full quotas do not fill it. Resolves to what Redis does above it. */
  const readMemory = async (): Promise<string | undefined> => {
    const info = await run(() => redis.info())
    const fields = new Map(info.split('\r\n').map((line) => line.split(':') as [string, string]))
    const maxMemory = Number(fields.get('maxmemory'))
    const isLimited = maxMemory > 0
    maxBytes = isLimited ? Math.min(limits.maxBytes.process, maxMemory * maxMemoryShare) : limits.maxBytes.process
    return isLimited ? fields.get('maxmemory_policy') : undefined
  }

  const setOutOfMemory = (isOut: boolean): void => {
    if (isOut && !isOutOfMemory) log('error', 'the relay’s Redis is out of memory', { code: 'OOM' })
    if (!isOut && isOutOfMemory) log('info', 'the relay’s Redis has memory again')
    isOutOfMemory = isOut
  }

  const onMessage = (text: string): void => {
    const message = parseMessage(text)
    if (message) for (const listener of listeners) listener.onMessage(message)
  }

  const subscribeChannels = async (topics: readonly string[]): Promise<void> => {
    await unsubscribing
    for (const topic of topics) channels.add(topic)
    for (const batch of chunk(topics, maxTopicsPerSubscribe))
      await subscriber.subscribe(batch.map(topicChannel), onMessage)
  }

  /** After an outage: listeners must read again what they have missed, once both connections are restored. */
  const onReady = async (): Promise<void> => {
    if (!ready()) return
    // Not limited in time: if it fails, the connection is lost and restored again.
    await subscribeChannels([...subscribedTopics])
    log('info', 'the relay’s Redis is available again')
    isAvailable = true
    for (const listener of listeners) listener.onGap()
  }

  for (const one of [redis, subscriber]) one.on('error', onError)
  try {
    await run(() => Promise.all([redis.connect(), subscriber.connect()]))
  } catch {
    for (const one of [redis, subscriber]) one.destroy()
    throw new Error('Could not connect to Redis at REDIS_URL.')
  }
  isAvailable = true
  for (const one of [redis, subscriber]) one.on('ready', () => void onReady().catch(() => {}))
  // If INFO is not permitted, only the configured limit applies.
  const policy = (await readMemory().catch(() => undefined)) ?? 'noeviction'
  if (policy !== 'noeviction')
    log('warn', 'the relay’s Redis evicts messages: set maxmemory-policy to noeviction', { policy })

  /** Redis expires messages itself; this updates the quotas. */
  const removeExpired = async (): Promise<void> => {
    while ((await run(() => expire(now(), expireBatchSize))) === expireBatchSize);
  }

  const readMessages = async (
    topics: readonly string[],
    isWanted: (entry: MessageMetadata) => boolean,
  ): Promise<RelayMessage[]> => {
    const keys: string[] = []
    for (const batch of chunk(topics, topicsPerBatch)) {
      const entries = await run(() =>
        Promise.all(batch.map(async (topic) => parseTopicEntries(topic, await redis.hGetAll(topicKey(topic))))),
      )
      for (const { sequence: _, expiresAt, ...entry } of entries.flat())
        if (expiresAt > now() && isWanted(entry)) keys.push(messageKey(entry.topic, entry.id))
    }
    const messages: RelayMessage[] = []
    for (const batch of chunk(keys, messagesPerBatch))
      for (const text of await run(() => redis.mGet([...batch]))) {
        const message = parseMessage(text)
        if (message) messages.push(message)
      }
    return messages
  }

  return {
    async put(message, owner = { groups: [], clientId: message.from, project: undefined }) {
      const { id, topic, from, expiresAt } = message
      const owners = ownersOf(owner, limits)
        .map(({ isGroup, name, share }) => `${share}~${isGroup ? 'g' : 'c'}${name}`)
        .join('>')
      const size = storedSize(message)
      const write = (): Promise<unknown> =>
        run(() =>
          put(
            topic,
            id,
            JSON.stringify(message),
            from,
            now(),
            expiresAt,
            size,
            owner.project ?? '-',
            owners,
            topicChannel(topic),
            limits.maxMessages,
            limits.maxTopicBytes,
            Math.floor(maxBytes),
            limits.maxBytes.project,
            limits.maxBytes.address,
            limits.maxBytes.client,
          ),
        )
      try {
        const result = await write().catch(async (error: unknown) => {
          if (!isMemoryError(error)) throw error
          // Redis is fuller than the quotas assume: heavier owners make room, otherwise the message is rejected.
          await run(() => makeRoom(now(), size, 4 * size + 65_536, owners))
          return write()
        })
        setOutOfMemory(false)
        return result as PutResult
      } catch (error) {
        if (isMemoryError(error)) setOutOfMemory(true)
        throw error
      }
    },
    // List first, then read only what passes the filter: publishers decide how much is stored, so the reader must limit how much is
    // read.
    async listPending(topics, isWanted = () => true) {
      const release = await readers.enter(abortController.signal)
      if (!release) throw new StoreUnavailableError('The relay is shutting down')
      try {
        return await readMessages(topics, isWanted)
      } finally {
        release()
      }
    },
    async remove({ topic, id, acknowledgedBy: by }) {
      await run(() => remove(topic, id, by))
    },
    async subscribe(topics) {
      for (const topic of topics) subscribedTopics.add(topic)
      await run(() => subscribeChannels(topics))
    },
    unsubscribe(topics) {
      for (const topic of topics) subscribedTopics.delete(topic)
    },
    addListener(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready,
    isOutOfMemory: () => isOutOfMemory,
    async ping() {
      if (!ready()) throw new StoreUnavailableError('Redis is not connected')
      // Writes a value, because a replica, or a Redis that cannot write to its disk, still responds to reads. Out of memory is reported
      // separately.
      const writeProbe = redis.set(`${redisPrefix}probe`, '1', { PX: 1_000 }).catch((error: unknown) => {
        if (!isMemoryError(error)) throw error
      })
      await run(() => Promise.all([writeProbe, subscriber.ping()]))
    },
    // Channels are unsubscribed in a single call, and none is subscribed meanwhile: the Redis client treats a channel that it is about
    // to unsubscribe as subscribed.
    sweep() {
      readMemory().catch(() => {})
      removeExpired().catch(() => {})
      const abandonedTopics = [...channels].filter((topic) => !subscribedTopics.has(topic))
      for (const topic of abandonedTopics) channels.delete(topic)
      unsubscribing = subscriber.unsubscribe(abandonedTopics.map(topicChannel), onMessage).catch(() => {
        // The Redis client subscribes to them again when it reconnects. The next sweep unsubscribes them.
        for (const topic of abandonedTopics) channels.add(topic)
      })
    },
    async close() {
      abortController.abort()
      for (const one of [redis, subscriber]) one.destroy()
    },
  }
}

/** Returns the pending messages of a topic, oldest first. */
function parseTopicEntries(
  topic: string,
  reply: Readonly<Record<string, string>>,
): (MessageMetadata & { readonly sequence: number; readonly expiresAt: number })[] {
  return Object.entries(reply)
    .map(([id, fields]) => {
      const [sequence, from, size, expiresAt] = fields.split(' ') as [string, string, string, string]
      return { id, topic, from, size: Number(size), expiresAt: Number(expiresAt), sequence: Number(sequence) }
    })
    .sort((a, b) => a.sequence - b.sequence)
}

/** Whether Redis rejected a command because it is out of memory. */
function isMemoryError(error: unknown): boolean {
  return error instanceof Error && /(^|\s)-?OOM\b/.test(error.message)
}

function parseMessage(text: string | null): RelayMessage | undefined {
  const parsed = v.safeParse(messageSchema, text)
  return parsed.success ? parsed.output : undefined
}
