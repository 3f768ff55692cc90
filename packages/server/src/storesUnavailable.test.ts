import { createServer as createHttpServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from './config/readConfig.ts'
import { createLog } from './monitoring/logger.ts'
import { type RunningServer, startServer } from './startServer.ts'
import { startPostgres, type TestPostgres } from './testing/postgres.ts'
import { startRedis, type TestRedis } from './testing/redis.ts'

/** Long timeouts for busy machines, because these tests do not measure speed. */
const pollOptions = { timeout: 30_000, interval: 100 }

describe('a server with unavailable stores', { timeout: 120_000 }, () => {
  let postgres: TestPostgres
  let redis: TestRedis
  let node: Server
  let running: RunningServer
  const lines: string[] = []
  const keysHost = 'keys.shop.localhost'

  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    node = createHttpServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      RPC_URLS: `eip155:1=http://127.0.0.1:${(node.address() as AddressInfo).port}`,
      KEYS_URL: `http://${keysHost}`,
      AUTH_SECRET: 'a secret of these tests, long enough',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'wallet@shop.example',
      FRAME_DIR: tmpdir(),
      STOP_TIMEOUT_MS: '0',
    })
    running = await startServer({ config, log: createLog({ level: 'warn', write: (line) => lines.push(line) }) })
  }, 120_000)
  afterAll(async () => {
    await postgres?.thaw()
    redis?.thaw()
    await running?.stop()
    node?.close()
    await Promise.all([postgres?.stop(), redis?.stop()])
  })

  const get = (path: string, init: RequestInit = {}) => fetch(`${running.url}${path}`, init)
  const ready = async (query = '') => {
    const answer = await get(`/ready${query}`)
    return [answer.status, await answer.json()]
  }
  const call = () =>
    get('/v1/?chainId=eip155:1&projectId=x', {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
  /** Calls a route of the keys origin that needs the database. Uses `request` because `fetch` cannot set the `Host` header. */
  const keysCall = () =>
    new Promise<{ status: number; retryAfter: string | undefined; id: unknown; body: { code?: string } }>(
      (resolve, reject) => {
        const request = httpRequest(
          `${running.url}/vault/email`,
          {
            method: 'POST',
            headers: {
              host: keysHost,
              origin: `http://${keysHost}`,
              'sec-fetch-site': 'same-origin',
              'content-type': 'application/json',
            },
          },
          (response) => {
            let text = ''
            response.on('data', (chunk) => {
              text += String(chunk)
            })
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                retryAfter: response.headers['retry-after'],
                id: response.headers['x-request-id'],
                body: JSON.parse(text) as { code?: string },
              }),
            )
          },
        )
        request.on('error', reject)
        request.end('{"email":"ada@shop.example"}')
      },
    )
  const allOk = [200, { status: 'ok', database: 'ok', relay: 'ok' }]

  test('the server is not ready while its database is frozen, serves requests that do not need the database, and recovers', async () => {
    expect(await ready()).toEqual(allOk)
    expect((await call()).status).toBe(200)
    await postgres.freeze()
    await expect
      .poll(() => ready(), pollOptions)
      .toEqual([503, { status: 'unavailable', database: 'unavailable', relay: 'ok' }])
    const answers = await Promise.all([
      get('/health'),
      get('/getWallets?projectId=x&st=a&sv=b'),
      get('/v1/supported-chains'),
      call(),
      get('/projects/v1/origins?projectId=x&st=a&sv=b'),
      get('/auth/v1/nonce?projectId=x'),
    ])
    expect(answers.map(({ status }) => status).slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    await postgres.thaw()
    await expect.poll(() => ready(), pollOptions).toEqual(allOk)
  })

  test('the server responds with 503, Retry-After and a code while its database is down, logs the reason, and recovers', async () => {
    await postgres.kill()
    await expect
      .poll(() => ready(), pollOptions)
      .toEqual([503, { status: 'unavailable', database: 'unavailable', relay: 'ok' }])
    lines.length = 0
    const refused = await keysCall()
    expect(refused).toMatchObject({ status: 503, retryAfter: '2', body: { code: 'server/unavailable' } })
    const line = lines.map((text) => JSON.parse(text) as Record<string, unknown>).find(({ id }) => id === refused.id)
    expect(line).toMatchObject({ message: 'a store is unavailable', route: '/vault/email', method: 'POST' })
    expect(line?.code).toMatch(/^(ENOENT|ECONNREFUSED|ECONNRESET)$/)
    expect(line?.stack).toContain('at ')
    expect((await get('/getWallets?projectId=x&st=a&sv=b')).status).toBe(200)
    expect((await call()).status).toBe(200)
    await postgres.start()
    await expect.poll(() => ready(), pollOptions).toEqual(allOk)
    // This test has no mail server, so once the database responds again, the request fails because the email cannot be sent.
    await expect.poll(async () => (await keysCall()).body.code, pollOptions).not.toBe('server/unavailable')
  })

  test('the server reports that Redis is frozen, and the operator can exclude Redis from the readiness check', async () => {
    redis.freeze()
    const away = { database: 'ok', relay: 'unavailable' }
    await expect.poll(() => ready(), pollOptions).toEqual([503, { status: 'unavailable', ...away }])
    expect(await ready('?exclude=relay')).toEqual([200, { status: 'degraded', ...away }])
    redis.thaw()
    await expect.poll(() => ready(), pollOptions).toEqual(allOk)
  })

  test('the server is not ready while its database is read-only, like a former primary after a failover', async () => {
    const { Client } = (await import('pg')).default
    const operator = new Client({ connectionString: postgres.url, options: '-c default_transaction_read_only=off' })
    await operator.connect()
    await operator.query('alter system set default_transaction_read_only = on')
    await operator.query('select pg_reload_conf()')
    await expect
      .poll(() => ready(), pollOptions)
      .toEqual([503, { status: 'unavailable', database: 'unavailable', relay: 'ok' }])
    expect((await keysCall()).status).toBe(503)
    await operator.query('alter system reset default_transaction_read_only')
    await operator.query('select pg_reload_conf()')
    await operator.end()
    await expect.poll(() => ready(), pollOptions).toEqual(allOk)
  })

  test('the server is not ready while its Redis is a read-only replica, but requests that only read still succeed', async () => {
    const { createClient } = await import('@redis/client')
    const operator = await createClient({ url: redis.url }).connect()
    await operator.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
    const away = { database: 'ok', relay: 'unavailable' }
    await expect.poll(() => ready(), pollOptions).toEqual([503, { status: 'unavailable', ...away }])
    expect((await get('/getWallets?projectId=x&st=a&sv=b')).status).toBe(200)
    await operator.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    operator.destroy()
    await expect.poll(() => ready(), pollOptions).toEqual(allOk)
  })
})
