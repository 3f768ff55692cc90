import type { Clock } from '../serverDependencies.ts'

/** How long calls can run before they yield to the event loop, in milliseconds. */
const sliceMs = 5
/** The half-life of the time that a caller has used, in milliseconds. */
const halfLifeMs = 1_000

/** A caller and its waiting calls, oldest first. */
type Waiting = readonly [caller: string, calls: (() => void)[]]

/** Schedules callers fairly, so that no caller blocks the process. */
export interface FairQueue {
  /** Resolves when it is the caller's turn. Returns `undefined` if the caller can run now. */
  next(caller: string): Promise<void> | undefined
}

/**
 * Creates a queue for one event loop. Calls run for a few milliseconds and then yield to sockets, timers and requests. Callers
 * that have to wait are ordered by recent use, lowest first, so a caller that has used little time waits for at most one turn of
 * the other callers.
 */
export function createFairQueue({
  clock,
  defer = setImmediate,
}: {
  clock: Clock
  /** Runs a task after pending events. Default: `setImmediate`. */
  defer?: (task: () => void) => unknown
}): FairQueue {
  const waiting = new Map<string, (() => void)[]>()
  /** The time that each caller has used, in milliseconds. */
  const usedMs = new Map<string, number>()
  let halvedAt = clock()
  let isScheduled = false
  let startedAt = 0

  const isSliceOver = (): boolean => clock() - startedAt >= sliceMs

  const startSlice = (): void => {
    isScheduled = true
    startedAt = clock()
    defer(() => void run())
  }

  const halve = (): void => {
    if (clock() - halvedAt < halfLifeMs) return
    halvedAt = clock()
    for (const [caller, ms] of usedMs) {
      if (ms < 0.5) usedMs.delete(caller)
      else usedMs.set(caller, ms / 2)
    }
  }

  /**
   * Returns the caller that has used the least time. If several have used the same amount, returns the one that has waited
   * longest.
   */
  const next = (): Waiting => {
    const use = ([caller]: Waiting): number => usedMs.get(caller) ?? 0
    let found: Waiting | undefined
    for (const entry of waiting) if (!found || use(entry) < use(found)) found = entry
    return found as Waiting
  }

  const run = async (): Promise<void> => {
    isScheduled = false
    halve()
    if (waiting.size === 0) return
    startSlice()
    while (waiting.size > 0 && !isSliceOver()) {
      const [caller, queue] = next()
      const resolve = queue.shift() as () => void
      // The caller moves to the end of the queue.
      waiting.delete(caller)
      if (queue.length > 0) waiting.set(caller, queue)
      const from = clock()
      resolve()
      // Lets the released call run now, so that its time is counted.
      for (let step = 0; step < 4; step += 1) await undefined
      usedMs.set(caller, (usedMs.get(caller) ?? 0) + clock() - from)
    }
  }

  return {
    next(caller) {
      if (!isScheduled) startSlice()
      if (waiting.size === 0 && !isSliceOver()) return undefined
      return new Promise((resolve) => {
        const queue = waiting.get(caller)
        if (queue) queue.push(resolve)
        else waiting.set(caller, [resolve])
      })
    },
  }
}
