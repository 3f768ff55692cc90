import { loadOnce } from '@latchkey/protocol/loadOnce'

/** A lazily loaded value. */
export interface LazyValue<T> {
  /** Loads the value, or resolves to it if it has already been loaded. If loading fails, the next call tries again. */
  get(): Promise<T>
  /** Resolves to the value if it has been requested, and to `undefined` otherwise or if it could not be loaded. */
  loaded(): Promise<T | undefined>
  /** Calls the value's `stop` method, if the value has been requested and has such a method. */
  stop(): void
}

/** Creates a lazy value. `make` is called on first use, and again only if it rejects. */
export function lazyValue<T extends object>(make: () => Promise<T>): LazyValue<T> {
  const load = loadOnce(make)
  let made: Promise<T> | undefined
  return {
    get: () => (made = load()),
    loaded: async () => made?.catch(() => undefined),
    stop() {
      made?.then(
        (it) => 'stop' in it && typeof it.stop === 'function' && it.stop(),
        () => undefined,
      )
    },
  }
}
