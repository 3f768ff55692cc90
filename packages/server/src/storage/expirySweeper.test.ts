import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startKeys } from '../testing/keysServer.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { databaseAnalyticsEvents } from './databaseAnalyticsEvents.ts'
import type { Connection } from './databaseConnection.ts'
import { databaseReplayStore } from './databaseReplayStore.ts'
import { createSweeper } from './expirySweeper.ts'
import { postgresConnection } from './postgres.ts'
import { removeInBatches } from './removeInBatches.ts'
import { signInSpent } from './signInSchema.ts'

const year = 365 * 24 * 60 * 60_000
let postgres: TestPostgres
const connections: Connection[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  for (let n = 0; n < 2; n += 1) connections.push(await postgresConnection({ url: postgres.url, log: () => {} }))
}, 120_000)
afterAll(async () => {
  for (const connection of connections) await connection.close()
  await postgres.stop()
})

const [first, second] = [() => connections[0] as Connection, () => connections[1] as Connection]
const fieldsOf = () => ({})
const log = () => {}

describe('the sweeper', { timeout: 120_000 }, () => {
  test('removes expired rows from every table at startup, and keeps all other rows', async () => {
    const connection = first()
    const keys = await startKeys({ connection })
    const browser = keys.browser()
    const { id } = await keys.signIn(browser, 'ada@shop.example')
    await browser.send('POST', '/vault/email/change', { email: 'eve@shop.example' })
    await browser.send('POST', '/vault/transfers', { commitment: 'YWJj' })
    for (const expectedVersion of [0, 1])
      await browser.send('PUT', '/vault/record', { userId: id, record: `{"n":${expectedVersion}}`, expectedVersion })
    const events = databaseAnalyticsEvents(connection)
    const at = new Date('2020-01-01')
    const event = { projectId: 'shop', url: '', domain: '', type: '', event: 'E', properties: {}, address: null }
    await events.insert([{ ...event, eventId: 'old', timestamp: at }])
    const spent = databaseReplayStore(connection)
    await spent.markUsed('old', 1)
    await spent.markUsed('new', Date.now() + 100 * year)

    const count = async (table: string) => {
      const found = await connection.use((database) =>
        database.execute(sql.raw(`select count(*)::int as n from ${table}`)),
      )
      return (found as unknown as { rows: { n: number }[] }).rows[0]?.n
    }
    const tables = [
      'vault_pending',
      'vault_transfers',
      'vault_replaced',
      'vault_audit',
      'vault_sessions',
      'vault_browsers',
      'events',
    ]
    const before = await Promise.all(tables.map(count))
    const sweep = async () => {
      await keys.server.sweep()
      await events.removeBefore(new Date('2021-01-01'))
      await spent.sweep(Date.now())
    }
    const sweeper = createSweeper({ tasks: [{ what: 'all', sweep }], connection, log, fieldsOf })
    sweeper.start()
    await expect.poll(() => count('events'), { timeout: 10_000 }).toBe(0)
    await sweeper.stop()
    expect(await count('sign_in_spent')).toBe(1)
    // Nothing of the keys origin has expired yet.
    expect(await Promise.all(tables.slice(0, 6).map(count))).toEqual(before.slice(0, 6))

    keys.pass(2 * year)
    const later = createSweeper({ tasks: [{ what: 'all', sweep }], connection, log, fieldsOf })
    expect(await later.sweep()).toBe(true)
    expect(Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)])))).toEqual(
      Object.fromEntries(tables.map((table) => [table, 0])),
    )
  })

  test('runs on only one of two instances at a time', async () => {
    let running = 0
    let most = 0
    let finish = (): void => {}
    const task = {
      what: 'rows',
      sweep: () =>
        new Promise<void>((resolve) => {
          running += 1
          most = Math.max(most, running)
          finish = () => {
            running -= 1
            resolve()
          }
        }),
    }
    const sweepers = connections.map((connection) => createSweeper({ tasks: [task], connection, log, fieldsOf }))
    const sweep = sweepers[0]?.sweep()
    await expect.poll(() => running).toBe(1)
    expect(await sweepers[1]?.sweep()).toBe(false)
    finish()
    expect(await sweep).toBe(true)
    const other = sweepers[1]?.sweep()
    await expect.poll(() => running).toBe(1)
    finish()
    expect([await other, most]).toEqual([true, 1])
  })

  test('sweeps again 45 to 75 minutes after each sweep until it is stopped', async () => {
    let swept = 0
    const done: (() => void)[] = []
    const next = (): Promise<void> => new Promise((resolve) => done.push(resolve))
    const task = {
      what: 'rows',
      sweep: async () => {
        swept += 1
      },
    }
    // The database lock is tested above. This test covers only the timing.
    const alone: Connection['alone'] = async (_, work) => {
      const result = await work()
      done.shift()?.()
      return result
    }
    vi.useFakeTimers()
    try {
      const sweeper = createSweeper({ tasks: [task], connection: { alone }, log, fieldsOf, random: () => 0.5 })
      const started = next()
      sweeper.start()
      await started
      await vi.advanceTimersByTimeAsync(60 * 60_000 - 1)
      expect(swept).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(swept).toBe(2)
      await vi.advanceTimersByTimeAsync(60 * 60_000)
      expect(swept).toBe(3)
      await sweeper.stop()
      await vi.advanceTimersByTimeAsync(10 * 60 * 60_000)
      expect(swept).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('logs a failing task and still runs the other tasks', async () => {
    const messages: string[] = []
    let swept = 0
    const sweeper = createSweeper({
      tasks: [
        { what: 'nonces', sweep: () => Promise.reject(new Error('no')) },
        {
          what: 'events',
          sweep: async () => {
            swept += 1
          },
        },
      ],
      connection: second(),
      log: (_, message) => messages.push(message),
      fieldsOf,
    })
    expect(await sweeper.sweep()).toBe(true)
    expect([messages, swept]).toEqual([['expired nonces were not deleted'], 1])
  })

  test('deletes in batches until nothing is left', async () => {
    const spent = databaseReplayStore(first())
    for (let n = 0; n < 25; n += 1) await spent.markUsed(`batch-${n}`, 5)
    expect(await removeInBatches(first(), signInSpent, sql`${signInSpent.expiresAt} = 5`, 10)).toBe(25)
    expect(await spent.isUsed('batch-3')).toBe(false)
  })
})
