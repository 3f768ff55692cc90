import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from './databaseConnection.ts'

const journal = v.object({ entries: v.array(v.object({ when: v.number(), tag: v.string() })) })
const rows = v.object({ rows: v.array(v.object({ at: v.nullish(v.union([v.string(), v.number()])) })) })

/** Thrown if a newer version of this program has migrated the database. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

/**
 * Throws a `NewerSchemaError` if the database schema is newer than this program, because the program could lose data that it does
 * not support.
 */
export async function refuseNewerSchema(database: Database, migrationsFolder: string): Promise<void> {
  const text = await readFile(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  const { entries } = v.parse(journal, JSON.parse(text))
  const { when, tag } = entries.reduce((last, entry) => (entry.when > last.when ? entry : last))
  const { rows: tables } = v.parse(
    rows,
    await database.execute(sql`select to_regclass('drizzle.__drizzle_migrations')::text as at`),
  )
  // A new database has no migrations yet.
  if (!tables[0]?.at) return
  const { rows: applied } = v.parse(
    rows,
    await database.execute(sql`select created_at as at from drizzle.__drizzle_migrations order by created_at`),
  )
  const last = Number(applied.at(-1)?.at ?? 0)
  if (last <= when) return
  throw new NewerSchemaError(
    `The database schema is version ${applied.length} (${dayOf(last)}), but this server only supports up to version ${entries.length} (${tag}, ${dayOf(when)}). Run the newer server version, or restore a backup made before the upgrade.`,
  )
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
