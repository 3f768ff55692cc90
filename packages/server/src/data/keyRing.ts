import { asc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../serverPorts.ts'
import type { Connection } from './databaseConnection.ts'
import { serverKeys } from './schema.ts'
import { storedKey } from './storedKey.ts'

/** Within this time every instance has a new key, and has forgotten a removed one. */
export const keyRefreshMs = 30_000

/** One key of a purpose. */
export interface StoredKey {
  /** What tokens name it by. */
  readonly name: string
  readonly key: Record<string, unknown>
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** From when on it signs; before, it is published and believed. */
  readonly signsFrom: number
}

/** The keys of one purpose, which overlap while they are rotated: the newest signs, all are believed. */
export interface KeyRing {
  /** The keys, the one that signs now first. One is made where there is none. */
  keys(): Promise<readonly StoredKey[]>
  /** The same, read anew where that was not done within the last second: for a token that names a key nobody here knows. */
  refreshed(): Promise<readonly StoredKey[]>
}

/** The keys of a purpose in the database, read again after `keyRefreshMs`. While the database is away the last known ones stay in force. */
export function createKeyRing({
  connection,
  purpose,
  make,
  now,
  clock,
}: {
  connection: Connection
  purpose: string
  make: () => Promise<Record<string, unknown>>
  /** Epoch milliseconds. */
  now: Clock
  /** Monotonic milliseconds. */
  clock: Clock
}): KeyRing {
  let known: { keys: readonly StoredKey[]; at: number; stamp: string | undefined } | undefined
  let reading: Promise<readonly StoredKey[]> | undefined

  async function readKeys(): Promise<readonly StoredKey[]> {
    const stamp = await connection.stamp()
    if (known && stamp !== undefined && stamp === known.stamp) {
      known = { ...known, at: clock() }
      return known.keys
    }
    try {
      let keys = await storedKeys(connection, purpose)
      if (keys.length === 0) {
        await storedKey({ connection, name: purpose, make })
        keys = await storedKeys(connection, purpose)
      }
      known = { keys, at: clock(), stamp }
      return keys
    } catch (error) {
      if (!known) throw error
      known = { ...known, at: clock() }
      return known.keys
    }
  }

  async function within(ms: number): Promise<readonly StoredKey[]> {
    if (known && clock() - known.at < ms) return sorted(known.keys)
    reading ??= readKeys().finally(() => {
      reading = undefined
    })
    return sorted(await reading)
  }

  // The one that signs: the newest of those whose time has come; where there is none yet, the oldest.
  function sorted(keys: readonly StoredKey[]): readonly StoredKey[] {
    const signing = signingKey(keys, now())
    return [...keys].sort((a, b) => Number(b === signing) - Number(a === signing) || b.signsFrom - a.signsFrom)
  }

  return { keys: () => within(keyRefreshMs), refreshed: () => within(1000) }
}

/** The key of these that signs at a time. */
export function signingKey(keys: readonly StoredKey[], at: number): StoredKey | undefined {
  const begun = keys.filter(({ signsFrom }) => signsFrom <= at)
  const newest = (one: StoredKey, other: StoredKey) => (other.signsFrom > one.signsFrom ? other : one)
  return begun.length > 0
    ? begun.reduce(newest)
    : keys.reduce<StoredKey | undefined>(
        (one, other) => (one && one.signsFrom <= other.signsFrom ? one : other),
        undefined,
      )
}

/** The keys of a purpose as they are stored, the oldest first. */
export async function storedKeys(connection: Connection, purpose: string): Promise<readonly StoredKey[]> {
  const rows = await connection.use((database) =>
    database
      .select()
      .from(serverKeys)
      // An older program writes no purpose.
      .where(
        sql`${serverKeys.purpose} = ${purpose} or (${serverKeys.purpose} = '' and ${serverKeys.name} = ${purpose})`,
      )
      .orderBy(asc(serverKeys.signsFrom)),
  )
  return rows.map(({ name, key, createdAt, signsFrom }) => ({
    name,
    key,
    createdAt: createdAt.getTime(),
    signsFrom: signsFrom.getTime(),
  }))
}

/** Adds a key to a purpose; it signs after `delayMs`, when every instance and every cache of public keys has it. */
export async function addKey({
  connection,
  purpose,
  key,
  delayMs,
  now,
}: {
  connection: Connection
  purpose: string
  key: Record<string, unknown>
  delayMs: number
  now: number
}): Promise<StoredKey> {
  const stored = { name: `${purpose}-${now.toString(36)}`, key, createdAt: now, signsFrom: now + delayMs }
  await connection.use((database) =>
    database
      .insert(serverKeys)
      .values({ ...stored, purpose, createdAt: new Date(now), signsFrom: new Date(stored.signsFrom) }),
  )
  await connection.touch()
  return stored
}

/** Removes a key: what it signed is believed no more, by any instance. */
export async function removeKey(connection: Connection, name: string): Promise<void> {
  await connection.use((database) => database.delete(serverKeys).where(eq(serverKeys.name, name)))
  await connection.touch()
}
