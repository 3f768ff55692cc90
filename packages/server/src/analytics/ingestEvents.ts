import type { AnalyticsEvent, EventIngest, Events, Log } from '../serverDependencies.ts'

const batchMax = 200
const waitingMax = 10_000
const flushAfterMs = 2000

/**
 * Creates the queue for incoming analytics events. Events are written after two seconds, or as soon as there are 200. While the
 * store is down, up to 10,000 events are buffered.
 */
export function createEventIngest({ events, log }: { events: Events; log: Log }): EventIngest {
  let waiting: AnalyticsEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined
  let failing = false

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      try {
        await events.insert(batch)
        failing = false
      } catch (error) {
        failing = true
        log('warn', 'analytics events are queued because the store is unavailable', {
          waiting: waiting.length,
          error: error instanceof Error ? error.name : 'unknown',
        })
        later()
        return
      }
      waiting = waiting.slice(batch.length)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  function later(): void {
    timer ??= setTimeout(flush, flushAfterMs)
    timer.unref?.()
  }

  return {
    accept: (found) => {
      const room = found.slice(0, Math.max(0, waitingMax - waiting.length))
      waiting.push(...room)
      if (waiting.length >= batchMax && !failing) void flush()
      else later()
      return room.length
    },
    flush,
  }
}
