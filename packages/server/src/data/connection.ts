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
  close(): Promise<void>
}
