const maxDelayMs = 5_000
/** Delays between reconnect attempts, until they have the maximum length. */
const delaysMs: readonly number[] = [100, 200, 500, 1_000, 2_000]

/** The delays between reconnect attempts. */
export interface Backoff {
  /** Returns the delay before the next attempt. */
  next(): number
  /** Returns the maximum delay, which counts as an attempt as well. */
  max(): number
  /** Starts over, because an attempt succeeded. */
  reset(): void
}

/** Creates a backoff that starts with the shortest delay. */
export function createBackoff(): Backoff {
  let attempts = 0
  return {
    next: () => delaysMs[attempts++] ?? maxDelayMs,
    max() {
      attempts++
      return maxDelayMs
    },
    reset() {
      attempts = 0
    },
  }
}
