import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './serverPorts.ts'

/** How much must have been added since the last collection before another one is worth its time: so many bytes, and a part of what was left then. */
const minGarbage = { bytes: 16_777_216, share: 0.25 } as const
/** How often that is looked at, at most. */
const lookMs = 50
/** A process that is pressed spends no more than one part in so many of its time on collecting; a larger part when it is half as heavy again. */
const timeShare = { heavy: 10, heavier: 3 } as const
/** Of a process that takes more than this, what nobody uses any more is looked for, too. */
const heavy = { bytes: 268_435_456, lookMs: 250 } as const

/** Collects what nobody uses any more, sooner than V8 would by itself. */
export interface GarbageCollector {
  /** To be called when somebody was refused for holding too much. */
  requestCollection(): void
  close(): void
}

/**
 * Collects when somebody was refused for holding too much, and as long as the process is heavy. V8 by itself lets 64 MB of buffers lie before it
 * looks, and the process keeps the memory that it once had for them.
 */
export function createGarbageCollector(
  clock: Clock,
  { heavyBytes = heavy.bytes }: { readonly heavyBytes?: number } = {},
): GarbageCollector {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = (): number => {
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }
  let usedAfter = 0
  let nextAt = Number.NEGATIVE_INFINITY
  const collectIfWorthwhile = (): void => {
    if (used() - usedAfter < Math.max(minGarbage.bytes, usedAfter * minGarbage.share)) return
    const from = clock()
    collect()
    usedAfter = used()
    const isHeavier = process.memoryUsage.rss() > 1.5 * heavyBytes
    nextAt = clock() + (clock() - from) * timeShare[isHeavier ? 'heavier' : 'heavy']
  }
  const requestCollection = (): void => {
    if (clock() < nextAt) return
    nextAt = clock() + lookMs
    // Once whoever was refused has let go.
    setImmediate(collectIfWorthwhile)
  }
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > heavyBytes) requestCollection()
  }, heavy.lookMs)
  timer.unref()
  return { requestCollection, close: () => clearInterval(timer) }
}
