import { read } from '@latchkey/protocol/parseWithSchema'
import type * as v from 'valibot'
import type { KeyValueStorage } from '../options.ts'
import { json } from './codecs.ts'
import { type RecordDependencies, type StorageEntry, storageEntry } from './storageEntry.ts'
import { storagePrefix } from './storagePrefix.ts'

/** The maximum length of a stored draft, in characters. */
const maxDraftLength = 10_000

/** The dependencies of drafts. */
export interface DraftDependencies {
  /** Returns the storage. Default: the page's `sessionStorage`, which ends with the browser tab. */
  readonly storage?: RecordDependencies['storage']
  readonly log: RecordDependencies['log']
  /** The `id` option of the instance. */
  readonly id?: string | undefined
}

/**
 * Returns the storage entry for the user's input in a form, such as `send`. The input is kept when the page is reloaded, but
 * not when the tab is closed, and other tabs cannot read it. Stored text that does not match `schema` is ignored.
 *
 * @example
 * const draft = draftEntry({ log, id }, 'swap', v.object({ amount: v.string() }))
 * draft.set({ amount: '1.5' })
 */
export function draftEntry<T>(
  { storage = pageSessionStorage, log, id }: DraftDependencies,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): StorageEntry<T> {
  return storageEntry({ storage, log }, `${storagePrefix(id)}draft_${name}`, `${name} draft`, {
    read: (text) => (text.length > maxDraftLength ? undefined : json((value) => read(schema, value)).read(text)),
    // Amounts are stored as decimal text.
    write: (value) => JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)),
  })
}

/** Returns the page's sessionStorage. Throws if access to storage is denied. */
function pageSessionStorage(): KeyValueStorage | undefined {
  return typeof window === 'undefined' ? undefined : window.sessionStorage
}
