import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import { assetsFolder } from '../assets.ts'
import { errorFields } from '../errorFields.ts'
import type { Log } from '../ports.ts'
import type { Connection } from './connection.ts'
import { refuseNewerSchema } from './schemaVersion.ts'

// Any number, the same in every instance: only one of them migrates at a time.
const migrationLock = 5_281_204_117
const namedLock = 528_120_411

const queryMs = 10_000
const pingMs = 1400
const statementMs = 1400

/** A PostgreSQL server. Opens at once, brings the tables up to date, and keeps a few connections. */
export async function postgresConnection({ url, log }: { url: string; log: Log }): Promise<Connection> {
  const [{ Pool }, { drizzle }, { migrate }] = await Promise.all([
    import('pg').then((module) => module.default),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const pool = new Pool({
    connectionString: url,
    max: 8,
    // A request that needs the database waits this long for one of the connections, new or free.
    connectionTimeoutMillis: 3000,
    statement_timeout: 10_000,
  })
  // Without a listener a connection that breaks while idle ends the process.
  pool.on('error', (error) => log('warn', 'a database connection broke', errorFields(error)))

  try {
    const one = await pool.connect()
    try {
      // Another instance may migrate for longer than a request may take.
      await one.query('set statement_timeout = 0')
      await one.query('select pg_advisory_lock($1)', [migrationLock])
      const migrationsFolder = join(assetsFolder(), 'migrations')
      await refuseNewerSchema(drizzle(one), migrationsFolder)
      await migrate(drizzle(one), { migrationsFolder })
    } finally {
      await one.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
      await one.query('reset statement_timeout').catch(() => {})
      one.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  // A server that is frozen does not end its own statements. After the migrations, which may take their time.
  pool.options.query_timeout = queryMs
  const database = drizzle(pool)
  return {
    use: (work) => work(database),
    stamp: async () => undefined,
    touch: async () => {},
    ping: async () => {
      await pool.query({ text: 'select 1', query_timeout: pingMs } as QueryConfig)
    },
    query: (statement) => pool.query({ ...statement, query_timeout: statementMs } as QueryConfig<unknown[]>),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    // A lock of the session, which ends with its connection: one that a dead instance held is free.
    alone: async (name, work) => {
      const one = await pool.connect()
      let isBroken: boolean | Error = true
      try {
        const { rows } = await one.query('select pg_try_advisory_lock($1, hashtext($2)) as mine', [namedLock, name])
        isBroken = false
        if (rows[0]?.mine !== true) return undefined
        try {
          return await work()
        } finally {
          isBroken = true
          await one.query('select pg_advisory_unlock($1, hashtext($2))', [namedLock, name]).then(() => {
            isBroken = false
          })
        }
      } finally {
        one.release(isBroken)
      }
    },
    close: () => pool.end(),
  }
}
