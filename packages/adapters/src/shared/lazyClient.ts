import type { ConnectorContext } from '@latchkey/core/adapter'
import type { ErrorCode } from '@latchkey/protocol/latchkeyError'

/** A client that opens on first use while a Latchkey instance is attached. */
export interface LazyClient<Opened> {
  host(): ConnectorContext | undefined
  /** Attaches an instance. Returns a function that detaches the instance and closes the client. */
  attach(host: ConnectorContext): () => void
  opened(): Promise<Opened>
}

/** Creates a lazy client. `open` is called once per attached instance, and again only if it rejects. */
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
      if (!host) return Promise.reject(early('app/not-loaded', 'Latchkey did not load or was stopped.'))
      const made = (opened ??= open(host))
      // Allow another attempt if the chunk could not be loaded.
      made.catch(() => {
        if (opened === made) opened = undefined
      })
      return made
    },
  }
}

/** Creates an error shaped like a `LatchkeyError`, because the class would add a kilobyte to the initial bundle. */
export function early(code: ErrorCode, message: string, details?: object): Error {
  return Object.assign(new Error(message), { code, details })
}
