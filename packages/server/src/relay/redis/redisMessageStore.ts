import { setMaxListeners } from 'node:events'
import { errorFields } from '../../errors/errorLogFields.ts'
import { createSemaphore } from '../../resilience/semaphore.ts'
import type { Log } from '../../serverDependencies.ts'
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
} from '../messages/messageStore.ts'
import { createAcknowledgedMessages } from './acknowledgedMessages.ts'
import { forgetScript, makeRoomScript, putScript, redisPrefix, removeScript } from './luaScripts.ts'
import { parseMessage, readRedisMessages } from './readRedisMessages.ts'
import { createRedisChannels, topicChannel } from './redisChannels.ts'
import { createRedisMemory, isMemoryError, type RedisMemory } from './redisMemory.ts'
import { createRedisScriptRunner, type RedisScriptRunner, type ScriptClient } from './redisScriptRunner.ts'
import { runRedisCommand } from './redisTimeout.ts'

/**
 * The maximum number of concurrent reads. Without this limit, a slow store could fill this process with replies or block
 * writers.
 */
const maxReaders = 4
/** The number of expired messages that are removed per script call. */
const expireBatchSize = 500

/**
 * Creates a message store in Redis, so that any instance can serve any client. Each topic has a hash that lists its messages,
 * and a channel for new messages. The scripts that write messages enforce the quotas. Rejects if Redis does not respond at
 * `url`. After the first connection, the store reconnects automatically.
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
    // Without an offline queue, publishing during an outage fails immediately, so that the client is notified.
    disableOfflineQueue: true,
    pingInterval: 10_000,
  })
  const subscriber = redis.duplicate()
  const listeners = new Set<MessageListener>()
  const channels = createRedisChannels({
    subscriber,
    onMessage(text) {
      const message = parseMessage(text)
      if (!message) return
      removals.isStored(message)
      for (const listener of listeners) listener.onMessage(message)
    },
  })
  const memory = createRedisMemory({
    info: () => runRedisCommand(() => redis.info()),
    maxBytes: limits.maxBytes.process,
    log,
  })
  const put = createPut({ redis, memory, limits, now })
  const [remove, expire] = [createRedisScriptRunner(redis, removeScript), createRedisScriptRunner(redis, forgetScript)]
  const removals = createAcknowledgedMessages(
    async (...receipt) => (await runRedisCommand(() => remove(...receipt))) === 1,
    () => performance.now(),
  )
  const abortController = new AbortController()
  // Each waiting reader adds a listener, so Node's warning about many listeners is disabled.
  setMaxListeners(0, abortController.signal)
  const readers = createSemaphore({ calls: maxReaders, waiting: Number.POSITIVE_INFINITY })
  let isAvailable = false

  const ready = (): boolean => redis.isReady && subscriber.isReady

  const onError = (error: unknown): void => {
    if (isAvailable) log('warn', 'the relay’s Redis is unavailable', errorFields(error))
    isAvailable = false
  }

  /**
   * Runs when a connection is restored. Once both connections are restored, listeners must read the messages that they missed.
   */
  const onReady = async (): Promise<void> => {
    if (!ready()) return
    // There is no timeout. If restoring fails, the connection is lost and restored again.
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

  /** Releases the quotas of expired messages. Redis deletes the messages themselves. */
  const removeExpired = async (): Promise<void> => {
    while ((await runRedisCommand(() => expire(now(), expireBatchSize))) === expireBatchSize);
  }

  return {
    async put(message, owner) {
      const result = await put(message, owner)
      removals.isStored(message)
      return result
    },
    // Lists the messages first and then reads only those that pass the filter. Publishers decide how much is stored, so the
    // reader must limit how much it reads.
    async listPending(topics, isWanted = () => true) {
      const release = await readers.enter(abortController.signal)
      if (!release) throw new StoreUnavailableError('The relay is shutting down')
      try {
        const messages = await readRedisMessages({ redis, topics, isWanted, now })
        for (const message of messages) removals.isStored(message)
        return messages
      } finally {
        release()
      }
    },
    remove: removals.remove,
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
      // A value is written, because a replica or a Redis server that cannot write to its disk still responds to reads. Running
      // out of memory is reported separately.
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
        // Redis uses more memory than the quotas assume. If heavier owners cannot make room, the message is rejected.
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

/** Serializes a message's owners for the scripts. */
function ownerPath(owner: MessageOwner, limits: MessageStoreLimits): string {
  return ownersOf(owner, limits)
    .map(({ isGroup, name, share }) => `${share}~${isGroup ? 'g' : 'c'}${name}`)
    .join('>')
}
