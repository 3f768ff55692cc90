import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ipAddressGroups } from '../../ipAddresses/ipAddressGroups.ts'
import { startRedis, type TestRedis } from '../../testing/redis.ts'
import { redisConnectionCounts } from './redisConnectionCounts.ts'

let redis: TestRedis
let look: Awaited<ReturnType<typeof connectTo>>
beforeAll(async () => {
  redis = await startRedis()
  look = await connectTo(redis.url)
}, 30_000)
beforeEach(() => look.flushAll())
afterAll(async () => {
  look.destroy()
  await redis.stop()
})

async function connectTo(url: string) {
  const { createClient } = await import('@redis/client')
  return createClient({ url, RESP: 2 })
    .on('error', () => {})
    .connect()
}

/** Resolves to the number of times Redis has received a command since CONFIG RESETSTAT. */
const callsOf = async (name: string): Promise<number> =>
  Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(await look.info('commandstats'))?.[1] ?? 0)

async function instance(perAddress = 100) {
  const log: string[] = []
  let renew = (): void => {}
  const connections = await redisConnectionCounts({
    url: redis.url,
    perAddress,
    log: (level, message, fields) => void log.push(`${level}: ${message} (${fields?.error})`),
    every: (_, task) => {
      renew = task
      return () => {}
    },
  })
  return { ...connections, log, renew: () => renew() }
}
const at = (address: string) => [...ipAddressGroups(address)].reverse()

test('redisConnectionCounts counts an address across all instances and subtracts closed connections', async () => {
  const [first, second] = [await instance(10), await instance(10)]
  const here = at('203.0.113.7')
  let opened = 0
  for (let turn = 0; turn < 11; turn++) {
    opened += Number(await first.open(here))
    opened += Number(await second.open(here))
  }
  expect(opened).toBe(10)
  expect(await second.open(at('203.0.113.8'))).toBe(true)
  second.close(here)
  // This call is sent after the close on the same Redis connection, so the close has been processed when it resolves.
  expect(await second.open(at('198.51.100.9'))).toBe(true)
  expect([await first.open(here), await first.open(here)]).toEqual([true, false])
  await Promise.all([first.end(), second.end()])
})

test('redisConnectionCounts counts an IPv6 /56 and /48 across all /64s and instances', async () => {
  const [first, second] = [await instance(1), await instance(1)]
  let opened = 0
  for (let nth = 0; nth < 20; nth++) opened += Number(await (nth % 2 ? first : second).open(at(`2001:db8:1:${nth}::1`)))
  expect(opened).toBe(4)
  for (let nth = 1; nth < 20; nth++)
    opened += Number(await (nth % 2 ? first : second).open(at(`2001:db8:1:${nth}00::1`)))
  expect(opened).toBe(8)
  await Promise.all([first.end(), second.end()])
})

test('redisConnectionCounts drops the counts of a dead instance, and an instance that was only unresponsive writes its counts again', async () => {
  const [first, second] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  expect([await first.open(here), await first.open(here), await second.open(here)]).toEqual([true, true, false])
  // Simulate expired leases.
  await look.del(await look.keys('*alive:*'))
  second.renew()
  expect(await second.open(here)).toBe(true)
  first.renew()
  expect(await first.open(at('198.51.100.9'))).toBe(true)
  // The counts are written after the lease is renewed. A later response on the same connection proves that they have been
  // written.
  expect(await first.open(at('198.51.100.10'))).toBe(true)
  expect(await second.open(here)).toBe(false)
  await Promise.all([first.end(), second.end()])
})

test('redisConnectionCounts allows every connection during a Redis outage, logs the outage once, and counts the connections afterwards', async () => {
  const [first, second] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  await redis.kill()
  expect([await first.open(here), await first.open(here)]).toEqual([true, true])
  first.close(here)
  first.renew()
  expect(await first.open(here)).toBe(true)
  expect(first.log).toEqual(['warn: Redis is unavailable: relay connections are only counted by this instance (Error)'])
  await redis.start()
  // The other instance learns of the connections accepted during the outage, even if the first instance opens no further
  // connection.
  for (let isIn = true; isIn; ) {
    isIn = await second.open(here)
    if (isIn) second.close(here)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await first.open(here)).toBe(false)
  await Promise.all([first.end(), second.end()])
})

