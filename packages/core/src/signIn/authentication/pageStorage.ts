import type { KeyValueStorage } from '../../options.ts'

/** Returns the given storage, or else the page's localStorage. Returns `undefined` if localStorage is missing or blocked. */
export function pageStorage(input: KeyValueStorage | undefined): KeyValueStorage | undefined {
  try {
    return input ?? globalThis.localStorage ?? undefined
  } catch {
    return undefined
  }
}
