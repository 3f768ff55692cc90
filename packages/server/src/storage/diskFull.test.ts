import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import type { Connection } from './databaseConnection.ts'
import { pgliteConnection } from './pglite.ts'
import { postgresConnection } from './postgres.ts'

let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  ;[postgres, folder] = await Promise.all([startPostgres(), mkdtemp(join(tmpdir(), 'latchkey-full-'))])
}, 120_000)
afterAll(async () => {
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

const open: Readonly<Record<string, () => Promise<Connection>>> = {
  PostgreSQL: () => postgresConnection({ url: postgres.url, log: () => {} }),
  PGlite: async () => pgliteConnection({ folder }),
}
const fails = (code: string) => sql.raw(`do $$ begin raise 'could not extend file' using errcode = '${code}'; end $$`)

test.each(Object.keys(open))(
  '%s: a write that fails because the disk is full is reported until a ping finds free space',
  { timeout: 60_000 },
  async (name) => {
    const connection = (await open[name]?.()) as Connection
    await connection.ping()
    expect(connection.isDiskFull()).toBe(false)
    // PostgreSQL's own error code for a full disk.
    await expect(connection.use((database) => database.execute(fails('53100')))).rejects.toThrow()
    expect(connection.isDiskFull()).toBe(true)
    await connection.ping()
    expect(connection.isDiskFull()).toBe(false)
    await expect(connection.use((database) => database.execute(fails('23505')))).rejects.toThrow()
    expect(connection.isDiskFull()).toBe(false)
    await connection.close()
  },
)
