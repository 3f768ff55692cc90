/** A chunk that is fetched once, and there at once when it was fetched before. */
export interface Loader<T> {
  /** What came, or `undefined` before that. */
  get(): T | undefined
  /** Fetches it, unless it is there or on its way. A failure is forgotten, so that the next call tries again. */
  load(): Promise<T>
  subscribe(listener: () => void): () => void
}

/**
 * A loader over one `import()`. React's own `lazy` was weighed: it shows its fallback for at least 300 ms even when the chunk
 * comes after ten, and a dialog must not.
 */
export function createLoader<T>(fetch: () => Promise<T>): Loader<T> {
  let found: T | undefined
  let coming: Promise<T> | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => found,
    load() {
      coming ??= fetch().then(
        (value) => {
          found = value
          for (const listener of listeners) listener()
          return value
        },
        (error: unknown) => {
          coming = undefined
          throw error
        },
      )
      return coming
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
