import type { Clock } from '@latchkey/protocol/clock'

/** The first wait, and the longest, in milliseconds. */
const firstMs = 1_000
const maxMs = 60_000
/** After a wake-up, requests of many pages spread over this long. */
const wakeSpreadMs = 500
/** A server that asks for more patience than this is asked earlier all the same. */
const maxRetryAfterMs = 600_000

/** Does failed work again: later each time, at moments that differ between pages, and soon when the device is back. */
export interface Retries {
  /**
   * Runs `task` after the wait that follows `failures` failures in a row, not before `minMs` (Retry-After). Coming back online or to the
   * page runs it soon. Answers what cancels it.
   */
  schedule(options: { failures: number; minMs?: number | undefined }, task: () => void): () => void
}

interface Scheduled {
  readonly notBefore: number
  cancel(): void
  run(): void
}

/** Retries by `clock`; it listens to the page only while something is scheduled. */
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
      const patience = Math.min(Math.max(minMs, 0), maxRetryAfterMs)
      const backOff = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 16)) * (0.5 + random() / 2)
      if (scheduled.size === 0) listen('addEventListener')
      const cancel = (): void => {
        item.cancel()
        if (scheduled.delete(item) && scheduled.size === 0) listen('removeEventListener')
      }
      const item: Scheduled = {
        notBefore: clock.now() + patience,
        cancel: () => {},
        run() {
          cancel()
          task()
        },
      }
      scheduled.add(item)
      item.cancel = clock.after(Math.max(patience, backOff), item.run)
      return cancel
    },
  }
}
