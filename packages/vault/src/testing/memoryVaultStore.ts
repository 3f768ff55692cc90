import type { VaultStore } from '../cryptoEnvironment.ts'
import { KeyError } from '../errors.ts'

/** An in-memory store that exposes its contents and can fail on demand. */
export interface MemoryVaultStore extends VaultStore {
  /** The server's copy. */
  savedText: string | undefined
  /** The draft that this device was about to save. */
  draftText: string | undefined
  /** The newest record that this device has seen. */
  newestSeenText: string | undefined
  /** The highest version that this device has seen for each wallet. */
  readonly versions: Map<string, number>
  /** Makes saving fail `before` the record is stored, as in a network error, or `after` it is stored, as in a crash. */
  fault: { readonly at: 'before' | 'after' } | undefined
}

/** Creates an in-memory store for one user. */
export function memoryVaultStore(): MemoryVaultStore {
  const store: MemoryVaultStore = {
    savedText: undefined,
    draftText: undefined,
    newestSeenText: undefined,
    versions: new Map(),
    fault: undefined,
    async save(record, after) {
      if (store.fault?.at === 'before') throw new Error('no network')
      const version = store.savedText === undefined ? 0 : (JSON.parse(store.savedText) as { version: number }).version
      if (version !== after) throw new KeyError('vault/conflict')
      store.savedText = record
      if (store.fault?.at === 'after') throw new Error('no answer')
    },
    draft: async () => store.draftText,
    async storeDraft(record) {
      store.draftText = record
    },
    highestSeenVersion: async (wallet) => store.versions.get(wallet) ?? 0,
    async recordSeenVersion(wallet, version, record) {
      store.versions.set(wallet, Math.max(version, store.versions.get(wallet) ?? 0))
      store.newestSeenText = record
    },
    newestSeenRecord: async () => store.newestSeenText,
  }
  return store
}
