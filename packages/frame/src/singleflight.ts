/** Shares a running call: while a call with `key` is pending, `run` is not called again. */
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
