/** Measures how long a condition has held without interruption. */
export interface DwellTimer {
  /** Starts to measure, unless it is measuring already. Calls back once after `ms`. */
  start(ms: number): void
  reset(): void
  /** The time since the start, in milliseconds; 0 if it is not measuring. */
  elapsedMs(): number
}

/** Creates a timer that is not measuring. */
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
