import type { Log } from '../lib/log.ts'
import type { KeyValueStorage } from '../options.ts'
import type { Codec } from './codecs.ts'

/** A typed value in the page's storage, which is parsed when it is read. Storage errors are logged, not thrown. */
export interface StorageEntry<T> {
  /** The full key in the page's storage, including the prefix. */
  readonly key: string
  /** Returns the value, or `undefined` if it is missing or invalid. */
  get(): T | undefined
  /** Stores `value`. Does nothing while storage is unavailable. */
  set(value: T): void
  /** Removes the value. Does nothing while storage is unavailable. */
  clear(): void
}

/**
 * The dependencies that all entries of an instance share. `storage` returns `undefined` before `start()` and if storage is
 * unavailable.
 */
export interface RecordDependencies {
  storage(): KeyValueStorage | undefined
  log: Pick<Log, 'warn'>
}

/** Creates the storage entry for `key`. `noun` describes the entry in log messages, such as 'Unable to set active namespace'. */
export function storageEntry<T>(
  dependencies: RecordDependencies,
  key: string,
  noun: string,
  codec: Codec<T>,
): StorageEntry<T> {
  const tolerant = <Answer>(verb: string, task: (storage: KeyValueStorage) => Answer): Answer | undefined => {
    try {
      const storage = dependencies.storage()
      return storage && task(storage)
    } catch (error) {
      dependencies.log.warn(`Unable to ${verb} ${noun}`, error)
      return undefined
    }
  }
  return {
    key,
    get: () =>
      tolerant('get', (storage) => {
        const text = storage.getItem(key)
        return text ? codec.read(text) : undefined
      }),
    set: (value) => tolerant('set', (storage) => storage.setItem(key, codec.write(value))),
    clear: () => tolerant('remove', (storage) => storage.removeItem(key)),
  }
}
