import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { redisMessageStore } from '../relay/redis/redisMessageStore.ts'
import { openStoreWithRetry } from './openStoreWithRetry.ts'
import { postgresConnection } from './postgres.ts'

const failure = (code: string, message = code) => Object.assign(new Error(message), { code })

/** Calls openStoreWithRetry() with a store that fails with each error in turn. Each pause advances the clock. */
function opening(
  errors: readonly unknown[],
  { timeoutMs = 10_000, url = 'postgres://user:hunter2@db.example:5330/shop' } = {},
) {
  const logs: { level: string; message: string; fields: unknown }[] = []
  let now = 0
  let tries = 0
  const opened = openStoreWithRetry({
    open: async () => {
      const error = errors[Math.min(tries, errors.length - 1)]
      tries += 1
      if (tries <= errors.length || errors.at(-1) === 'for ever') throw error === 'for ever' ? errors[0] : error
      return 'open'
    },
    store: { setting: 'DATABASE_URL', url, product: 'PostgreSQL' },
    timeoutMs,
    log: (level, message, fields) => logs.push({ level, message, fields }),
    clock: () => now,
    pause: async (ms) => {
      now += ms
    },
  })
  return { opened, logs, tries: () => tries, now: () => now }
}

test('retries until the store is available, and logs each failed attempt', async () => {
  const { opened, logs } = opening([failure('ECONNREFUSED'), failure('57P03'), failure('ENOTFOUND')])
  expect(await opened).toBe('open')
  expect(logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn DATABASE_URL points to db.example:5330, but the connection was refused: is PostgreSQL running?',
    'warn DATABASE_URL points to db.example:5330, which is still starting: wait until it is ready.',
    'warn DATABASE_URL points to db.example:5330, but this host name cannot be resolved (ENOTFOUND): check the name and the DNS settings of this machine.',
  ])
})

test.each([
  ['ENOENT', 'but its socket cannot be opened (ENOENT): is PostgreSQL running?'],
  ['EACCES', 'but its socket cannot be opened (EACCES): is PostgreSQL running?'],
  [
    'EAI_AGAIN',
    'but this host name cannot be resolved (EAI_AGAIN): check the name and the DNS settings of this machine.',
  ],
  ['EHOSTUNREACH', 'but this host is unreachable (EHOSTUNREACH): check the network and the firewall.'],
  ['ENETUNREACH', 'but this host is unreachable (ENETUNREACH): check the network and the firewall.'],
  ['ETIMEDOUT', 'but it did not respond in time: is PostgreSQL running? Also check the network and the firewall.'],
  [
    'timeout expired',
    'but it did not respond in time: is PostgreSQL running? Also check the network and the firewall.',
  ],
  ['ECONNRESET', 'but the connection was closed: is it PostgreSQL, and does it expect TLS?'],
  ['EPIPE', 'but the connection was closed: is it PostgreSQL, and does it expect TLS?'],
  ['Connection terminated unexpectedly', 'but the connection was closed: is it PostgreSQL, and does it expect TLS?'],
  ['Could not connect to Redis', 'but Redis did not respond: is PostgreSQL running?'],
  ['53300', 'which accepts no more connections: increase its max_connections or stop another client.'],
])('%s is logged with advice, and the connection is retried', async (code, advice) => {
  const { opened, logs } = opening([code.includes(' ') ? new Error(code) : failure(code)])
  expect(await opened).toBe('open')
  expect(logs.map(({ message }) => message)).toEqual([`DATABASE_URL points to db.example:5330, ${advice}`])
})

test('gives up after the timeout if the store stays unavailable', async () => {
  const { opened, now, tries } = opening([failure('ECONNREFUSED'), 'for ever'], { timeoutMs: 5000 })
  await expect(opened).rejects.toThrow(
    'DATABASE_URL points to db.example:5330, but the connection was refused: is PostgreSQL running?',
  )
  expect([now(), tries()]).toEqual([5000, 6])
})

test.each([
  ['28P01', /the user name or password is wrong: check both/],
  ['3D000', /no database with this name: create it/],
  ['42501', /not allowed to create tables: grant it CREATE/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate is not trusted/],
])('does not retry after %s', async (code, sentence) => {
  const { opened, tries } = opening([failure(code), 'for ever'])
  await expect(opened).rejects.toThrow(sentence)
  expect(tries()).toBe(1)
})

test('no message contains a user name or password, whatever the form of the URL', async () => {
  for (const url of [
    'postgres://user:hunter2@db.example:5330/shop?password=hunter2&user=user',
    'postgres://user:hunter2@/shop?host=/run/postgresql',
    'postgres://user:hunter2@[bad',
  ])
    for (const code of ['ECONNREFUSED', 'ETIMEDOUT', '28P01', '53300', 'EHOSTUNREACH']) {
      const { opened, logs } = opening([failure(code, 'password hunter2 of user'), 'for ever'], {
        timeoutMs: 1000,
        url,
      })
      const message = await opened.then(String, (error: Error) => error.message)
      expect(`${message} ${JSON.stringify(logs)}`).not.toMatch(/hunter2|user:/)
      expect(message).toMatch(/^DATABASE_URL points to /)
    }
})

test('rethrows any other error unchanged, and does not retry', async () => {
  const { opened, tries } = opening([new Error('The database schema is version 12')])
  await expect(opened).rejects.toThrow('The database schema is version 12')
  expect(tries()).toBe(1)
})

test('recognizes a refused connection to PostgreSQL or Redis', { timeout: 60_000 }, async () => {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  const log = () => {}
  const url = `postgres://user:hunter2@127.0.0.1:${port}/shop`
  await expect(
    openStoreWithRetry({
      open: () => postgresConnection({ url, log }),
      store: { setting: 'DATABASE_URL', url, product: 'PostgreSQL' },
      timeoutMs: 0,
      log,
    }),
  ).rejects.toThrow(`DATABASE_URL points to 127.0.0.1:${port}, but the connection was refused: is PostgreSQL running?`)
  const redis = `redis://user:hunter2@127.0.0.1:${port}`
  await expect(
    openStoreWithRetry({
      open: () => redisMessageStore({ url: redis, now: Date.now, log }),
      store: { setting: 'REDIS_URL', url: redis, product: 'Redis' },
      timeoutMs: 0,
      log,
    }),
  ).rejects.toThrow(`REDIS_URL points to 127.0.0.1:${port}, but Redis did not respond: is Redis running?`)
})
