import type { Clock } from '../serverDependencies.ts'

/** Keeps calls away from what does not answer. */
export interface CircuitBreaker {
  /** Whether a call may be made now. While half open only one may: whoever gets `true` must report what became of it. */
  canCall(): boolean
  succeeded(): void
  failed(): void
  /** The call was given up by its caller, which says nothing about the other side. */
  abandoned(): void
  /** Milliseconds until a call may be tried; 0 where one may be made now. */
  waitMs(): number
}

/**
 * A circuit breaker: opens after `failures` in a row, lets one call through after `openMs`, and closes when that one
 * succeeds. Our own because the libraries looked at (cockatiel, opossum) read the wall clock, and the first of them lets
 * other callers wait for the probe, where they have to be refused at once.
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
