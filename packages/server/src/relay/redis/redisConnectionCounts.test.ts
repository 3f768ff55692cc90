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
  const [one, two] = [await instance(10), await instance(10)]
  const here = at('203.0.113.7')
  let opened = 0
  for (let turn = 0; turn < 11; turn++) {
    opened += Number(await one.open(here))
    opened += Number(await two.open(here))
  }
  expect(opened).toBe(10)
  expect(await two.open(at('203.0.113.8'))).toBe(true)
  two.close(here)
  // This call is sent after the close on the same Redis connection, so the close has been processed when it resolves.
  expect(await two.open(at('198.51.100.9'))).toBe(true)
  expect([await one.open(here), await one.open(here)]).toEqual([true, false])
  await Promise.all([one.end(), two.end()])
})

test('redisConnectionCounts counts an IPv6 /56 and /48 across all /64s and instances', async () => {
  const [one, two] = [await instance(1), await instance(1)]
  let opened = 0
  for (let nth = 0; nth < 20; nth++) opened += Number(await (nth % 2 ? one : two).open(at(`2001:db8:1:${nth}::1`)))
  expect(opened).toBe(4)
  for (let nth = 1; nth < 20; nth++) opened += Number(await (nth % 2 ? one : two).open(at(`2001:db8:1:${nth}00::1`)))
  expect(opened).toBe(8)
  await Promise.all([one.end(), two.end()])
})

test('redisConnectionCounts drops the counts of a dead instance, and an instance that was only unresponsive writes its counts again', async () => {
  const [one, two] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  expect([await one.open(here), await one.open(here), await two.open(here)]).toEqual([true, true, false])
  // Simulate expired leases.
  await look.del(await look.keys('*alive:*'))
  two.renew()
  expect(await two.open(here)).toBe(true)
  one.renew()
  expect(await one.open(at('198.51.100.9'))).toBe(true)
  // The counts are written after the lease is renewed. A later response on the same connection proves that they have been
  // written.
  expect(await one.open(at('198.51.100.10'))).toBe(true)
  expect(await two.open(here)).toBe(false)
  await Promise.all([one.end(), two.end()])
})

test('redisConnectionCounts allows every connection during a Redis outage, logs the outage once, and counts the connections afterwards', async () => {
  const [one, two] = [await instance(2), await instance(2)]
  const here = at('203.0.113.7')
  await redis.kill()
  expect([await one.open(here), await one.open(here)]).toEqual([true, true])
  one.close(here)
  one.renew()
  expect(await one.open(here)).toBe(true)
  expect(one.log).toEqual(['warn: Redis is unavailable: relay connections are only counted by this instance (Error)'])
  await redis.start()
  // The other instance learns of the connections accepted during the outage, even if the first instance opens no further
  // connection.
  for (let isIn = true; isIn; ) {
    isIn = await two.open(here)
    if (isIn) two.close(here)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await one.open(here)).toBe(false)
  await Promise.all([one.end(), two.end()])
})

test('redisConnectionCounts subtracts connections that closed while an instance was disconnected from Redis', async () => {
  const clientIds = async () => [...(await look.sendCommand(['CLIENT', 'LIST'])).toString().matchAll(/^id=(\d+)/gm)]
  const two = await instance(2)
  const before = (await clientIds()).map(([, id]) => id)
  const one = await instance(2)
  const [own] = (await clientIds()).flatMap(([, id = '']) => (before.includes(id) ? [] : [id]))
  const here = at('203.0.113.7')
  expect([await one.open(here), await one.open(here), await two.open(here)]).toEqual([true, true, false])
  await look.sendCommand(['CLIENT', 'KILL', 'ID', own ?? ''])
  for (const _ of [1, 2]) one.close(here)
  await expect.poll(() => two.open(here), { timeout: 10_000 }).toBe(true)
  await Promise.all([one.end(), two.end()])
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
  const one = await instance(1)
  const here = at('203.0.113.7')
  redis.freeze()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    one.renew()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.log).toHaveLength(1)
    const opened = one.open(here)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await opened).toBe(true)
    expect(one.log).toEqual([
      'warn: Redis is unavailable: relay connections are only counted by this instance (TimeoutError)',
    ])
    const ended = one.end()
    await vi.advanceTimersByTimeAsync(1_000)
    await ended
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
    redis.thaw()
  }
})

test('redisConnectionCounts queries Redis only if there is something to count', async () => {
  const one = await instance()
  const here = at('203.0.113.7')
  await look.configResetStat()
  // An unknown or loopback address has no groups.
  expect(await one.open([])).toBe(true)
  one.close([])
  // The lease is still valid, so only the lease is written.
  one.renew()
  expect([await one.open(here), await one.open(here)]).toEqual([true, true])
  expect([await callsOf('eval'), await callsOf('set')]).toEqual([2, 1])
  // An expired lease is renewed, and the counts of all groups that have connections are written in one call.
  for (const [open, address] of [
    [one.open, '198.51.100.9'],
    [one.open, '192.0.2.1'],
  ] as const)
    await open(at(address))
  one.close(at('192.0.2.1'))
  await look.flushAll()
  one.renew()
  await expect.poll(() => look.keys('*:c:*'), { interval: 5 }).toHaveLength(4)
  expect(await callsOf('eval')).toBe(6)
  await one.end()
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
