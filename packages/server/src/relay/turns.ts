import type { Clock } from '../ports.ts'

/** How long calls may run before the event loop looks after everything else. */
const sliceMs = 5
/** After this long what a caller has used counts half. */
const halfLifeMs = 1_000

/** Lets many callers work by turns, so that none keeps the process to itself. */
export interface Turns {
  /** Resolves when it is this caller's turn; `undefined` when that is now. */
  next(caller: string): Promise<void> | undefined
}

/**
 * Turns on one event loop: work runs for a few milliseconds, then sockets, timers and requests are looked after; meanwhile
 * callers wait, and whoever has used least of late is next. So a caller who asks little waits for one turn of the others at most.
 */
export function createTurns({
  clock,
  later = setImmediate,
}: {
  clock: Clock
  /** [setImmediate] Runs a task after what waits for the event loop. */
  later?: (task: () => void) => unknown
}): Turns {
  const waiting = new Map<string, (() => void)[]>()
  /** Milliseconds of work, by caller. */
  const used = new Map<string, number>()
  let halvedAt = clock()
  let isMarked = false
  let startedAt = 0

  const isOver = (): boolean => clock() - startedAt >= sliceMs

  const begin = (): void => {
    isMarked = true
    startedAt = clock()
    later(() => void run())
  }

  const halve = (): void => {
    if (clock() - halvedAt < halfLifeMs) return
    halvedAt = clock()
    for (const [caller, ms] of used) {
      if (ms < 0.5) used.delete(caller)
      else used.set(caller, ms / 2)
    }
  }

  /** Of those who have used the same, whoever has waited longest. */
  const nextCaller = (): string => {
    let found = ''
    let least = Number.POSITIVE_INFINITY
    for (const caller of waiting.keys()) {
      const ms = used.get(caller) ?? 0
      if (ms >= least) continue
      found = caller
      least = ms
    }
    return found
  }

  const run = async (): Promise<void> => {
    isMarked = false
    halve()
    if (waiting.size === 0) return
    begin()
    while (waiting.size > 0 && !isOver()) {
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
      used.set(caller, (used.get(caller) ?? 0) + clock() - from)
    }
  }

  return {
    next(caller) {
      if (!isMarked) begin()
      if (waiting.size === 0 && !isOver()) return undefined
      return new Promise((resolve) => {
        const queue = waiting.get(caller)
        if (queue) queue.push(resolve)
        else waiting.set(caller, [resolve])
      })
    },
  }
}
