/**
 * The server's last reported time, advanced locally since then. Expiry is checked against this clock, because the device clock
 * can be wrong or changed on purpose.
 */
export interface ServerClock {
  /** Sets the server's time, in milliseconds since the epoch. */
  set(ms: number): void
  /** Returns the time in milliseconds since the epoch. Until the server has reported its time, this is the device's time. */
  now(): number
  /** Whether the server has reported its time. */
  isSet(): boolean
}

/** Creates a clock that has not received the server's time yet. */
export function createServerClock({
  local,
  monotonic,
}: {
  /** Returns the device's time in milliseconds since the epoch. */
  readonly local: () => number
  /** Returns a monotonic time in milliseconds. */
  readonly monotonic: () => number
}): ServerClock {
  let offset: number | undefined
  return {
    set(ms) {
      offset = ms - monotonic()
    },
    isSet: () => offset !== undefined,
    now: () => (offset === undefined ? local() : offset + monotonic()),
  }
}
