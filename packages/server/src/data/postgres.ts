import { join } from 'node:path'
import { assetsFolder } from '../assets.ts'
import type { Log } from '../ports.ts'
import type { Connection } from './connection.ts'

// Any number, the same in every instance: only one of them migrates at a time.
const migrationLock = 5_281_204_117

/** A PostgreSQL server. Opens at once, brings the tables up to date, and keeps a few connections. */
export async function postgresConnection({ url, log }: { url: string; log: Log }): Promise<Connection> {
  const [{ Pool }, { drizzle }, { migrate }] = await Promise.all([
    import('pg').then((module) => module.default),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const pool = new Pool({ connectionString: url, max: 8, connectionTimeoutMillis: 5000, statement_timeout: 15_000 })
  // Without a listener a connection that breaks while idle ends the process.
  pool.on('error', (error) => log('warn', 'a database connection broke', { error: error.name }))

  try {
    const one = await pool.connect()
    try {
      await one.query('select pg_advisory_lock($1)', [migrationLock])
      await migrate(drizzle(one), { migrationsFolder: join(assetsFolder(), 'migrations') })
    } finally {
      await one.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
      one.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  const database = drizzle(pool)
  return {
    use: (work) => work(database),
    stamp: async () => undefined,
    touch: async () => {},
    close: () => pool.end(),
  }
}
