import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../config/readConfig.ts'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import { digestedGroups } from '../ipAddresses/ipAddressGroups.ts'
import { createMemoryQuota } from '../memoryLimits/memoryQuota.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { relayHost, relayToken } from '../testing/relayToken.ts'
import { relayFromConfig } from './relayFromConfig.ts'

const topic = 'ab'.repeat(32)
const address = '203.0.113.7'
const shop: Project = { id: 'shop', name: '', allowedOrigins: [], features: [], analytics: false }
const ends: (() => Promise<unknown>)[] = []
let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
}, 30_000)
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => redis.stop())

/** Creates a relay with the given settings. All of its clients share one address, unless a call specifies a different address. */
async function relayWith(settings: Record<string, string> = {}, projects: readonly Project[] = []) {
  const metrics = createMetrics()
  const heldBytes = createMemoryQuota(10_000_000)
  const relay = await relayFromConfig({
    config: readConfig(settings).relay,
    dependencies: {
      projects: inMemoryProjects(projects),
      rateLimiter: createMemoryRateLimiter(() => performance.now()),
      metrics,
      log: () => {},
      heldBytes,
    },
    clientAddressOf: () => address,
  })
  ends.push(() => relay.close())
  const listener = createServer().on('upgrade', relay.sockets.upgrade)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => listener.close(resolve)))
  const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  return {
    relay,
    metrics,
    heldBytes,
    /** Makes a call over HTTP. Resolves to the result or to the error name. */
    async call(
      method: string,
      params: object,
      { auth = relayToken(Date.now()), from = address }: { auth?: string; from?: string } = {},
    ): Promise<unknown> {
      const request = new Request(`https://${relayHost}/rpc?projectId=shop`, {
        headers: { host: relayHost, authorization: `Bearer ${auth}` },
      })
      const text = JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })
      const { body } = await relay.calls.call(request, from, async () => text)
      const { result, error } = JSON.parse(body) as { result?: unknown; error?: { data: string } }
      return error?.data ?? result
    },
    /** Opens a WebSocket and records its messages and close code. */
    open() {
      const auth = relayToken(Date.now(), { aud: `ws://${host}` })
      const socket = new WebSocket(`ws://${host}/?projectId=shop&useOnCloseEvent=true&auth=${auth}`)
      const frames: Record<string, unknown>[] = []
      const waiting = new Set<() => void>()
      let code: number | undefined
      const runChecks = (): void => {
        for (const look of waiting) look()
      }
      socket.on('message', (data) => {
        frames.push(JSON.parse(String(data)) as Record<string, unknown>)
        runChecks()
      })
      socket.on('close', (closeCode) => {
        code = closeCode
        runChecks()
      })
      const until = <T>(find: () => T | undefined): Promise<T> =>
        new Promise((resolve) => {
          const look = (): void => {
            const found = find()
            if (found !== undefined) resolve(found)
          }
          waiting.add(look)
          look()
        })
      return {
        closed: () => until(() => code),
        /** Resolves to the first frame with the given method, or to the first response if no method is given. */
        received: (method?: string) => until(() => frames.find((frame) => frame.method === method)),
        subscribe: () =>
          socket.once('open', () =>
            socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_subscribe', params: { topic } })),
          ),
      }
    },
  }
}

const publication = (message = 'AA==') => ({ topic, message, ttl: 300, tag: 1100 })
const large = (letter: string) => publication(letter.repeat(600_000))

test.each([
  ['in total', { RELAY_MAX_STORED_BYTES: '1048576' }],
  ['per address', { RELAY_MAX_STORED_BYTES_PER_ADDRESS: '1048576' }],
  ['per address, as half of the address’s memory quota', { MAX_BYTES_PER_ADDRESS: '2000000' }],
  ['per client', { RELAY_MAX_STORED_BYTES_PER_CLIENT: '1048576' }],
  ['per project', { RELAY_MAX_STORED_BYTES_PER_PROJECT: '1000000' }],
])('applies the configured limit for stored messages: %s', async (_, settings) => {
  const { call } = await relayWith(settings, [shop])
  const auth = relayToken(Date.now())
  const answers = [await call('irn_publish', large('a'), { auth }), await call('irn_publish', large('b'), { auth })]
  expect(answers).toEqual([true, 'MailboxLimitExceeded'])
})

