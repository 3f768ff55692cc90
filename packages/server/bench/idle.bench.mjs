// Compares the memory of an idle server with that of a bare PGlite with the same data in the same run. Also measures the memory
// of an idle server that uses PostgreSQL. Uses the build, including the prebuilt database. `AFTER_S=10` shortens the wait to 10
// seconds.

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild, startServer } from './benchServer.mjs'

const file = fileURLToPath(import.meta.url)
const afterS = Number(process.env.AFTER_S ?? 60)
/** The maximum resident size with PGlite, relative to a bare PGlite, and with PostgreSQL, in MB. */
const goals = { pglite: 1.15, postgresMb: 80 }

if (process.argv[2] === 'pglite') openPglite()
else process.exitCode = await bench()

async function bench() {
  const { endAll, residentMb, startPostgres } = await import('./faultServices.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-idle-'))
  const running = []
  try {
    const postgres = await startPostgres()
    // The first start creates the database. The bare PGlite opens a copy of it.
    const first = await startServer({ folder })
    await first.stop()
    await cp(join(folder, '.latchkey/db'), join(folder, 'bare'), { recursive: true })
    const server = await startServer({ folder })
    running.push(server)
    const bare = startChild({ side: 'clients', file, args: ['pglite'] })
    running.push(bare)
    const { tables } = await bare.ask('open', { folder: join(folder, 'bare') })
    const own = await mkdtemp(join(folder, 'postgres-'))
    const withPostgres = await startServer({ folder: own, env: { DATABASE_URL: postgres.url } })
    running.push(withPostgres)
    await pause(afterS * 1000)
    const [ours, theirs, third] = await Promise.all([server, bare, withPostgres].map(({ pid }) => residentMb(pid)))
    const ratio = ours / theirs
    const [isSmall, isTiny] = [ratio <= goals.pglite, third <= goals.postgresMb]
    console.log(
      `${isSmall ? 'met' : 'NOT met'}: PGlite, ${ours.toFixed(0)} MB resident ${afterS} s after the start, bare PGlite with the same ${tables} tables ${theirs.toFixed(0)} MB, ratio ${ratio.toFixed(2)} (at most ${goals.pglite})`,
    )
    console.log(
      `${isTiny ? 'met' : 'NOT met'}: PostgreSQL, ${third.toFixed(0)} MB resident ${afterS} s after the start (at most ${goals.postgresMb})`,
    )
    return isSmall && isTiny ? 0 : 1
  } finally {
    for (const one of running) await one.stop()
    await endAll()
    await rm(folder, { recursive: true })
  }
}

/** Opens the database, reads all its tables and keeps it open. */
function openPglite() {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ folder }) => {
    const { PGlite } = await import('@electric-sql/pglite')
    const database = await PGlite.create({ dataDir: folder })
    const { rows } = await database.query("select tablename from pg_tables where schemaname = 'public'")
    for (const { tablename } of rows) await database.query(`select * from "${tablename}"`)
    process.send({ tables: rows.length })
  })
}
