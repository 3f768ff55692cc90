import { asc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { readOrCreateKey } from './readOrCreateKey.ts'
import { serverKeys } from './serverSchema.ts'

/** The time within which every instance picks up a new key and drops a removed one. */
export const keyRefreshMs = 30_000

/** A stored signing key. */
export interface StoredKey {
  /** The key ID, which is included in the tokens that the key signs. */
  readonly name: string
  readonly key: Record<string, unknown>
  /** When the key was created, in epoch milliseconds. */
  readonly createdAt: number
  /** When the key starts to sign, in epoch milliseconds. Until then, the key is published and accepted but does not sign. */
  readonly signsFrom: number
}

/** The keys for one purpose. Keys overlap during a rotation: the newest active key signs, and all keys are accepted. */
export interface KeyRing {
  /** Resolves to the keys, with the signing key first. Creates a key if none exists. */
  keys(): Promise<readonly StoredKey[]>
  /** Like `keys`, but reloads keys that were read more than a second ago. Used for a token whose key ID is unknown. */
  refreshed(): Promise<readonly StoredKey[]>
}

/**
 * Creates a key ring that reads keys from the database again after `keyRefreshMs`. While the database is unavailable, the last
 * known keys stay valid.
 */
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
        await readOrCreateKey({ connection, name: purpose, make })
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

  // The signing key is the newest active key. If no key is active yet, it is the next key to become active.
  function sorted(keys: readonly StoredKey[]): readonly StoredKey[] {
    const signing = signingKey(keys, now())
    return [...keys].sort((a, b) => Number(b === signing) - Number(a === signing) || b.signsFrom - a.signsFrom)
  }

  return { keys: () => within(keyRefreshMs), refreshed: () => within(1000) }
}

/** Returns the key that signs at the given time. */
export function signingKey(keys: readonly StoredKey[], at: number): StoredKey | undefined {
  const begun = keys.filter(({ signsFrom }) => signsFrom <= at)
  const newest = (key: StoredKey, other: StoredKey) => (other.signsFrom > key.signsFrom ? other : key)
  return begun.length > 0
    ? begun.reduce(newest)
    : keys.reduce<StoredKey | undefined>(
        (oldest, other) => (oldest && oldest.signsFrom <= other.signsFrom ? oldest : other),
        undefined,
      )
}

/** Returns the stored keys for a purpose, in the order in which they start to sign. */
export async function storedKeys(connection: Connection, purpose: string): Promise<readonly StoredKey[]> {
  const rows = await connection.use((database) =>
    database
      .select()
      .from(serverKeys)
      // Earlier versions did not store a purpose.
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

/**
 * Adds a key for a purpose. The key starts to sign after `delayMs`, when every instance and every cache of public keys has the
 * key.
 */
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

/** Removes a key. Instances stop accepting its signatures within `keyRefreshMs`. */
export async function removeKey(connection: Connection, name: string): Promise<void> {
  await connection.use((database) => database.delete(serverKeys).where(eq(serverKeys.name, name)))
  await connection.touch()
}
