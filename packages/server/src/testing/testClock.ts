/** A clock that tests can advance. Waits are measured with this clock. */
export interface TestClock {
  /** Epoch milliseconds. */
  now(): number
  /** Waits until the clock has advanced by `ms`, or until `signal` is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Advances the clock. */
  pass(ms: number): void
}

/** Creates a clock that starts at the current time and runs in real time until it is advanced. */
export function createTestClock(): TestClock {
  let passed = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => Date.now() + passed,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: passed + ms,
          wake: () => {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal.addEventListener('abort', sleeper.wake, { once: true })
      }),
    pass: (ms) => {
      passed += ms
      for (const { until, wake } of [...sleepers]) if (until <= passed) wake()
    },
  }
}
