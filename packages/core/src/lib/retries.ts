import type { Clock } from '@latchkey/protocol/clock'

/** The first and the maximum delay, in milliseconds. */
const firstMs = 1_000
const maxMs = 60_000
/** The time over which retries are spread when the device comes back online, so that not all pages retry at once. */
const wakeSpreadMs = 500
/** The maximum delay that a server can request. */
const maxRetryAfterMs = 600_000

/** Retries failed tasks with increasing delays and jitter, and soon after the device comes back online. */
export interface Retries {
  /**
   * Runs `task` after a delay that depends on the number of consecutive `failures` and is at least `minMs`, such as the delay
   * from `Retry-After`. Runs the task sooner if the device comes back online or the page becomes visible. Returns a function
   * that cancels the task.
   */
  schedule(options: { failures: number; minMs?: number | undefined }, task: () => void): () => void
}

interface Scheduled {
  readonly notBefore: number
  cancel(): void
  run(): void
}

/** Creates a retry scheduler. It listens for page events only while a task is scheduled. */
export function createRetries(clock: Clock, random: () => number = Math.random): Retries {
  const scheduled = new Set<Scheduled>()

  const wake = (): void => {
    if (globalThis.document?.visibilityState === 'hidden') return
    for (const item of scheduled) {
      item.cancel()
      item.cancel = clock.after(Math.max(item.notBefore - clock.now(), random() * wakeSpreadMs), item.run)
    }
  }
  const listen = (change: 'addEventListener' | 'removeEventListener'): void => {
    globalThis.window?.[change]?.('online', wake)
    globalThis.document?.[change]?.('visibilitychange', wake)
  }

  return {
    schedule({ failures, minMs = 0 }, task) {
      const delayMs = Math.min(Math.max(minMs, 0), maxRetryAfterMs)
      const backOff = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 16)) * (0.5 + random() / 2)
      if (scheduled.size === 0) listen('addEventListener')
      const cancel = (): void => {
        item.cancel()
        if (scheduled.delete(item) && scheduled.size === 0) listen('removeEventListener')
      }
      const item: Scheduled = {
        notBefore: clock.now() + delayMs,
        cancel: () => {},
        run() {
          cancel()
          task()
        },
      }
      scheduled.add(item)
      item.cancel = clock.after(Math.max(delayMs, backOff), item.run)
      return cancel
    },
  }
}
