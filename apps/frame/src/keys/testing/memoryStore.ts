import { KeyError } from '../errors.ts'
import type { VaultStore } from '../ports.ts'

/** A store in memory, which shows what it holds and can fail on demand. */
export interface MemoryStore extends VaultStore {
  /** The server's copy. */
  saved: string | undefined
  /** What this device was about to save. */
  draftText: string | undefined
  /** The newest record that this device has seen. */
  keptText: string | undefined
  readonly versions: Map<string, number>
  /** Runs around each save: `before` may fail as a network does, `after` as a crash. */
  fault: { readonly at: 'before' | 'after' } | undefined
}

/** A store of one user in memory. */
export function memoryStore(): MemoryStore {
  const store: MemoryStore = {
    saved: undefined,
    draftText: undefined,
    keptText: undefined,
    versions: new Map(),
    fault: undefined,
    async save(record, after) {
      if (store.fault?.at === 'before') throw new Error('no network')
      const version = store.saved === undefined ? 0 : (JSON.parse(store.saved) as { version: number }).version
      if (version !== after) throw new KeyError('vault/conflict')
      store.saved = record
      if (store.fault?.at === 'after') throw new Error('no answer')
    },
    draft: async () => store.draftText,
    async keepDraft(record) {
      store.draftText = record
    },
    seen: async (wallet) => store.versions.get(wallet) ?? 0,
    async saw(wallet, version, record) {
      store.versions.set(wallet, Math.max(version, store.versions.get(wallet) ?? 0))
      store.keptText = record
    },
    kept: async () => store.keptText,
  }
  return store
}
