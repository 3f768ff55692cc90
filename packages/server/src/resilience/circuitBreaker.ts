import type { Clock } from '../serverDependencies.ts'

/** A circuit breaker, which stops calls to an upstream that does not respond. */
export interface CircuitBreaker {
  /** Whether a call can be made now. While half open, only one call can be made. The caller must report the call's outcome. */
  canCall(): boolean
  succeeded(): void
  failed(): void
  /** Records that the caller cancelled the call, so that its outcome is unknown. */
  abandoned(): void
  /** Returns the number of milliseconds until a call can be made, or 0 if a call can be made now. */
  waitMs(): number
}

/**
 * Creates a circuit breaker. It opens after `failures` consecutive failures, allows a single probe call after `openMs`, and
 * closes if the probe succeeds. The libraries cockatiel and opossum are not used, because they read the wall clock, and
 * cockatiel makes other callers wait for the probe instead of rejecting them immediately.
 */
export function createCircuitBreaker({
  failures,
  openMs,
  clock,
}: {
  failures: number
  openMs: number
  clock: Clock
}): CircuitBreaker {
  let inRow = 0
  let opensUntil = 0
  let isProbing = false
  return {
    canCall() {
      if (inRow < failures) return true
      if (isProbing || clock() < opensUntil) return false
      isProbing = true
      return true
    },
    succeeded() {
      inRow = 0
      isProbing = false
    },
    failed() {
      inRow += 1
      isProbing = false
      if (inRow >= failures) opensUntil = clock() + openMs
    },
    abandoned() {
      isProbing = false
    },
    waitMs: () => (inRow < failures ? 0 : Math.max(isProbing ? 1000 : 0, opensUntil - clock())),
  }
}
