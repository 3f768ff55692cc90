import type { KeyValueStorage } from '../options.ts'

/** A storage in memory that can be looked into and made to fail. */
export interface MemoryStorage extends KeyValueStorage {
  /** Everything in it. */
  all(): Readonly<Record<string, string>>
  /** From now on every call throws, as where storage is full or forbidden. */
  fail(error?: Error): void
}

/** A storage that starts with `entries`. */
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
