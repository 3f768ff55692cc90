import type { RedisClientType } from '@redis/client'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createCircuitBreaker } from './chain/circuitBreaker.ts'
import type { Connection } from './data/databaseConnection.ts'
import { errorFields } from './errorLogFields.ts'
import type { Clock, Log, RateLimiter } from './serverPorts.ts'

/** Where allowances are counted for all instances. */
export interface RateStore {
  /** A limiter of `points` per minute. */
  limiter(points: number): RateLimiterAbstract
  close(): Promise<void>
}

const windowSeconds = 60
/** How long a store may take; longer, and this instance counts for itself. */
const answerMs = 300
const awayMs = 2000
/** How many parts an allowance is taken from the store in: fewer questions, and hardly less fair. */
const parts = 20
/** More than this are not remembered at once; the ones that were asked for longest ago are forgotten first. */
const maxRemembered = 100_000

/** Allowances in PostgreSQL, in the table of the migrations. */
export function postgresRateStore(connection: Connection): RateStore {
  const { query } = connection
  if (!query) throw new Error('Only a PostgreSQL server counts for several instances.')
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

/** Allowances in Redis, through a connection of their own. */
export async function redisRateStore({ url, log }: { url: string; log: Log }): Promise<RateStore> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: 10_000,
    socket: { reconnectStrategy: (tries) => Math.min(2000, 50 * 2 ** Math.min(tries, 6)) },
  }) as RedisClientType
  client.on('error', (error) => log('debug', 'the Redis of the rate limits is away', errorFields(error)))
  // Not waited for: while it is away each instance counts for itself.
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
 * Allowances that all instances share. An instance takes a twentieth of an allowance from the store at a time and spends
 * it by itself, so that the store is asked seldom; all instances together never let more than the allowance through. While
 * the store is away each instance counts for itself, with `fallback`.
 */
export function createSharedRateLimiter({
  store,
  fallback,
  clock,
  log,
}: {
  store: RateStore
  fallback: RateLimiter
  /** Milliseconds that never go back. */
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

  /** Takes from the store, as much as one part or what is asked for; answers with the seconds to wait. */
  async function refill(key: string, points: number, count: number): Promise<number> {
    const part = Math.max(count, Math.floor(points / parts), 1)
    const result = await consumed(limiterOf(points), key, part)
    // What of this part was still within the allowance; nothing is said of it where the store was not asked.
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
        // One question at a time about each: the others may find enough in what it brings.
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
        if (isAway) log('info', 'the store of the rate limits is back')
        isAway = false
        return seconds
      } catch (error) {
        breaker.failed()
        if (!isAway)
          log('warn', 'the store of the rate limits is away: each instance counts for itself', errorFields(error))
        isAway = true
        return fallback.take(key, perMinute, count)
      }
    },
  }
}

/** What the store says, within a time limit; a refusal is an answer, too. */
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
