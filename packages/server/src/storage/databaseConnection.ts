import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A PostgreSQL database on a server or in a local folder. */
export type Database = PgDatabase<PgQueryResultHKT>

/** A connection to a database. */
export interface Connection {
  /** Runs `work` on the database. Opens the database first if necessary. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>
  /**
   * Resolves to a value that changes whenever another process might have written to the database, or to `undefined` if only a
   * query can tell whether one has.
   */
  stamp(): Promise<string | undefined>
  /** Changes the stamp. Called after a write to data that other processes cache. */
  touch(): Promise<void>
  /** Checks the database. Rejects if it is unreachable or read-only. */
  ping(): Promise<void>
  /** Returns whether a write failed because the disk was full and no `ping` has found free space since then. */
  isDiskFull(): boolean
  /** Runs a single statement. Only available with a database server. */
  query?(statement: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<{ readonly rows: Record<string, unknown>[]; readonly rowCount: number | null }>
  /** Returns the connection counts of the pool, if the connection uses one. */
  pool?(): { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Runs `work`. Resolves to `undefined` if a process that uses the same database is already running work with this name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}
