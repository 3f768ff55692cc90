/** An event emitter. A listener that throws does not affect the other listeners. */
export interface Events<Map> {
  on<Event extends keyof Map>(event: Event, listener: (value: Map[Event]) => void): () => void
  emit<Event extends keyof Map>(event: Event, value: Map[Event]): void
}

/** Creates an event emitter. Errors that listeners throw are passed to `failed`. */
export function createEvents<Map>(failed: (error: unknown) => void): Events<Map> {
  const listeners: { [Event in keyof Map]?: Set<(value: Map[Event]) => void> } = {}
  return {
    on(event, listener) {
      const set = (listeners[event] ??= new Set())
      // Wrap the listener, so that a function added twice is called twice, and each registration is removed separately.
      const own = (value: Map[typeof event]) => listener(value)
      set.add(own)
      return () => set.delete(own)
    },
    emit(event, value) {
      for (const listener of [...(listeners[event] ?? [])]) {
        try {
          listener(value)
        } catch (error) {
          failed(error)
        }
      }
    },
  }
}
