import { eq } from 'drizzle-orm'
import type { Connection } from './databaseConnection.ts'
import { serverKeys } from './serverSchema.ts'

/**
 * Reads the key with the given name, or creates the key if it does not exist. Instances that do this concurrently all get the
 * same key.
 */
export async function readOrCreateKey({
  connection,
  name,
  make,
}: {
  connection: Connection
  name: string
  make: () => Promise<Record<string, unknown>>
}): Promise<Record<string, unknown>> {
  const find = () =>
    connection.use(async (database) => {
      const [row] = await database.select({ key: serverKeys.key }).from(serverKeys).where(eq(serverKeys.name, name))
      return row?.key
    })
  const known = await find()
  if (known) return known
  const key = await make()
  await connection.use((database) =>
    database.insert(serverKeys).values({ name, purpose: name, key }).onConflictDoNothing(),
  )
  return (await find()) ?? key
}
