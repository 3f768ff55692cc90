/** Who listens to what. A listener that throws does not keep the next one from hearing. */
export interface Events<Map> {
  on<Event extends keyof Map>(event: Event, listener: (value: Map[Event]) => void): () => void
  emit<Event extends keyof Map>(event: Event, value: Map[Event]): void
}

/** A list of listeners per event; `failed` hears what they throw. */
export function createEvents<Map>(failed: (error: unknown) => void): Events<Map> {
  const listeners: { [Event in keyof Map]?: Set<(value: Map[Event]) => void> } = {}
  return {
    on(event, listener) {
      const heard = (listeners[event] ??= new Set())
      // A wrapper, so that the same function registered twice is called twice and taken off one by one.
      const own = (value: Map[typeof event]) => listener(value)
      heard.add(own)
      return () => heard.delete(own)
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
