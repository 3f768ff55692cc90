/** Measures how long a condition has been true without interruption. */
export interface DwellTimer {
  /** Starts measuring, unless the timer is already measuring. Calls back once, after `ms`. */
  start(ms: number): void
  reset(): void
  /** Returns the time since the start in milliseconds, or 0 if the timer is not measuring. */
  elapsedMs(): number
}

/** Creates a timer that is not measuring yet. */
export function createDwellTimer(
  window: {
    readonly performance: Pick<Performance, 'now'>
    readonly setTimeout: (task: () => void, ms: number) => number
    readonly clearTimeout: (timer: number) => void
  },
  elapsed: () => void,
): DwellTimer {
  let timer: number | undefined
  let since: number | undefined
  return {
    start(ms) {
      if (since !== undefined) return
      since = window.performance.now()
      timer = window.setTimeout(() => {
        timer = undefined
        elapsed()
      }, ms)
    },
    reset() {
      if (timer !== undefined) window.clearTimeout(timer)
      timer = undefined
      since = undefined
    },
    elapsedMs: () => (since === undefined ? 0 : window.performance.now() - since),
  }
}
