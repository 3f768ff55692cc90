/** A clock that can be replaced in tests. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** Runs `task` once, after `ms` milliseconds. Returns a function that cancels the task. */
  after(ms: number, task: () => void): () => void
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
