/**
 * The server's time as last reported, advanced locally since then. The device clock can be wrong or set on purpose, so expiry is
 * checked against this clock.
 */
export interface ServerClock {
  /** Sets the server's time, in epoch milliseconds. */
  heard(ms: number): void
  /** The time in epoch milliseconds. This is the device's time until the server has reported its time. */
  now(): number
  /** Whether the server has reported its time. */
  isHeard(): boolean
}

/** Creates a clock that has not received the server's time yet. */
export function createServerClock({
  local,
  monotonic,
}: {
  /** This device's clock, in epoch milliseconds. */
  readonly local: () => number
  /** A monotonic clock, in milliseconds. */
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
