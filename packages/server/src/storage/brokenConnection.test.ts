import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { postgresConnection } from './postgres.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)
afterAll(() => postgres?.stop())

test('a connection that breaks while alone() holds it causes no uncaught error', async () => {
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  const own = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', note)
  const connection = await postgresConnection({ url: postgres.url, log: () => {} })
  const operator = new pg.Client({ connectionString: postgres.url })
  await operator.connect()
  const others = "from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'"
  const pending = connection.alone('a task', async () => {
    await operator.query(`select pg_terminate_backend(pid) ${others}`)
    await expect.poll(async () => (await operator.query(`select 1 ${others}`)).rowCount, { timeout: 20_000 }).toBe(0)
    await connection.ping()
  })
  await expect(pending).rejects.toThrow()
  expect(uncaught).toEqual([])
  await operator.end()
  await connection.close()
  process.removeListener('uncaughtException', note)
  for (const listener of own) process.on('uncaughtException', listener)
}, 60_000)
