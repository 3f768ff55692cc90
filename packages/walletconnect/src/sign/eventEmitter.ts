/** A typed event emitter. */
export interface EventEmitter<Events> {
  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
  /** Whether an event has a listener. */
  hasListener(name: keyof Events): boolean
}

/** Creates an emitter without listeners. */
export function createEventEmitter<Events>(): EventEmitter<Events> {
  const listeners: { [Name in keyof Events]?: Set<(event: Events[Name]) => void> } = {}
  return {
    on(name, listener) {
      const set = listeners[name] ?? new Set()
      listeners[name] = set
      set.add(listener)
      return () => void set.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...(listeners[name] ?? [])]) listener(event)
    },
    hasListener: (name) => (listeners[name]?.size ?? 0) > 0,
  }
}
