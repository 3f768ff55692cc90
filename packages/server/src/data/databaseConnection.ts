import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A PostgreSQL database, on a server or in a folder. */
export type Database = PgDatabase<PgQueryResultHKT>

/** A connection to a database. */
export interface Connection {
  /** Runs `work` on the database, opening it first if necessary. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** A value that changes when another process might have written, or `undefined` if this cannot be known without a query. */
  stamp(): Promise<string | undefined>
  /** Changes the stamp, after a write to data that other processes cache. */
  touch(): Promise<void>
  /** Checks the database. Rejects if it is unreachable or read-only. */
  ping(): Promise<void>
  /** Whether a write failed because the disk was full, and the latest `ping` found it still full. */
  isDiskFull(): boolean
  /** Runs a single statement. Only with a database server. */
  query?(statement: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<{ readonly rows: Record<string, unknown>[]; readonly rowCount: number | null }>
  /** Connection counts of the pool, if there is one. */
  pool?(): { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Runs `work`, or resolves to `undefined` if a process using this database is already running work with the same name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}
