import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressGroups } from '../clientAddress.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { redisConnectionCounts } from './redisConnectionCounts.ts'

let redis: TestRedis
let look: {
  flushAll(): Promise<unknown>
  del(keys: string[]): Promise<unknown>
  keys(pattern: string): Promise<string[]>
  destroy(): void
}
beforeAll(async () => {
  redis = await startRedis()
  const { createClient } = await import('@redis/client')
  look = await createClient({ url: redis.url })
    .on('error', () => {})
    .connect()
}, 30_000)
beforeEach(() => look.flushAll())
afterAll(async () => {
  look.destroy()
  await redis.stop()
})

async function instance(perAddress = 100) {
  const log: string[] = []
  let renew = (): void => {}
  const connections = await redisConnectionCounts({
    url: redis.url,
    perAddress,
    log: (_, message) => void log.push(message),
    every: (_, task) => {
      renew = task
      return () => {}
    },
  })
  return { ...connections, log, renew: () => renew() }
}
const at = (address: string) => [...addressGroups(address)].reverse()

test('redisConnections counts an address across all instances, and subtracts closed connections', async () => {
  const [one, two] = [await instance(), await instance()]
  const here = at('203.0.113.7')
  let opened = 0
  for (let turn = 0; turn < 101; turn++) {
    opened += Number(await one.open(here))
    opened += Number(await two.open(here))
  }
  expect(opened).toBe(100)
  expect(await two.open(at('203.0.113.8'))).toBe(true)
  two.close(here)
  // Sent after it, on the same connection.
  expect(await two.open(at('198.51.100.9'))).toBe(true)
  expect([await one.open(here), await one.open(here)]).toEqual([true, false])
  await Promise.all([one.end(), two.end()])
})

test('redisConnections counts an IPv6 /56 and /48, across all /64 and instances', async () => {
  const [one, two] = [await instance(1), await instance(1)]
  let opened = 0
  for (let nth = 0; nth < 20; nth++) opened += Number(await (nth % 2 ? one : two).open(at(`2001:db8:1:${nth}::1`)))
  expect(opened).toBe(4)
  for (let nth = 1; nth < 20; nth++) opened += Number(await (nth % 2 ? one : two).open(at(`2001:db8:1:${nth}00::1`)))
  expect(opened).toBe(8)
  await Promise.all([one.end(), two.end()])
})

test('redisConnections drops the counts of a dead instance; an instance that was only unresponsive reports its counts again', async () => {
  const [one, two] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  expect([await one.open(here), await one.open(here), await two.open(here)]).toEqual([true, true, false])
  // The lease expires.
  await look.del(await look.keys('*alive:*'))
  two.renew()
  expect(await two.open(here)).toBe(true)
  one.renew()
  expect(await one.open(at('198.51.100.9'))).toBe(true)
  expect(await two.open(here)).toBe(false)
  await Promise.all([one.end(), two.end()])
})

test('redisConnections allows every connection during a Redis outage, logs it once, and counts them afterwards', async () => {
  const [one, two] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  await redis.kill()
  expect([await one.open(here), await one.open(here)]).toEqual([true, true])
  expect(one.log).toEqual(['Redis is unavailable: relay connections are only counted by this instance'])
  await redis.start()
  // The other instance learns of connections accepted during the outage, without any new connection here.
  for (let isIn = true; isIn; ) {
    isIn = await two.open(here)
    if (isIn) two.close(here)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await one.open(here)).toBe(false)
  await Promise.all([one.end(), two.end()])
})
