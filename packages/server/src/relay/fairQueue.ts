import type { Clock } from '../serverDependencies.ts'
import { createUsageQueue } from './usageQueue.ts'

/** How long calls can run before they yield to the event loop, in milliseconds. */
const sliceMs = 5
/** The half-life of the time that a caller has used, in milliseconds. */
const halfLifeMs = 1_000

interface Waiting {
  readonly caller: string
  /** The waiting calls, oldest first. */
  readonly calls: (() => void)[]
  /** The time that the caller had used when its place in the queue was determined, in milliseconds. */
  use: number
  turn: number
}

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
  const waiting = new Map<string, Waiting>()
  const order = createUsageQueue<Waiting>()
  /** The time that each caller has used, in milliseconds. */
  const usedMs = new Map<string, number>()
  let halvedAt = clock()
  let isScheduled = false
  let startedAt = 0
  let lastTurn = 0

  const isSliceOver = (): boolean => clock() - startedAt >= sliceMs

  const startSlice = (): void => {
    isScheduled = true
    startedAt = clock()
    defer(() => void run())
  }

  const useOf = (caller: string): number => usedMs.get(caller) ?? 0

  const halve = (): void => {
    if (clock() - halvedAt < halfLifeMs) return
    halvedAt = clock()
    for (const [caller, ms] of usedMs) {
      if (ms < 0.5) usedMs.delete(caller)
      else usedMs.set(caller, ms / 2)
    }
    for (const entry of waiting.values()) entry.use = useOf(entry.caller)
    order.reorder()
  }

  /** Adds a caller at the end of those that have used the same amount of time. */
  const enqueue = (entry: Waiting): void => {
    lastTurn += 1
    entry.turn = lastTurn
    order.add(entry)
  }

  /**
   * Takes the caller that has used the least time. If several have used the same amount, takes the one that has waited longest.
   */
  const takeNext = (): Waiting => {
    for (;;) {
      const entry = order.take() as Waiting
      const use = useOf(entry.caller)
      if (use === entry.use) return entry
      // The caller has used more time since its place was determined.
      entry.use = use
      order.add(entry)
    }
  }

  const run = async (): Promise<void> => {
    isScheduled = false
    halve()
    if (waiting.size === 0) return
    startSlice()
    while (waiting.size > 0 && !isSliceOver()) {
      const entry = takeNext()
      const { caller, calls } = entry
      const resolve = calls.shift() as () => void
      if (calls.length > 0) enqueue(entry)
      else waiting.delete(caller)
      const from = clock()
      resolve()
      // Lets the released call run now, so that its time is counted.
      for (let step = 0; step < 4; step += 1) await undefined
      usedMs.set(caller, useOf(caller) + clock() - from)
    }
  }

  return {
    next(caller) {
      if (!isScheduled) startSlice()
      if (waiting.size === 0 && !isSliceOver()) return undefined
      return new Promise((resolve) => {
        const known = waiting.get(caller)
        if (known) {
          known.calls.push(resolve)
          return
        }
        const entry = { caller, calls: [resolve], use: useOf(caller), turn: 0 }
        waiting.set(caller, entry)
        enqueue(entry)
      })
    },
  }
}
