import { createTokens, type Tokens } from '@latchkey/siwx/server'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import type { Connection } from './databaseConnection.ts'
import { addKey, createKeyRing, keyRefreshMs, removeKey, storedKeys } from './keyRing.ts'
import { postgresConnection } from './postgres.ts'
import { serverKeys } from './serverSchema.ts'

const purpose = 'sign-in'
const audience = 'shop'

async function newKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}

let postgres: TestPostgres
const connections: Connection[] = []
let time = { now: 0 }
/** How often the key rings have queried the database. */
let queries = 0
/** Whether the database is unavailable to the key rings. */
let isAway = false

beforeAll(async () => {
  postgres = await startPostgres()
  for (let n = 0; n < 2; n += 1) connections.push(await postgresConnection({ url: postgres.url, log: () => {} }))
}, 120_000)
afterAll(async () => {
  for (const connection of connections) await connection.close()
  await postgres.stop()
})

beforeEach(async () => {
  time = { now: Date.UTC(2026, 10, 22) }
  isAway = false
  await connections[0]?.use((database) => database.delete(serverKeys))
})

/** Returns two instances that share a database. Each has its own cache and connection pool. */
function instances(): readonly [Tokens, Tokens] {
  const make = (database: Connection): Tokens => {
    const connection: Connection = {
      ...database,
      use(work) {
        queries += 1
        return isAway ? Promise.reject(new Error('away')) : database.use(work)
      },
    }
    const ring = createKeyRing({ connection, purpose, make: newKey, now: () => time.now, clock: () => time.now })
    const named = (keys: Awaited<ReturnType<typeof ring.keys>>) =>
      keys.map(({ name, key }) => ({ id: name, secret: key as JWK }))
    return createTokens({
      secret: { keys: async () => named(await ring.keys()), refreshed: async () => named(await ring.refreshed()) },
      issuer: 'latchkey',
    })
  }
  return [make(connections[0] as Connection), make(connections[1] as Connection)]
}

const sign = (tokens: Tokens, sub: string) =>
  tokens.sign('session', { sub, aud: audience, exp: Math.floor(time.now / 1000) + 86_400 })
const isRead = async (tokens: Tokens, token: string) =>
  (await tokens.read('session', token, { audience, now: time.now })) !== undefined
const rotate = async () =>
  addKey({
    connection: connections[0] as Connection,
    purpose,
    key: await newKey(),
    delayMs: 2 * keyRefreshMs,
    now: time.now,
  })
const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string

describe('two instances that share a database', { timeout: 120_000 }, () => {
  test('sign with the same key, even if both create the first key concurrently', async () => {
    const [ring, otherRing] = instances()
    const [first, second] = await Promise.all([sign(ring, 'a'), sign(otherRing, 'b')])
    expect(kidOf(first)).toBe(kidOf(second))
    expect([await isRead(otherRing, first), await isRead(ring, second)]).toEqual([true, true])
  })

  test('accept both old and new tokens throughout a rotation, so that no user is signed out', async () => {
    const [first, second] = instances()
    const before = await sign(first, 'before')
    await sign(second, 'warm')
    await rotate()
    for (let waited = 0; waited <= 3 * keyRefreshMs; waited += keyRefreshMs / 3) {
      const now = await Promise.all([sign(first, 'during'), sign(second, 'during')])
      for (const token of [before, ...now])
        expect([await isRead(first, token), await isRead(second, token)], `${waited} ms`).toEqual([true, true])
      time.now += keyRefreshMs / 3
    }
    const after = await Promise.all([sign(first, 'after'), sign(second, 'after')])
    expect(new Set(after.map(kidOf)).size).toBe(1)
    expect(kidOf(after[0] as string)).not.toBe(kidOf(before))
  })

  test('accept a token signed with a new key immediately, even if the cache is outdated', async () => {
    const [first, second] = instances()
    await isRead(first, await sign(first, 'warm'))
    await isRead(second, await sign(second, 'warm'))
    time.now += 2000
    const { name } = await addKey({
      connection: connections[0] as Connection,
      purpose,
      key: await newKey(),
      delayMs: 0,
      now: time.now,
    })
    time.now += 2000
    const [fresh] = instances()
    const token = await sign(fresh, 'new')
    expect(kidOf(token)).toBe(name)
    expect([await isRead(first, token), await isRead(second, token)]).toEqual([true, true])
  })

  test('publish the next key before it starts to sign, alongside the old key', async () => {
    const [first, second] = instances()
    await sign(first, 'warm')
    await sign(second, 'warm')
    await rotate()
    time.now += keyRefreshMs
    for (const tokens of [first, second]) expect((await tokens.publicKeys()).keys).toHaveLength(2)
    for (const key of (await first.publicKeys()).keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  test('stop accepting a removed key within the documented time', async () => {
    const [first, second] = instances()
    const old = await sign(first, 'old')
    await isRead(second, old)
    await rotate()
    time.now += 3 * keyRefreshMs
    expect(kidOf(await sign(first, 'new'))).not.toBe(kidOf(old))
    await removeKey(connections[1] as Connection, kidOf(old))
    time.now += keyRefreshMs
    expect([await isRead(first, old), await isRead(second, old)]).toEqual([false, false])
    expect((await first.publicKeys()).keys).toHaveLength(1)
    expect(await isRead(first, await sign(second, 'new'))).toBe(true)
  })

  test('reject a token with an unknown key ID and query the database at most once per second', async () => {
    const [first] = instances()
    const token = await sign(first, 'a')
    const [, ...rest] = token.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'latchkey-session+jwt', kid: 'made-up' })).toString(
      'base64url',
    )
    const before = queries
    for (let n = 0; n < 50; n += 1) expect(await isRead(first, [header, ...rest].join('.'))).toBe(false)
    expect(queries - before).toBe(0)
    time.now += 1000
    for (let n = 0; n < 50; n += 1) expect(await isRead(first, [header, ...rest].join('.'))).toBe(false)
    expect(queries - before).toBe(1)
    expect(await storedKeys(connections[0] as Connection, purpose)).toHaveLength(1)
  })

  test('keep using cached keys while the database is unavailable, and fail if no keys are cached', async () => {
    const [first, second] = instances()
    const token = await sign(first, 'before')
    expect(await isRead(second, token)).toBe(true)
    isAway = true
    for (let waited = 0; waited < 3; waited += 1) {
      time.now += keyRefreshMs
      expect([await isRead(first, token), await isRead(second, await sign(first, 'during'))]).toEqual([true, true])
    }
    await expect(sign(instances()[0], 'first')).rejects.toThrow('away')
    isAway = false
  })

  test('accept a key that an earlier version stored, and a token that has no key ID', async () => {
    const key = await newKey()
    await connections[0]?.use((database) => database.insert(serverKeys).values({ name: purpose, key }))
    const old = await createTokens({ secret: key as JWK, issuer: 'latchkey' }).sign('session', {
      sub: 'a',
      aud: audience,
      exp: Math.floor(time.now / 1000) + 60,
    })
    const [first, second] = instances()
    expect([await isRead(first, old), await isRead(second, old)]).toEqual([true, true])
    expect(kidOf(await sign(first, 'b'))).toBe(purpose)
  })
})
