/** A lazily loaded value. */
export interface Once<T> {
  /** Loads the value, or resolves to the loaded value. A failed load is retried by the next call. */
  get(): Promise<T>
  /** Calls the value's `stop`, if it was ever requested. */
  stop(): void
}

/** Loads the value with `make` on first use, at most once. */
export function once<T extends object>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined
  return {
    get() {
      const now = (made ??= make())
      now.catch(() => {
        made = undefined
      })
      return now
    },
    stop() {
      made?.then(
        (it) => 'stop' in it && typeof it.stop === 'function' && it.stop(),
        () => undefined,
      )
    },
  }
}
