import type { KeyValueStorage } from '../options.ts'

/** An in-memory `KeyValueStorage` that tests can inspect and make fail. */
export interface MemoryStorage extends KeyValueStorage {
  /** Returns all entries. */
  all(): Readonly<Record<string, string>>
  /** Makes all further calls throw, as if storage were full or blocked. */
  fail(error?: Error): void
}

/**
 * Creates a `MemoryStorage` that initially contains `entries`.
 *
 * @example
 * const storage = memoryStorage()
 * createLatchkey({ storage })
 */
export function memoryStorage(entries: Readonly<Record<string, string>> = {}): MemoryStorage {
  const stored = new Map(Object.entries(entries))
  let failure: Error | undefined
  const attempt = <T>(task: () => T): T => {
    if (failure) throw failure
    return task()
  }
  return {
    getItem: (key) => attempt(() => stored.get(key) ?? null),
    setItem: (key, value) => attempt(() => void stored.set(key, String(value))),
    removeItem: (key) => attempt(() => void stored.delete(key)),
    all: () => Object.fromEntries(stored),
    fail(error = new DOMException('The quota has been exceeded.', 'QuotaExceededError')) {
      failure = error
    },
  }
}
