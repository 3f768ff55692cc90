import type { KeyValueStorage } from '../../options.ts'

/** The storage that was given, or the page's own; `undefined` where there is none or it may not be touched. */
export function pageStorage(given: KeyValueStorage | undefined): KeyValueStorage | undefined {
  try {
    return given ?? globalThis.localStorage ?? undefined
  } catch {
    return undefined
  }
}