test('redisConnectionCounts subtracts connections that closed while an instance was disconnected from Redis', async () => {
  const clientIds = async () => [...(await look.sendCommand(['CLIENT', 'LIST'])).toString().matchAll(/^id=(\d+)/gm)]
  const second = await instance(2)
  const before = (await clientIds()).map(([, id]) => id)
  const first = await instance(2)
  const [own] = (await clientIds()).flatMap(([, id = '']) => (before.includes(id) ? [] : [id]))
  const here = at('203.0.113.7')
  expect([await first.open(here), await first.open(here), await second.open(here)]).toEqual([true, true, false])
  await look.sendCommand(['CLIENT', 'KILL', 'ID', own ?? ''])
  for (const _ of [1, 2]) first.close(here)
  await expect.poll(() => second.open(here), { timeout: 10_000 }).toBe(true)
  await Promise.all([first.end(), second.end()])
}, 20_000)

test('redisConnectionCounts logs each outage, including one that began before the server started', async () => {
  await redis.kill()
  const log: string[] = []
  const starting = redisConnectionCounts({ url: redis.url, perAddress: 1, log: (_, message) => void log.push(message) })
  await expect.poll(() => log, { interval: 5 }).toHaveLength(1)
  await redis.start()
  const connections = await starting
  await expect.poll(() => look.ping().catch(() => ''), { interval: 5 }).toBe('PONG')
  const { id } = (await look.clientList()).find((client) => client.cmd !== 'client|list') ?? { id: 0 }
  await look.flushAll()
  await look.sendCommand(['CLIENT', 'KILL', 'ID', String(id)])
  await expect.poll(() => log, { interval: 5 }).toHaveLength(2)
  // The instance is connected again, because it has renewed its lease.
  await expect.poll(() => look.keys('*alive:*'), { interval: 5 }).toHaveLength(1)
  await connections.end()
})

test('if Redis is frozen, redisConnectionCounts stops waiting after one second and counts only its own connections', async () => {
  const first = await instance(1)
  const here = at('203.0.113.7')
  redis.freeze()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    first.renew()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(first.log).toHaveLength(1)
    const opened = first.open(here)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await opened).toBe(true)
    expect(first.log).toEqual([
      'warn: Redis is unavailable: relay connections are only counted by this instance (TimeoutError)',
    ])
    const ended = first.end()
    await vi.advanceTimersByTimeAsync(1_000)
    await ended
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
    redis.thaw()
  }
})

test('redisConnectionCounts queries Redis only if there is something to count', async () => {
  const first = await instance()
  const here = at('203.0.113.7')
  await look.configResetStat()
  // An unknown or loopback address has no groups.
  expect(await first.open([])).toBe(true)
  first.close([])
  // The lease is still valid, so only the lease is written.
  first.renew()
  expect([await first.open(here), await first.open(here)]).toEqual([true, true])
  expect([await callsOf('eval'), await callsOf('set')]).toEqual([2, 1])
  // An expired lease is renewed, and the counts of all groups that have connections are written in one call.
  for (const [open, address] of [
    [first.open, '198.51.100.9'],
    [first.open, '192.0.2.1'],
  ] as const)
    await open(at(address))
  first.close(at('192.0.2.1'))
  await look.flushAll()
  first.renew()
  await expect.poll(() => look.keys('*:c:*'), { interval: 5 }).toHaveLength(4)
  expect(await callsOf('eval')).toBe(6)
  await first.end()
})

test('redisConnectionCounts renews its lease every ten seconds, and end() deletes the lease', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const connections = await redisConnectionCounts({ url: redis.url, perAddress: 1, log: () => {} })
  const [lease] = await look.keys('*alive:*')
  const leftMs = (): Promise<number> => look.pTTL(lease as string)
  expect(await leftMs()).toBeGreaterThan(20_000)
  await look.pExpire(lease as string, 15_000)
  vi.advanceTimersByTime(9_999)
  await connections.open(at('203.0.113.7'))
  expect(await leftMs()).toBeLessThanOrEqual(15_000)
  vi.advanceTimersByTime(1)
  await expect.poll(leftMs, { interval: 5 }).toBeGreaterThan(15_000)
  await connections.end()
  expect(await look.keys('*alive:*')).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  await expect.poll(() => look.clientList(), { interval: 5 }).toHaveLength(1)
})
