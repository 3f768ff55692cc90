import { errorFields } from '../errors/errorLogFields.ts'
import type { Clock, Log, RateLimiter } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { createMemoryRateLimiter } from './memoryRateLimiter.ts'
import { createSharedRateLimiter, postgresRateStore, redisRateStore } from './sharedRateLimiter.ts'

const minuteMs = 60_000

/** A rate limiter and a function that closes its store. */
export interface ConfiguredRateLimiter {
  readonly rateLimiter: RateLimiter
  close(): Promise<void>
}

/**
 * Creates the rate limiter. It is shared through Redis or PostgreSQL if either is configured. Otherwise, it is local to this
 * process.
 */
export async function rateLimiterFromConfig({
  redisUrl,
  connection,
  clock,
  log,
}: {
  redisUrl: string | undefined
  connection: Connection
  clock: Clock
  log: Log
}): Promise<ConfiguredRateLimiter> {
  const fallback = createMemoryRateLimiter(clock)
  const store = redisUrl
    ? await redisRateStore({ url: redisUrl, log })
    : connection.query && postgresRateStore(connection)
  return {
    rateLimiter: store ? createSharedRateLimiter({ store, fallback, clock, log }) : fallback,
    close: async () => store?.close(),
  }
}

/** Deletes expired rate limits from the database every minute. Returns a function that stops the cleanup. */
export function startRateLimitCleanup({ connection, log }: { connection: Connection; log: Log }): () => void {
  const timer = setInterval(() => {
    connection
      .query?.({ text: 'delete from rate_limits where expire < $1', values: [Date.now()] })
      .catch((error: unknown) => log('warn', 'could not delete expired rate limits', errorFields(error)))
  }, minuteMs)
  timer.unref()
  return () => clearInterval(timer)
}
