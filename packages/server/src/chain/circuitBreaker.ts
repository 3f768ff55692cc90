import type { Clock } from '../serverDependencies.ts'

/** Stops calls to an upstream that does not respond. */
export interface CircuitBreaker {
  /** Whether a call can be made now. While half open, only one can: a caller that gets `true` must report the outcome. */
  canCall(): boolean
  succeeded(): void
  failed(): void
  /** The caller cancelled the call, which says nothing about the upstream. */
  abandoned(): void
  /** Milliseconds until a call can be made; 0 if one can be made now. */
  waitMs(): number
}

/**
 * Creates a circuit breaker. It opens after `failures` consecutive failures, allows one probe call after `openMs`, and closes if that call
 * succeeds. Written here because cockatiel and opossum read the wall clock, and cockatiel makes other callers wait for the probe instead of
 * rejecting them immediately.
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
