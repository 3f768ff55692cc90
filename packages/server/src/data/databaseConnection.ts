import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A database that speaks PostgreSQL, wherever it lives. */
export type Database = PgDatabase<PgQueryResultHKT>

/** A way to a database. */
export interface Connection {
  /** Runs `work` on the database, opening it first where it is not open. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Changes whenever another process may have written; `undefined` where nobody can know without asking. */
  stamp(): Promise<string | undefined>
  /** Says that something was written which other processes keep in memory. */
  touch(): Promise<void>
  /** Asks the database; rejects where it does not answer, or takes no writes. */
  ping(): Promise<void>
  /** Whether something could not be written for want of room on the disk, and the latest `ping` found none yet. */
  isDiskFull(): boolean
  /** Runs one statement, where the database is a server that others ask, too. */
  query?(statement: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<{ readonly rows: Record<string, unknown>[]; readonly rowCount: number | null }>
  /** How many connections there are, where there is a pool of them. */
  pool?(): { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Runs `work` unless any process over this database runs something under the same name; `undefined` then. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}
