import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Milliseconds since the Unix epoch. */
const ms = (name: string) => bigint(name, { mode: 'number' })

/** The accounts that have registered names, each with the time of its last signed message. */
export const accountNameOwners = pgTable('account_name_owners', {
  /** An EVM address in lower case. */
  address: text().primaryKey(),
  /** Unix seconds, as signed. An older message is a replay. */
  lastSignedAt: bigint('last_signed_at', { mode: 'number' }).notNull(),
})

/** The registered account names. */
export const accountNames = pgTable(
  'account_names',
  {
    /** The full name, such as `alice.shop.example`. */
    name: text().primaryKey(),
    owner: text()
      .notNull()
      .references(() => accountNameOwners.address),
    /** The CAIP-2 ID of the chain whose contract verifies the owner's signatures, if the owner is a contract. */
    ownerChain: text('owner_chain').$type<`eip155:${string}`>().notNull(),
    attributes: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    registeredAt: ms('registered_at').notNull(),
    updatedAt: ms('updated_at'),
  },
  (table) => [index('account_names_owner').on(table.owner)],
)

/** The addresses that names resolve to, by coin type (ENSIP-11). */
export const accountNameAddresses = pgTable(
  'account_name_addresses',
  {
    name: text()
      .notNull()
      .references(() => accountNames.name, { onDelete: 'cascade' }),
    coinType: bigint('coin_type', { mode: 'number' }).notNull(),
    /** The address, with an ERC-55 checksum. */
    address: text().notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.coinType] })],
)
