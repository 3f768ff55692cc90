import type { ConnectorContext } from '@latchkey/core/adapter'
import type { ErrorCode } from '@latchkey/protocol/errors'

/** What a bridge opens when somebody first asks for it, as long as an instance is attached. */
export interface LazyClient<Opened> {
  host(): ConnectorContext | undefined
  /** Serves `host`; the answer lets go, and closes what was opened. */
  attach(host: ConnectorContext): () => void
  opened(): Promise<Opened>
}

/** Opens by `open`, once. */
export function lazyClient<Opened extends { close(): void }>(
  open: (host: ConnectorContext) => Promise<Opened>,
): LazyClient<Opened> {
  let host: ConnectorContext | undefined
  let opened: Promise<Opened> | undefined
  return {
    host: () => host,
    attach(now) {
      host = now
      return () => {
        host = undefined
        void opened?.then(
          (made) => made.close(),
          () => {},
        )
        opened = undefined
      }
    },
    opened() {
      if (!host) return Promise.reject(early('app/not-loaded', 'Latchkey did not load, or was stopped.'))
      const made = (opened ??= open(host))
      // A chunk that did not come is asked for again by the next who asks.
      made.catch(() => {
        if (opened === made) opened = undefined
      })
      return made
    },
  }
}

/** Shaped as a LatchkeyError; its class is a kilobyte that a page would pay before any click. */
export function early(code: ErrorCode, message: string, details?: object): Error {
  return Object.assign(new Error(message), { code, details })
}
