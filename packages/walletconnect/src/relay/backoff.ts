const maxDelayMs = 5_000
/** The delays before the first reconnect attempts. Every later attempt uses the maximum delay. */
const delaysMs: readonly number[] = [100, 200, 500, 1_000, 2_000]

/** The delays between reconnect attempts. */
export interface Backoff {
  /** Returns the delay before the next attempt. */
  next(): number
  /** Returns the maximum delay. Like a call to `next()`, the call counts as an attempt. */
  max(): number
  /** Starts over with the shortest delay. Call it when an attempt succeeds. */
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