test('limits the number of calls and connections per minute from an address', async () => {
  const calls = await relayWith({ RELAY_MESSAGES_PER_ADDRESS: '3' })
  const answers = []
  for (let turn = 0; turn < 4; turn += 1) answers.push(await calls.call('irn_publish', publication()))
  expect(answers).toEqual([true, true, true, 'TooManyRequests'])
  expect(await calls.call('irn_publish', publication(), { from: '198.51.100.9' })).toBe(true)
  const connections = await relayWith({ RELAY_CONNECTIONS_PER_ADDRESS: '1' })
  expect(await connections.call('irn_publish', publication())).toBe(true)
  expect(await connections.call('irn_publish', publication())).toBe('TooManyRequests')
})

test('accepts only tokens for the configured host names', async () => {
  const { call } = await relayWith({ RELAY_HOSTS: 'relay.shop.example' })
  expect(await call('irn_publish', publication())).toBe('InvalidJwt')
  const auth = relayToken(Date.now(), { aud: 'wss://relay.shop.example' })
  expect(await call('irn_publish', publication(), { auth })).toBe(true)
})

test('stored messages count towards the memory quota of their address', async () => {
  const { call, heldBytes } = await relayWith()
  await call('irn_publish', large('a'))
  expect(heldBytes.exceeded(digestedGroups(address), 9_500_000)).toBeGreaterThanOrEqual(0)
})

test('a client can connect, receives published messages and is notified when the relay shuts down', async () => {
  const { relay, call, open } = await relayWith({ RELAY_MAX_CONNECTIONS_PER_ADDRESS: '1' })
  const wallet = open()
  wallet.subscribe()
  await wallet.received()
  expect(await open().closed()).toBe(3001)
  await call('irn_publish', publication())
  expect(await wallet.received('irn_subscription')).toMatchObject({ params: { data: { message: 'AA==' } } })
  await relay.close()
  expect(await wallet.closed()).toBe(1001)
})

test('removes expired messages every minute until the relay is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { relay, call, metrics } = await relayWith()
  await call('irn_publish', publication())
  expect(await metrics.print()).toContain('latchkey_relay_letters 1\n')
  vi.advanceTimersByTime(300_000)
  expect(await metrics.print()).toContain('latchkey_relay_letters 0\n')
  await relay.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('if REDIS_URL is set, all instances share messages and connection counts', { timeout: 20_000 }, async () => {
  const settings = { REDIS_URL: redis.url, RELAY_MAX_CONNECTIONS_PER_ADDRESS: '1', RELAY_MAX_STORED_BYTES: '1048576' }
  const [first, second] = [await relayWith(settings), await relayWith(settings)]
  await first.relay.calls.ping()
  const wallet = second.open()
  wallet.subscribe()
  await wallet.received()
  expect(await first.call('irn_publish', publication())).toBe(true)
  expect(await wallet.received('irn_subscription')).toMatchObject({ params: { data: { message: 'AA==' } } })
  expect(await first.open().closed()).toBe(3001)
  const auth = relayToken(Date.now())
  expect(await first.call('irn_publish', large('a'), { auth })).toBe(true)
  expect(await second.call('irn_publish', large('b'), { auth })).toBe('MailboxLimitExceeded')
  await Promise.all([first.relay.close(), second.relay.close()])
  const { createClient } = await import('@redis/client')
  const look = await createClient({ url: redis.url }).connect()
  await expect.poll(() => look.clientList(), { interval: 5 }).toHaveLength(1)
  look.destroy()
})
