import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startPostgres } from '../testing/postgres.ts'
import type { Connection } from './databaseConnection.ts'
import { pgliteConnection } from './pglite.ts'
import { postgresConnection } from './postgres.ts'

const newer = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer program', ${Date.UTC(2090, 0, 1)})`
const sentence =
  /^The database schema is version \d+ \(2090-01-01\), but this server only supports up to version \d+ \(\d{4}_\w+, 20\d\d-\d\d-\d\d\)\. Run the newer server version/

async function writtenByNewer(connection: Connection): Promise<void> {
  await connection.use((database) => database.execute(newer))
  await connection.close()
}

test('PGlite: rejects a database written by a newer version with an error that includes both versions', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-schema-'))
  await writtenByNewer(pgliteConnection({ folder }))
  const connection = pgliteConnection({ folder })
  await expect(connection.use(async () => {})).rejects.toThrow(sentence)
  await connection.close()
  await rm(folder, { recursive: true })
})

test('PostgreSQL: rejects a database written by a newer version with an error that includes both versions', {
  timeout: 120_000,
}, async () => {
  const postgres = await startPostgres()
  const open = () => postgresConnection({ url: postgres.url, log: () => {} })
  await writtenByNewer(await open())
  await expect(open()).rejects.toThrow(sentence)
  await postgres.stop()
})
