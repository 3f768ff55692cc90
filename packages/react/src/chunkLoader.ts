/** Fetches a chunk once and returns it synchronously from then on. */
export interface ChunkLoader<T> {
  /** Returns the loaded value, or `undefined` if the chunk has not loaded yet. */
  get(): T | undefined
  /** Fetches the chunk unless it is already loaded or loading. After a failure, the next call retries. */
  load(): Promise<T>
  subscribe(listener: () => void): () => void
}

/**
 * Creates a loader for a dynamic `import()`. `React.lazy` is not used, because it shows its fallback for at least 300 ms even if
 * the chunk arrives after 10 ms.
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
