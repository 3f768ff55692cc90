import { and, count, eq, inArray, lt } from 'drizzle-orm'
import { accountNameAddresses, accountNameOwners, accountNames } from './accountNamesSchema.ts'
import type { Connection, Database } from './databaseConnection.ts'

/** A registered account name. */
export interface StoredName {
  /** The full name, such as `alice.shop.example`. */
  readonly name: string
  /** The address that registered the name, in lower case. */
  readonly owner: string
  /** The CAIP-2 chain on which the owner's contract is, if the owner is a contract. */
  readonly ownerChain: `eip155:${string}`
  readonly attributes: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly registeredAt: number
  readonly updatedAt: number | null
  readonly addresses: readonly StoredAddress[]
}

/** An address that a name resolves to. */
export interface StoredAddress {
  readonly coinType: number
  readonly address: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A change that an owner has signed. */
export interface SignedChange {
  readonly name: string
  readonly owner: string
  /** The time in the signed message, in Unix seconds. */
  readonly signedAt: number
  /** The time of the change, in epoch milliseconds. */
  readonly at: number
}

/** Why a change was not saved. `replayed` means that the owner has already signed a change with the same or a later time. */
export type NameConflict = 'taken' | 'replayed' | 'limit'

/** A store of account names. Several instances can share it. If two changes conflict, only one of them succeeds. */
export interface NameStore {
  find(name: string): Promise<StoredName | undefined>
  /** Resolves to the names that an address has registered, oldest first. */
  ownedBy(owner: string): Promise<readonly StoredName[]>
  /** Resolves to the registered names among `names`. */
  registered(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Registers a name. Resolves to the reason for a failure, or to `undefined` on success. */
  register(
    change: SignedChange & {
      readonly ownerChain: `eip155:${string}`
      readonly attributes: Readonly<Record<string, string>>
      readonly address: string
      readonly coinTypes: readonly number[]
      readonly maxPerOwner: number
    },
  ): Promise<NameConflict | undefined>
  /** Replaces a name's attributes. Resolves to the reason for a failure, or to `undefined` on success. */
  setAttributes(
    change: SignedChange & { readonly attributes: Readonly<Record<string, string>> },
  ): Promise<NameConflict | undefined>
  /** Sets a name's address. Resolves to the reason for a failure, or to `undefined` on success. */
  setAddress(
    change: SignedChange & { readonly coinTypes: readonly number[]; readonly address: string },
  ): Promise<NameConflict | undefined>
}

/** Creates a store for account names that uses a database. */
export function databaseAccountNames(connection: Connection): NameStore {
  const { name, owner } = accountNames

  async function withAddresses(
    database: Database,
    rows: readonly (typeof accountNames.$inferSelect)[],
  ): Promise<readonly StoredName[]> {
    if (rows.length === 0) return []
    const names = rows.map((row) => row.name)
    const addresses = await database
      .select()
      .from(accountNameAddresses)
      .where(inArray(accountNameAddresses.name, names))
      .orderBy(accountNameAddresses.coinType)
    return rows.map((row) => ({ ...row, addresses: addresses.filter((item) => item.name === row.name) }))
  }

  /** Runs a change in a transaction that is rolled back if it conflicts. */
  async function change(
    { owner: address, signedAt }: SignedChange,
    work: (database: Database) => Promise<NameConflict | undefined>,
  ): Promise<NameConflict | undefined> {
    try {
      await connection.use((database) =>
        database.transaction(async (transaction) => {
          // Locks the owner's row, so that concurrent changes by one owner are applied one after the other.
          const newer = await transaction
            .insert(accountNameOwners)
            .values({ address, lastSignedAt: signedAt })
            .onConflictDoUpdate({
              target: accountNameOwners.address,
              set: { lastSignedAt: signedAt },
              setWhere: lt(accountNameOwners.lastSignedAt, signedAt),
            })
            .returning({ address: accountNameOwners.address })
          const conflict = newer.length === 0 ? 'replayed' : await work(transaction)
          if (conflict) throw new Conflict(conflict)
        }),
      )
      return undefined
    } catch (error) {
      if (error instanceof Conflict) return error.kind
      throw error
    }
  }

  const markUpdated = (database: Database, { name: changed, at }: SignedChange) =>
    database.update(accountNames).set({ updatedAt: at }).where(eq(name, changed))

  return {
    find: (wanted) =>
      connection.use(async (database) => {
        const rows = await database.select().from(accountNames).where(eq(name, wanted))
        return (await withAddresses(database, rows))[0]
      }),
    ownedBy: (address) =>
      connection.use(async (database) => {
        const rows = await database
          .select()
          .from(accountNames)
          .where(eq(owner, address))
          .orderBy(accountNames.registeredAt, name)
          .limit(100)
        return withAddresses(database, rows)
      }),
    registered: (names) =>
      connection.use(async (database) => {
        const rows = await database
          .select({ name })
          .from(accountNames)
          .where(inArray(name, [...names]))
        return new Set(rows.map((row) => row.name))
      }),
    register: ({ coinTypes, address, maxPerOwner, ...signed }) =>
      change(signed, async (database) => {
        const { name: registered, owner: account, ownerChain, attributes, at } = signed
        const inserted = await database
          .insert(accountNames)
          .values({ name: registered, owner: account, ownerChain, attributes, registeredAt: at })
          .onConflictDoNothing()
          .returning({ name })
        if (inserted.length === 0) return 'taken'
        const [owned] = await database.select({ total: count() }).from(accountNames).where(eq(owner, account))
        if ((owned?.total ?? 0) > maxPerOwner) return 'limit'
        await saveAddresses(database, { name: registered, coinTypes, address, at })
        return undefined
      }),
    setAttributes: (signed) =>
      change(signed, async (database) => {
        await database
          .update(accountNames)
          .set({ attributes: signed.attributes, updatedAt: signed.at })
          .where(and(eq(name, signed.name), eq(owner, signed.owner)))
        return undefined
      }),
    setAddress: (signed) =>
      change(signed, async (database) => {
        await saveAddresses(database, signed)
        await markUpdated(database, signed)
        return undefined
      }),
  }
}

class Conflict extends Error {
  readonly kind: NameConflict
  constructor(kind: NameConflict) {
    super(kind)
    this.kind = kind
  }
}

async function saveAddresses(
  database: Database,
  {
    name,
    coinTypes,
    address,
    at,
  }: {
    readonly name: string
    readonly coinTypes: readonly number[]
    readonly address: string
    readonly at: number
  },
): Promise<void> {
  for (const coinType of coinTypes)
    await database
      .insert(accountNameAddresses)
      .values({ name, coinType, address, createdAt: at })
      .onConflictDoUpdate({
        target: [accountNameAddresses.name, accountNameAddresses.coinType],
        set: { address, createdAt: at },
      })
}
