import type { Log } from '../lib/log.ts'
import type { KeyValueStorage } from '../options.ts'

/** One record of the page's storage: typed when written, parsed when read, silent when storage is not to be had. */
export interface StoredRecord<T> {
  readonly key: string
  /** The value, or `undefined` when there is none or none that can be read. */
  get(): T | undefined
  set(value: T): void
  clear(): void
}

/** How a value becomes text and back; `read` answers `undefined` to what it does not know. */
export interface Codec<T> {
  read(text: string): T | undefined
  write(value: T): string
}

/** What the records of one instance share. `storage` answers `undefined` before `start()` and where there is none. */
export interface RecordDependencies {
  storage(): KeyValueStorage | undefined
  log: Pick<Log, 'warn'>
}

/** The record under `key`; `noun` names it in the log: 'Unable to set active namespace'. */
export function storedRecord<T>(deps: RecordDependencies, key: string, noun: string, codec: Codec<T>): StoredRecord<T> {
  const tolerant = <Answer>(verb: string, task: (storage: KeyValueStorage) => Answer): Answer | undefined => {
    try {
      const storage = deps.storage()
      return storage && task(storage)
    } catch (error) {
      deps.log.warn(`Unable to ${verb} ${noun}`, error)
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

/** A value that is its own text. */
export const text: Codec<string> = { read: (value) => value, write: (value) => value }

/** A text that must be known to `is`. */
export function oneOf<T extends string>(is: (value: unknown) => value is T): Codec<T> {
  return { read: (value) => (is(value) ? value : undefined), write: (value) => value }
}

/** Comma-joined values, each once, in order of addition. */
export function list<T extends string>(is: (value: unknown) => value is T): Codec<readonly T[]> {
  return { read: (value) => unique(value.split(',').filter(is)), write: (values) => unique(values).join(',') }
}

/** JSON, handed to `parse` as an unknown. Broken JSON throws, which the record logs. */
export function json<T>(parse: (value: unknown) => T | undefined): Codec<T> {
  return { read: (value) => parse(JSON.parse(value)), write: (value) => JSON.stringify(value) }
}

/** Whether `value` is an object with string keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether `value` is a non-empty string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The entries of an unknown object that `parse` accepts; `undefined` when it is no object. */
export function entriesOf<T>(
  value: unknown,
  parse: (entry: unknown, key: string) => T | undefined,
): Record<string, T> | undefined {
  if (!isRecord(value)) return undefined
  const found: Record<string, T> = Object.create(null) as Record<string, T>
  for (const [key, entry] of Object.entries(value)) {
    const parsed = parse(entry, key)
    if (parsed !== undefined) found[key] = parsed
  }
  return found
}

/** Each value once, the first stays. */
export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
