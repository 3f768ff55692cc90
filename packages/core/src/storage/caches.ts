import type { Clock } from '@latchkey/protocol/clock'
import { ensCacheMs, identityCacheMs, nativeBalanceCacheMs, portfolioCacheMs } from '@latchkey/protocol/constants'
import {
  entriesOf,
  isRecord,
  isText,
  json,
  type RecordDependencies,
  type StoredRecord,
  storedRecord,
} from './records.ts'
import { storagePrefix } from './storage.ts'

/** A stored cache: one entry per address, gone when it is read too late. */
export interface StoredCache<T> {
  /** The value kept for `address`, or `undefined`; an expired entry is removed on the way. */
  get(address: string): T | undefined
  set(address: string, value: T): void
  clear(): void
}

/** A native balance as it is stored: decimal text, so that nobody has to know the base unit. */
export interface StoredBalance {
  readonly balance: string
  readonly symbol: string
}

/** A token list as it is stored; its entries are parsed by who reads them. */
export interface StoredPortfolio {
  readonly balances: readonly unknown[]
}

/** What an address is called, as it is stored. */
export interface StoredIdentity {
  readonly name?: string
  readonly image?: string
}

/** What was read about an address, for as long as it is believed. */
export interface StoredCaches {
  readonly portfolio: StoredCache<StoredPortfolio>
  readonly nativeBalance: StoredCache<StoredBalance>
  readonly ens: StoredCache<readonly string[]>
  readonly identity: StoredCache<StoredIdentity>
}

/** The caches of one instance. */
export function createCaches(deps: RecordDependencies & { clock: Clock; id?: string | undefined }): StoredCaches {
  const cache = <T>(name: string, noun: string, shape: Shape<T>) =>
    storedCache(deps, storedRecord(deps, storagePrefix(deps.id) + name, noun, json(parseEntries)), shape)
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

function storedCache<T>(deps: { clock: Clock }, record: StoredRecord<Entries>, shape: Shape<T>): StoredCache<T> {
  return {
    get(address) {
      const entries = record.get()
      const entry = entries?.[address]
      if (!entries || !entry) return undefined
      const age = deps.clock.now() - entry.timestamp
      const value = age <= shape.lifetimeMs ? shape.read(entry) : undefined
      if (value !== undefined) return value
      const { [address]: _, ...rest } = entries
      record.set(rest)
      return undefined
    },
    set: (address, value) =>
      record.set({ ...record.get(), [address]: { ...shape.write(address, value), timestamp: deps.clock.now() } }),
    clear: record.clear,
  }
}

function parseEntries(value: unknown): Entries | undefined {
  return entriesOf(value, (entry) =>
    isRecord(entry) && typeof entry.timestamp === 'number' ? { ...entry, timestamp: entry.timestamp } : undefined,
  )
}
