import type { Clock } from '../serverPorts.ts'

/** How long calls may run before the event loop looks after everything else. */
const sliceMs = 5
/** After this long what a caller has used counts half. */
const halfLifeMs = 1_000

/** Lets many callers work by turns, so that none keeps the process to itself. */
export interface FairQueue {
  /** Resolves when it is this caller's turn; `undefined` when that is now. */
  next(caller: string): Promise<void> | undefined
}

/**
 * Turns on one event loop: work runs for a few milliseconds, then sockets, timers and requests are looked after; meanwhile
 * callers wait, and whoever has used least of late is next. So a caller who asks little waits for one turn of the others at most.
 */
export function createFairQueue({
  clock,
  defer = setImmediate,
}: {
  clock: Clock
  /** [setImmediate] Runs a task after what waits for the event loop. */
  defer?: (task: () => void) => unknown
}): FairQueue {
  const waiting = new Map<string, (() => void)[]>()
  /** Milliseconds of work, by caller. */
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

  /** Of those who have used the same, whoever has waited longest. */
  const nextCaller = (): string => {
    let found = ''
    let leastMs = Number.POSITIVE_INFINITY
    for (const caller of waiting.keys()) {
      const ms = usedMs.get(caller) ?? 0
      if (ms >= leastMs) continue
      found = caller
      leastMs = ms
    }
    return found
  }

  const run = async (): Promise<void> => {
    isScheduled = false
    halve()
    if (waiting.size === 0) return
    startSlice()
    while (waiting.size > 0 && !isSliceOver()) {
      const caller = nextCaller()
      const queue = waiting.get(caller) ?? []
      const resolve = queue.shift()
      // To the end of the line.
      waiting.delete(caller)
      if (queue.length > 0) waiting.set(caller, queue)
      const from = clock()
      resolve?.()
      // What was let in works now, so that its time counts.
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
