import { createStore as createZustand } from 'zustand/vanilla'

/** A writable store. */
export interface Store<T> extends ReadableStore<T> {
  /** Replaces the value and notifies the listeners. If `next` is a function, it receives the current value. */
  set(next: T | ((now: T) => T)): void
}

/** A read-only view of a store. */
export interface ReadableStore<T> {
  /** Returns the current value. Values are immutable and are replaced when the state changes. */
  get(): T
  /** Calls `listener` after each change. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void
}

/** Creates a store with zustand/vanilla. `initial` is the snapshot for server rendering and hydration. */
export function createStore<T>(initial: T): Store<T> & { readonly initial: T } {
  const store = createZustand<T>(() => initial)
  return {
    initial,
    get: store.getState,
    set: (next) => store.setState(next as T, true),
    subscribe: (listener) => store.subscribe(() => listener()),
  }
}

/** Returns a store for the value under `key`. Only one module writes to each slice. */
export function slice<T, Key extends keyof T>(store: Store<T>, key: Key): Store<T[Key]> {
  return {
    get: () => store.get()[key],
    set: (next) => {
      const now = store.get()
      const value = typeof next === 'function' ? (next as (now: T[Key]) => T[Key])(now[key]) : next
      if (!Object.is(value, now[key])) store.set({ ...now, [key]: value })
    },
    subscribe(listener) {
      let last = store.get()[key]
      return store.subscribe(() => {
        const value = store.get()[key]
        if (Object.is(value, last)) return
        last = value
        listener()
      })
    },
  }
}
