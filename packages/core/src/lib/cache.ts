import type { Clock } from '@latchkey/protocol/clock'

/** A cache whose entries each have their own lifetime. Concurrent reads of the same key share one request. */
export interface Cache {
  read<T>(key: string, params: { ttlMs: number; load(signal: AbortSignal): Promise<T>; fresh?: boolean }): Promise<T>
  /** Removes all entries and aborts pending requests. */
  clear(): void
}

/** Creates an in-memory cache. Failures are not cached, so the next read tries again. */
export function createCache(clock: Clock): Cache {
  const stored = new Map<string, { until: number; value: unknown }>()
  const asking = new Map<string, Promise<unknown>>()
  let controller = new AbortController()

  return {
    async read<T>(key: string, params: { ttlMs: number; load(signal: AbortSignal): Promise<T>; fresh?: boolean }) {
      const found = stored.get(key)
      // An entry whose age is exactly the limit is still fresh.
      if (found && clock.now() <= found.until && !params.fresh) return found.value as T
      stored.delete(key)
      const shared = asking.get(key)
      if (shared) return shared as Promise<T>
      const { signal } = controller
      const asks = params.load(signal).then(
        (value) => {
          if (asking.get(key) === asks) asking.delete(key)
          if (!signal.aborted) stored.set(key, { until: clock.now() + params.ttlMs, value })
          return value
        },
        (error: unknown) => {
          if (asking.get(key) === asks) asking.delete(key)
          throw error
        },
      )
      asking.set(key, asks)
      return asks
    },
    clear() {
      controller.abort()
      controller = new AbortController()
      stored.clear()
      asking.clear()
    },
  }
}
