import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import { errorFields } from '../errors/errorLogFields.ts'
import { isDiskError } from '../errors/storeErrors.ts'
import type { Log } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { assetsFolder } from './packageFiles.ts'
import { refuseNewerSchema } from './schemaVersion.ts'

// Arbitrary lock numbers. They are the same in every instance, so that only one instance migrates at a time.
const migrationLock = 5_281_204_117
const namedLock = 528_120_411

const queryMs = 10_000
const pingMs = 1400
const statementMs = 1400

// Sorts more data than `work_mem` allows, so that PostgreSQL has to write a temporary file.
const spillingSort =
  "begin; set local work_mem = '64kB'; select count(*) from (select g from generate_series(1, 20000) g order by g desc offset 0) s; rollback"

/** Thrown if the server is reachable but read-only, such as a former primary after a failover. */
class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError'
  readonly code = '25006'
  constructor() {
    super('The database is read-only: it is a standby, or default_transaction_read_only is on')
  }
}

/** Connects to a PostgreSQL server, runs the migrations and keeps a small connection pool. */
export async function postgresConnection({ url, log }: { url: string; log: Log }): Promise<Connection> {
  const [{ Pool }, { drizzle }, { migrate }] = await Promise.all([
    import('pg').then((module) => module.default),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const pool = new Pool({
    connectionString: url,
    max: 8,
    // The timeout for acquiring a connection from the pool.
    connectionTimeoutMillis: 3000,
    statement_timeout: 10_000,
  })
  // Without a listener, a broken connection would end the process. With this one, the next query on the connection fails instead.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => log('warn', 'a database connection was lost', errorFields(error)))

  try {
    const client = await pool.connect()
    try {
      // Waiting for another instance's migration can take longer than the statement timeout.
      await client.query('set statement_timeout = 0')
      await client.query('select pg_advisory_lock($1)', [migrationLock])
      const migrationsFolder = join(assetsFolder(), 'migrations')
      await refuseNewerSchema(drizzle(client), migrationsFolder)
      await migrate(drizzle(client), { migrationsFolder })
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
      await client.query('reset statement_timeout').catch(() => {})
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  // A frozen server does not cancel its own statements. The timeout is set only after the migrations, which can take longer.
  pool.options.query_timeout = queryMs
  const database = drizzle(pool)
  let isFull = false
  /** Checks that the database is writable. Closes a connection to a server that has become read-only. */
  const ping = async (): Promise<void> => {
    const client = await pool.connect()
    let isBroken: boolean | Error = true
    try {
      const text = "select current_setting('transaction_read_only') as read_only"
      const { rows } = await client.query({ text, query_timeout: pingMs } as QueryConfig)
      if (rows[0]?.read_only === 'on') throw new ReadOnlyError()
      // Check whether the disk is still full. The large sort has to write a temporary file but does not change any data.
      if (isFull)
        isFull = await client.query({ text: spillingSort, query_timeout: pingMs } as QueryConfig).then(
          () => false,
          (error: unknown) => isDiskError(error),
        )
      isBroken = false
    } finally {
      if (isFull) await client.query('rollback').catch(() => {})
      client.release(isBroken)
    }
  }
  return {
    use: async (work) => {
      try {
        return await work(database)
      } catch (error) {
        if (isDiskError(error)) isFull = true
        throw error
      }
    },
    stamp: async () => undefined,
    touch: async () => {},
    ping,
    isDiskFull: () => isFull,
    query: (statement) => pool.query({ ...statement, query_timeout: statementMs } as QueryConfig<unknown[]>),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    // A session lock is released when its connection closes, so a crashed instance leaves no lock behind.
    alone: async (name, work) => {
      const client = await pool.connect()
      let isBroken: boolean | Error = true
      try {
        const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as mine', [namedLock, name])
        isBroken = false
        if (rows[0]?.mine !== true) return undefined
        try {
          return await work()
        } finally {
          isBroken = true
          await client.query('select pg_advisory_unlock($1, hashtext($2))', [namedLock, name]).then(() => {
            isBroken = false
          })
        }
      } finally {
        client.release(isBroken)
      }
    },
    close: () => pool.end(),
  }
}
