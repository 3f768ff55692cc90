import { setMaxListeners } from 'node:events'
import { errorFields } from '../errorLogFields.ts'
import { createSemaphore } from '../semaphore.ts'
import type { Log } from '../serverDependencies.ts'
import { forgetScript, makeRoomScript, putScript, redisPrefix, removeScript } from './luaScripts.ts'
import {
  type MessageListener,
  type MessageOwner,
  type MessageStore,
  type MessageStoreLimits,
  messageStoreLimits,
  ownersOf,
  type PutResult,
  StoreUnavailableError,
  storedSize,
} from './messageStore.ts'
import { parseMessage, readRedisMessages } from './readRedisMessages.ts'
import { createRedisChannels, topicChannel } from './redisChannels.ts'
import { createRedisMemory, isMemoryError, type RedisMemory } from './redisMemory.ts'
import { createRedisScriptRunner, type RedisScriptRunner, type ScriptClient } from './redisScriptRunner.ts'
import { runRedisCommand } from './redisTimeout.ts'

/** The maximum number of concurrent reads: a slow store must not fill this process with replies or block writers. */
const maxReaders = 4
/** How many expired messages are removed per script call. */
const expireBatchSize = 500

/**
 * Creates a message store in Redis, so that any instance can serve any client: one hash per topic, quotas maintained by the scripts
 * that write, and a channel per topic for new messages. Rejects if no Redis responds at `url`; after that, it reconnects
 * automatically.
 *
 * @example
 * const store = await redisMessageStore({ url: 'redis://localhost:6379', now: Date.now, log })
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
  const listeners = new Set<MessageListener>()
  const channels = createRedisChannels({
    subscriber,
    onMessage(text) {
      const message = parseMessage(text)
      if (message) for (const listener of listeners) listener.onMessage(message)
    },
  })
  const memory = createRedisMemory({
    info: () => runRedisCommand(() => redis.info()),
    maxBytes: limits.maxBytes.process,
    log,
  })
  const put = createPut({ redis, memory, limits, now })
  const [remove, expire] = [createRedisScriptRunner(redis, removeScript), createRedisScriptRunner(redis, forgetScript)]
  const abortController = new AbortController()
  // One listener per waiting reader.
  setMaxListeners(0, abortController.signal)
  const readers = createSemaphore({ calls: maxReaders, waiting: Number.POSITIVE_INFINITY })
  let isAvailable = false

  const ready = (): boolean => redis.isReady && subscriber.isReady

  const onError = (error: unknown): void => {
    if (isAvailable) log('warn', 'the relay’s Redis is unavailable', errorFields(error))
    isAvailable = false
  }

  /** Runs after an outage. Once both connections are restored, listeners must read again what they have missed. */
  const onReady = async (): Promise<void> => {
    if (!ready()) return
    // Has no timeout: if it fails, the connection is lost and restored again.
    await channels.restore()
    log('info', 'the relay’s Redis is available again')
    isAvailable = true
    for (const listener of listeners) listener.onGap()
  }

  for (const client of [redis, subscriber]) client.on('error', onError)
  try {
    await runRedisCommand(() => Promise.all([redis.connect(), subscriber.connect()]))
  } catch {
    for (const client of [redis, subscriber]) client.destroy()
    throw new Error('Could not connect to Redis at REDIS_URL.')
  }
  isAvailable = true
  for (const client of [redis, subscriber]) client.on('ready', () => void onReady().catch(() => {}))
  // If INFO is not permitted, only the configured limit applies.
  const policy = (await memory.read().catch(() => undefined)) ?? 'noeviction'
  if (policy !== 'noeviction')
    log('warn', 'the relay’s Redis evicts messages: set maxmemory-policy to noeviction', { policy })

  /** Redis expires messages itself; this updates the quotas. */
  const removeExpired = async (): Promise<void> => {
    while ((await runRedisCommand(() => expire(now(), expireBatchSize))) === expireBatchSize);
  }

  return {
    put,
    // List first, then read only what passes the filter: publishers decide how much is stored, so the reader must limit how much is
    // read.
    async listPending(topics, isWanted = () => true) {
      const release = await readers.enter(abortController.signal)
      if (!release) throw new StoreUnavailableError('The relay is shutting down')
      try {
        return await readRedisMessages({ redis, topics, isWanted, now })
      } finally {
        release()
      }
    },
    async remove({ topic, id, acknowledgedBy }) {
      await runRedisCommand(() => remove(topic, id, acknowledgedBy))
    },
    subscribe: (topics) => runRedisCommand(() => channels.subscribe(topics)),
    unsubscribe: channels.unsubscribe,
    addListener(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready,
    isOutOfMemory: memory.isOutOfMemory,
    async ping() {
      if (!ready()) throw new StoreUnavailableError('Redis is not connected')
      // Writes a value, because a replica, or a Redis that cannot write to its disk, still responds to reads. Out of memory is reported
      // separately.
      const writeProbe = redis.set(`${redisPrefix}probe`, '1', { PX: 1_000 }).catch((error: unknown) => {
        if (!isMemoryError(error)) throw error
      })
      await runRedisCommand(() => Promise.all([writeProbe, subscriber.ping()]))
    },
    sweep() {
      memory.read().catch(() => {})
      removeExpired().catch(() => {})
      channels.sweep()
    },
    async close() {
      abortController.abort()
      for (const client of [redis, subscriber]) client.destroy()
    },
  }
}

/** Creates the function that stores a message and counts it against its owners' quotas. */
function createPut({
  redis,
  memory,
  limits,
  now,
}: {
  redis: ScriptClient
  memory: RedisMemory
  limits: MessageStoreLimits
  now: () => number
}): MessageStore['put'] {
  const put: RedisScriptRunner = createRedisScriptRunner(redis, putScript)
  const makeRoom = createRedisScriptRunner(redis, makeRoomScript)

  return async (message, owner = { groups: [], clientId: message.from, project: undefined }) => {
    const { id, topic, from, expiresAt } = message
    const owners = ownerPath(owner, limits)
    const size = storedSize(message)
    const write = (): Promise<unknown> =>
      runRedisCommand(() =>
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
          Math.floor(memory.maxBytes()),
          limits.maxBytes.project,
          limits.maxBytes.address,
          limits.maxBytes.client,
        ),
      )
    try {
      const result = await write().catch(async (error: unknown) => {
        if (!isMemoryError(error)) throw error
        // Redis is fuller than the quotas assume: heavier owners make room, otherwise the message is rejected.
        await runRedisCommand(() => makeRoom(now(), size, 4 * size + 65_536, owners))
        return write()
      })
      memory.setOutOfMemory(false)
      return result as PutResult
    } catch (error) {
      if (isMemoryError(error)) memory.setOutOfMemory(true)
      throw error
    }
  }
}

/** Serializes the owners of a message for the scripts. */
function ownerPath(owner: MessageOwner, limits: MessageStoreLimits): string {
  return ownersOf(owner, limits)
    .map(({ isGroup, name, share }) => `${share}~${isGroup ? 'g' : 'c'}${name}`)
    .join('>')
}
