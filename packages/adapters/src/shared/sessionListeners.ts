import type { Session, SessionEvents } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'

/** A session's event listeners. */
export interface SessionListeners<N extends Namespace> {
  readonly on: Session<N>['on']
  emit<Event extends keyof SessionEvents<N>>(event: Event, value: SessionEvents<N>[Event]): void
}

/** Creates an empty set of event listeners for a session. */
export function sessionListeners<N extends Namespace>(): SessionListeners<N> {
  const listeners: { readonly [Event in keyof SessionEvents]: Set<(value: never) => void> } = {
    accounts: new Set(),
    chain: new Set(),
    health: new Set(),
    sent: new Set(),
    disconnect: new Set(),
  }
  return {
    on(event, listener) {
      listeners[event].add(listener as (value: never) => void)
      return () => listeners[event].delete(listener as (value: never) => void)
    },
    emit(event, value) {
      for (const listener of [...listeners[event]]) listener(value as never)
    },
  }
}
