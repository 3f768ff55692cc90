import type { KeyValueStorage } from '../../options.ts'

/** The storage that was given, or the page's own; `undefined` where there is none or it may not be touched. */
export function pageStorage(input: KeyValueStorage | undefined): KeyValueStorage | undefined {
  try {
    return input ?? globalThis.localStorage ?? undefined
  } catch {
    return undefined
  }
}
