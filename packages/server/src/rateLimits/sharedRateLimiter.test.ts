import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateLimiter } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { postgresConnection } from '../storage/postgres.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { createMemoryRateLimiter } from './memoryRateLimiter.ts'
import { createSharedRateLimiter, postgresRateStore, type RateStore, redisRateStore } from './sharedRateLimiter.ts'

const pollOptions = { timeout: 30_000, interval: 100 }
const log = () => {}

function instance(store: RateStore, lines: string[] = []): RateLimiter {
  const clock = () => performance.now()
  return createSharedRateLimiter({
    store,
    fallback: createMemoryRateLimiter(clock),
    clock,
    log: (_, message) => lines.push(message),
  })
}

/** Returns how many of `tries` calls are allowed. The calls alternate between the instances. */
async function passed(instances: readonly RateLimiter[], whom: string, perMinute: number, tries: number, count = 1) {
  let through = 0
  for (let at = 0; at < tries; at += 1) {
    const rates = instances[at % instances.length] as RateLimiter
    if ((await rates.take(whom, perMinute, count)) === 0) through += 1
  }
  return through
}

describe.each(['PostgreSQL', 'Redis'] as const)('two instances that share %s', { timeout: 120_000 }, (kind) => {
  let postgres: TestPostgres | undefined
  let redis: TestRedis | undefined
  const connections: Connection[] = []
  const stores: RateStore[] = []

  beforeAll(async () => {
    if (kind === 'PostgreSQL') {
      postgres = await startPostgres()
      for (let at = 0; at < 2; at += 1) connections.push(await postgresConnection({ url: postgres.url, log }))
      stores.push(...connections.map(postgresRateStore))
    } else {
      redis = await startRedis()
      const { url } = redis
      stores.push(...(await Promise.all([0, 1].map(() => redisRateStore({ url, log })))))
    }
  }, 120_000)
  afterAll(async () => {
    await postgres?.thaw()
    redis?.thaw()
    for (const store of stores) await store.close()
    for (const connection of connections) await connection.close()
    await postgres?.stop()
    await redis?.stop()
  })

  /** Resolves to two instances once they can reach their store. Until then, each instance counts on its own. */
  async function instances(): Promise<readonly RateLimiter[]> {
    const all = stores.map((store) => instance(store))
    const probes = stores.map((store) => store.limiter(1_000_000))
    await expect
      .poll(
        () => Promise.all(probes.map((probe) => probe.consume('probe').then(() => true))).catch(() => false),
        pollOptions,
      )
      .toEqual([true, true])
    return all
  }

  test('together, the instances allow exactly as many calls as the allowance permits', async () => {
    const all = await instances()
    expect(await passed(all, 'ada', 100, 300)).toBe(100)
    // Each key has its own allowance.
    expect(await passed(all, 'bob', 7, 30)).toBe(7)
    expect(await passed(all, 'eve', 1, 10)).toBe(1)
  })

  test('a rejected call returns the time to wait', async () => {
    const [first, second] = (await instances()) as [RateLimiter, RateLimiter]
    expect(await first.take('carol', 1)).toBe(0)
    for (const rates of [first, second, first]) {
      const seconds = await rates.take('carol', 1)
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(60)
    }
  })

  test('a batch counts as several requests, and is rejected as a whole if it exceeds the allowance', async () => {
    const all = await instances()
    expect(await passed(all, 'dan', 100, 8, 30)).toBe(3)
    expect(await all[0]?.take('dan', 10, 11)).toBe(60)
  })

  test('a batch larger than the allowance is rejected without using any of the allowance', async () => {
    const [first, second] = (await instances()) as [RateLimiter, RateLimiter]
    expect(await first.take('whole', 10, 11)).toBeGreaterThan(0)
    expect(await passed([second], 'whole', 10, 12)).toBe(10)
  })

  test('concurrent calls stay within the allowance', async () => {
    const all = await instances()
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => (all[at % 2] as RateLimiter).take('flood', 40)),
    )
    expect(answers.filter((seconds) => seconds === 0).length).toBeLessThanOrEqual(40)
    expect(answers.filter((seconds) => seconds === 0).length).toBeGreaterThan(0)
  })

  test('concurrent calls query the store only once per twentieth of the allowance', async () => {
    await instances()
    const store = stores[0] as RateStore
    let questions = 0
    const counting: RateStore = {
      ...store,
      limiter(points) {
        const limiter = store.limiter(points)
        const consume = limiter.consume.bind(limiter)
        limiter.consume = (...args) => {
          questions += 1
          return consume(...args)
        }
        return limiter
      },
    }
    const rates = instance(counting)
    const answers = await Promise.all(Array.from({ length: 200 }, async () => rates.take('crowd', 1_000)))
    expect(answers.every((seconds) => seconds === 0)).toBe(true)
    expect(questions).toBe(4)
  })

  test('while the store is frozen, an instance counts on its own and logs a single warning, and afterwards it uses the store again', async () => {
    const lines: string[] = []
    await instances()
    const rates = instance(stores[0] as RateStore, lines)
    if (postgres) await postgres.freeze()
    else redis?.freeze()
    expect(await passed([rates], 'frozen', 5, 20)).toBe(5)
    expect(lines).toEqual([expect.stringContaining('each instance counts separately')])
    if (postgres) await postgres.thaw()
    else redis?.thaw()
    await expect.poll(() => Promise.resolve(rates.take('again', 1000)).then(() => lines.length), pollOptions).toBe(2)
    expect(lines[1]).toContain('is available again')
  })
})

test('an instance remembers its share of 100,000 keys, and evicts the oldest key after that', async () => {
  const keys: string[] = []
  const limiter = {
    consume: async (key: string, count: number) => {
      keys.push(key)
      return new RateLimiterRes(100, 60_000, count, true)
    },
  } as RateLimiterAbstract
  const rates = createSharedRateLimiter({
    store: { limiter: () => limiter, close: async () => {} },
    fallback: createMemoryRateLimiter(() => 0),
    clock: () => 0,
    log,
  })
  /** Returns whether the instance asked the store. */
  const asks = async (key: string): Promise<boolean> => {
    keys.length = 0
    expect(await rates.take(key, 100)).toBe(0)
    return keys.length > 0
  }
  await asks('first')
  await asks('second')
  for (let at = 2; at < 100_000; at += 1) await rates.take(`a${at}`, 100)
  expect([await asks('first'), await asks('second')]).toEqual([false, false])
  expect([await asks('one more'), await asks('second'), await asks('first')]).toEqual([true, false, true])
})
