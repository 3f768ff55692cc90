/** Fetches a chunk once, and returns it synchronously afterwards. */
export interface ChunkLoader<T> {
  /** The loaded value, or `undefined` before. */
  get(): T | undefined
  /** Fetches the chunk unless it is loaded or in flight. After a failure the next call tries again. */
  load(): Promise<T>
  subscribe(listener: () => void): () => void
}

/**
 * A loader over one `import()`. Not `React.lazy`: it shows its fallback for at least 300 ms even when the chunk
 * arrives after ten, which a dialog must not do.
 */
export function createChunkLoader<T>(fetch: () => Promise<T>): ChunkLoader<T> {
  let loaded: T | undefined
  let pending: Promise<T> | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => loaded,
    load() {
      pending ??= fetch().then(
        (value) => {
          loaded = value
          for (const listener of listeners) listener()
          return value
        },
        (error: unknown) => {
          pending = undefined
          throw error
        },
      )
      return pending
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
