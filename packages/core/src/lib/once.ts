/** Something that is loaded when it is first asked for. */
export interface Once<T> {
  /** Loads it, or answers with what is loaded already; what did not load is tried again by the next who asks. */
  get(): Promise<T>
  /** Stops it by its own `stop`, if anybody ever asked for it. */
  stop(): void
}

/** Loads by `make`, at most once. */
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
