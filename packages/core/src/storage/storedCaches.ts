import type { Clock } from '@latchkey/protocol/clock'
import {
  ensCacheMs,
  identityCacheMs,
  nativeBalanceCacheMs,
  portfolioCacheMs,
} from '@latchkey/protocol/specificationConstants'
import { entriesOf, isRecord, isText, json } from './codecs.ts'
import { type RecordDependencies, type StorageEntry, storageEntry } from './storageEntry.ts'
import { storagePrefix } from './storagePrefix.ts'

/** A stored cache with one entry per address. Expired and invalid entries are removed when they are read. */
export interface StoredCache<T> {
  /** Returns the value cached for `address`, or `undefined`. Removes an expired or invalid entry. */
  get(address: string): T | undefined
  set(address: string, value: T): void
  clear(): void
}

/** A cached native balance. Stored as decimal text, so that it can be read without the currency's decimals. */
export interface StoredBalance {
  readonly balance: string
  readonly symbol: string
}

/** A cached token list. Callers must validate its entries. */
export interface StoredPortfolio {
  readonly balances: readonly unknown[]
}

/** A cached name and picture for an address. */
export interface StoredIdentity {
  readonly name?: string
  readonly image?: string
}

/** The caches for data about addresses. */
export interface StoredCaches {
  readonly portfolio: StoredCache<StoredPortfolio>
  readonly nativeBalance: StoredCache<StoredBalance>
  readonly ens: StoredCache<readonly string[]>
  readonly identity: StoredCache<StoredIdentity>
}

/** Creates the caches for an instance. */
export function createCaches(
  dependencies: RecordDependencies & { clock: Clock; id?: string | undefined },
): StoredCaches {
  const cache = <T>(name: string, noun: string, shape: Shape<T>) =>
    storedCache(
      dependencies,
      storageEntry(dependencies, storagePrefix(dependencies.id) + name, noun, json(parseEntries)),
      shape,
    )
  return {
    portfolio: cache('portfolio_cache', 'portfolio cache', {
      lifetimeMs: portfolioCacheMs,
      write: (caipAddress, balance) => ({ caipAddress, balance }),
      read: ({ balance }) =>
        isRecord(balance) && Array.isArray(balance.balances) ? { balances: balance.balances } : undefined,
    }),
    nativeBalance: cache('native_balance_cache', 'balance cache', {
      lifetimeMs: nativeBalanceCacheMs,
      write: (caipAddress, { balance, symbol }) => ({ caipAddress, balance, symbol }),
      read: ({ balance, symbol }) =>
        isText(balance) && /^\d+(\.\d+)?$/.test(balance) && typeof symbol === 'string'
          ? { balance, symbol }
          : undefined,
    }),
    ens: cache('ens_cache', 'ens cache', {
      lifetimeMs: ensCacheMs,
      write: (address, ens) => ({ address, ens }),
      read: ({ ens }) => (Array.isArray(ens) ? ens.filter(isText) : undefined),
    }),
    identity: cache('identity_cache', 'identity cache', {
      lifetimeMs: identityCacheMs,
      write: (address, identity) => ({ address, identity }),
      read: ({ identity }) =>
        isRecord(identity)
          ? {
              ...(isText(identity.name) && { name: identity.name }),
              ...(isText(identity.image) && { image: identity.image }),
            }
          : undefined,
    }),
  }
}

interface Shape<T> {
  readonly lifetimeMs: number
  write(address: string, value: T): Record<string, unknown>
  read(entry: Record<string, unknown>): T | undefined
}

type Entries = Record<string, Record<string, unknown> & { timestamp: number }>

function storedCache<T>(
  dependencies: { clock: Clock },
  record: StorageEntry<Entries>,
  shape: Shape<T>,
): StoredCache<T> {
  return {
    get(address) {
      const entries = record.get()
      const entry = entries?.[address]
      if (!entries || !entry) return undefined
      const age = dependencies.clock.now() - entry.timestamp
      const value = age <= shape.lifetimeMs ? shape.read(entry) : undefined
      if (value !== undefined) return value
      const { [address]: _, ...rest } = entries
      record.set(rest)
      return undefined
    },
    set: (address, value) =>
      record.set({
        ...record.get(),
        [address]: { ...shape.write(address, value), timestamp: dependencies.clock.now() },
      }),
    clear: record.clear,
  }
}

function parseEntries(value: unknown): Entries | undefined {
  return entriesOf(value, (entry) =>
    isRecord(entry) && typeof entry.timestamp === 'number' ? { ...entry, timestamp: entry.timestamp } : undefined,
  )
}
