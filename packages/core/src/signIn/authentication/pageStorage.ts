import type { KeyValueStorage } from '../../options.ts'

/** Returns the given storage or the page's localStorage, or `undefined` if it is missing or blocked. */
export function pageStorage(input: KeyValueStorage | undefined): KeyValueStorage | undefined {
  try {
    return input ?? globalThis.localStorage ?? undefined
  } catch {
    return undefined
  }
}
