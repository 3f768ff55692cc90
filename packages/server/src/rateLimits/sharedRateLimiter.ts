import type { RedisClientType } from '@redis/client'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { errorFields } from '../errors/errorLogFields.ts'
import { createCircuitBreaker } from '../resilience/circuitBreaker.ts'
import type { Clock, Log, RateLimiter } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'

/** A store for rate limits that all instances share. */
export interface RateStore {
  /** Returns a limiter that allows `points` per minute. */
  limiter(points: number): RateLimiterAbstract
  close(): Promise<void>
}

const windowSeconds = 60
/** The timeout for a store query. When it expires, this instance counts on its own. */
const answerMs = 300
const awayMs = 2000
/**
 * The number of parts into which an allowance is divided. An instance takes one part per query, which keeps queries rare at a
 * small cost in fairness.
 */
const parts = 20
/** The maximum number of tracked keys. The least recently used key is evicted first. */
const maxRemembered = 100_000

/** Creates a store that keeps allowances in PostgreSQL, in a table created by the migrations. */
export function postgresRateStore(connection: Connection): RateStore {
  const { query } = connection
  if (!query) throw new Error('Shared rate limits require a PostgreSQL server.')
  const client = { query }
  return {
    limiter: (points) =>
      new RateLimiterPostgres({
        storeClient: client,
        storeType: 'client',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: '',
        points,
        duration: windowSeconds,
        inMemoryBlockOnConsumed: points,
      }),
    close: async () => {},
  }
}

/** Creates a store that keeps allowances in Redis, over a separate connection. */
export async function redisRateStore({ url, log }: { url: string; log: Log }): Promise<RateStore> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: 10_000,
    socket: { reconnectStrategy: (tries) => Math.min(2000, 50 * 2 ** Math.min(tries, 6)) },
  }) as RedisClientType
  client.on('error', (error) => log('debug', 'the rate limiter’s Redis is unavailable', errorFields(error)))
  // Not awaited, because each instance counts on its own while Redis is unreachable.
  client.connect().catch(() => {})
  return {
    limiter: (points) =>
      new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: 'latchkey:rate',
        points,
        duration: windowSeconds,
        inMemoryBlockOnConsumed: points,
      }),
    close: async () => client.destroy(),
  }
}

interface TakenTokens {
  left: number
  readonly until: number
}

/**
 * Creates a rate limiter that all instances share. To reduce queries, an instance takes a twentieth of an allowance from the
 * store at a time and uses it locally. Together, the instances never exceed the allowance. While the store is unreachable, each
 * instance counts on its own, using `fallback`.
 */
export function createSharedRateLimiter({
  store,
  fallback,
  clock,
  log,
}: {
  store: RateStore
  fallback: RateLimiter
  /** Monotonic milliseconds. */
  clock: Clock
  log: Log
}): RateLimiter {
  const limiters = new Map<number, RateLimiterAbstract>()
  const taken = new Map<string, TakenTokens>()
  const refills = new Map<string, Promise<void>>()
  const breaker = createCircuitBreaker({ failures: 1, openMs: awayMs, clock })
  let isAway = false

  function limiterOf(points: number): RateLimiterAbstract {
    const limiter = limiters.get(points) ?? store.limiter(points)
    limiters.set(points, limiter)
    return limiter
  }

  function remember(key: string, entry: TakenTokens): void {
    taken.delete(key)
    taken.set(key, entry)
    if (taken.size <= maxRemembered) return
    const [oldest] = taken.keys()
    if (oldest !== undefined) taken.delete(oldest)
  }

  /** Takes one part from the store, or `count` tokens if `count` is larger. Resolves to the seconds to wait. */
  async function refill(key: string, points: number, count: number): Promise<number> {
    const part = Math.max(count, Math.floor(points / parts), 1)
    const result = await consumed(limiterOf(points), key, part)
    // `granted` is the amount of this part that was within the allowance. It is unknown if the limiter rejected the call without
    // querying the store.
    const isKnown = result.consumedPoints > 0
    const granted = isKnown ? Math.min(part, points - (result.consumedPoints - part)) : 0
    const until = clock() + Math.max(0, result.msBeforeNext)
    if (granted < count) {
      if (granted > 0) remember(key, { left: granted, until })
      return Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    }
    const before = taken.get(key)
    const remaining = before && clock() < before.until ? before.left : 0
    remember(key, { left: remaining + granted - count, until })
    return 0
  }

  return {
    async take(key, perMinute, count = 1) {
      const points = Math.max(1, Math.floor(perMinute))
      if (count > points) return windowSeconds
      for (;;) {
        const entry = taken.get(key)
        if (entry && clock() < entry.until && entry.left >= count) {
          entry.left -= count
          return 0
        }
        const running = refills.get(key)
        if (!running) break
        // Only one query per key runs at a time, because the part it takes can be enough for the waiting calls too.
        await running
      }
      if (!breaker.canCall()) return fallback.take(key, perMinute, count)
      const filling = refill(key, points, count)
      const settled = filling.then(
        () => void refills.delete(key),
        () => void refills.delete(key),
      )
      refills.set(key, settled)
      try {
        const seconds = await filling
        breaker.succeeded()
        if (isAway) log('info', 'the rate limit store is available again')
        isAway = false
        return seconds
      } catch (error) {
        breaker.failed()
        if (!isAway)
          log('warn', 'the rate limit store is unavailable: each instance counts separately', errorFields(error))
        isAway = true
        return fallback.take(key, perMinute, count)
      }
    },
  }
}

/** Resolves to the store's response, including when the limit is exceeded. Rejects after a timeout. */
async function consumed(limiter: RateLimiterAbstract, key: string, count: number): Promise<RateLimiterRes> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      limiter.consume(key, count),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('timeout expired')), answerMs)
      }),
    ])
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    throw error
  } finally {
    clearTimeout(timer)
  }
}
