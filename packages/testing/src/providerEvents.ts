/** The events of an EIP-1193 provider. */
export interface ProviderEvents {
  on(event: string, listener: (value: never) => void): void
  removeListener(event: string, listener: (value: never) => void): void
  emit(event: string, value: unknown): void
}

/** Creates the events of a provider, initially without listeners. */
export function createProviderEvents(): ProviderEvents {
  const listeners = new Map<string, Set<(value: never) => void>>()
  return {
    on(event, listener) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
    emit(event, value) {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
    },
  }
}
