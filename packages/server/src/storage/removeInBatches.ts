import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as v from 'valibot'
import type { Connection } from './databaseConnection.ts'

const batchRows = 1000
const counted = v.object({ rows: v.array(v.object({ n: v.number() })) })

/**
 * Deletes the rows that match a condition, by default 1,000 at a time to keep locks short. Resolves to the number of deleted
 * rows.
 */
export async function removeInBatches(
  connection: Connection,
  table: PgTable,
  condition: SQL,
  rowsAtOnce: number = batchRows,
): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = v.parse(
      counted,
      await connection.use((database) =>
        database.execute(
          sql`with gone as (delete from ${table} where ctid in (select ctid from ${table} where ${condition} limit ${rowsAtOnce}) returning 1) select count(*)::int as n from gone`,
        ),
      ),
    )
    const n = rows[0]?.n ?? 0
    removed += n
    if (n < rowsAtOnce) return removed
  }
}
