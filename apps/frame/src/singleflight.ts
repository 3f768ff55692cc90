/** Joins questions that wait for the same thing: while one with `key` is under way, `run` is not called again. */
export interface Singleflight {
  <Result>(key: string, run: () => Promise<Result>): Promise<Result>
}

/** Nothing is under way. */
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
