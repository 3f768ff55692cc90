/**
 * The server's clock as it was heard last, running on since then. This device's own clock can be set by anybody who holds it, or by mistake:
 * what ends at a time ends by this one.
 */
export interface ServerClock {
  /** The server said its time, in epoch milliseconds. */
  heard(ms: number): void
  /** Epoch milliseconds; this device's own time as long as nothing was heard. */
  now(): number
  /** Whether the server has said its time. */
  isHeard(): boolean
}

/** A clock that nothing was heard of yet. */
export function createServerClock({
  local,
  monotonic,
}: {
  /** This device's clock, in epoch milliseconds. */
  readonly local: () => number
  /** Milliseconds that nobody can set back. */
  readonly monotonic: () => number
}): ServerClock {
  let offset: number | undefined
  return {
    heard(ms) {
      offset = ms - monotonic()
    },
    isHeard: () => offset !== undefined,
    now: () => (offset === undefined ? local() : offset + monotonic()),
  }
}
