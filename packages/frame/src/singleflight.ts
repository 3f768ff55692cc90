/** Calls `run`, unless a call with the same `key` is pending. Concurrent calls with the same key share one result. */
export interface Singleflight {
  <Result>(key: string, run: () => Promise<Result>): Promise<Result>
}

/** Creates a singleflight without pending calls. */
export function createSingleflight(): Singleflight {
  const running = new Map<string, Promise<unknown>>()
  return <Result>(key: string, run: () => Promise<Result>) => {
    const found = running.get(key)
    if (found) return found as Promise<Result>
    const started = run().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
