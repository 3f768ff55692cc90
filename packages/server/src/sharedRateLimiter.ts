import type { RedisClientType } from '@redis/client'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createCircuitBreaker } from './chain/circuitBreaker.ts'
import type { Connection } from './data/databaseConnection.ts'
import { errorFields } from './errorLogFields.ts'
import type { Clock, Log, Rates } from './ports.ts'

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
const rememberedMost = 100_000

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

interface Taken {
  left: number
  readonly until: number
}

/**
 * Allowances that all instances share. An instance takes a twentieth of an allowance from the store at a time and spends
 * it by itself, so that the store is asked seldom; all instances together never let more than the allowance through. While
 * the store is away each instance counts for itself, with `fallback`.
 */
export function createSharedRates({
  store,
  fallback,
  clock,
  log,
}: {
  store: RateStore
  fallback: Rates
  /** Milliseconds that never go back. */
  clock: Clock
  log: Log
}): Rates {
  const limiters = new Map<number, RateLimiterAbstract>()
  const taken = new Map<string, Taken>()
  const refills = new Map<string, Promise<void>>()
  const breaker = createCircuitBreaker({ failures: 1, openMs: awayMs, clock })
  let isAway = false

  function limiterOf(points: number): RateLimiterAbstract {
    const limiter = limiters.get(points) ?? store.limiter(points)
    limiters.set(points, limiter)
    return limiter
  }

  function remember(whom: string, entry: Taken): void {
    taken.delete(whom)
    taken.set(whom, entry)
    if (taken.size <= rememberedMost) return
    const [oldest] = taken.keys()
    if (oldest !== undefined) taken.delete(oldest)
  }

  /** Takes from the store, as much as one part or what is asked for; answers with the seconds to wait. */
  async function refill(whom: string, points: number, count: number): Promise<number> {
    const part = Math.max(count, Math.floor(points / parts), 1)
    const result = await consumed(limiterOf(points), whom, part)
    // What of this part was still within the allowance; nothing is said of it where the store was not asked.
    const isKnown = result.consumedPoints > 0
    const granted = isKnown ? Math.min(part, points - (result.consumedPoints - part)) : 0
    const until = clock() + Math.max(0, result.msBeforeNext)
    if (granted < count) {
      if (granted > 0) remember(whom, { left: granted, until })
      return Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    }
    const before = taken.get(whom)
    const kept = before && clock() < before.until ? before.left : 0
    remember(whom, { left: kept + granted - count, until })
    return 0
  }

  return {
    async take(whom, perMinute, count = 1) {
      const points = Math.max(1, Math.floor(perMinute))
      if (count > points) return windowSeconds
      for (;;) {
        const mine = taken.get(whom)
        if (mine && clock() < mine.until && mine.left >= count) {
          mine.left -= count
          return 0
        }
        const running = refills.get(whom)
        if (!running) break
        // One question at a time about each: the others may find enough in what it brings.
        await running
      }
      if (!breaker.mayCall()) return fallback.take(whom, perMinute, count)
      const filling = refill(whom, points, count)
      const settled = filling.then(
        () => void refills.delete(whom),
        () => void refills.delete(whom),
      )
      refills.set(whom, settled)
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
        return fallback.take(whom, perMinute, count)
      }
    },
  }
}

/** What the store says, within a time limit; a refusal is an answer, too. */
async function consumed(limiter: RateLimiterAbstract, whom: string, count: number): Promise<RateLimiterRes> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      limiter.consume(whom, count),
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
