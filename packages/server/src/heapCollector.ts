import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './serverDependencies.ts'

/** Growth since the last collection that makes another one worthwhile: at least this many bytes, and this share of what remained then. */
const minGarbage = { bytes: 16_777_216, share: 0.25 } as const
/** Minimum interval between checks. */
const lookMs = 50
/** The pause after a collection, as a multiple of its duration. Shorter if the process exceeds 1.5 times the threshold. */
const timeShare = { heavy: 10, heavier: 3 } as const
/** Memory threshold above which garbage is also collected periodically, and the interval of that check. */
const heavy = { bytes: 268_435_456, lookMs: 250 } as const

/** Collects garbage earlier than V8 does on its own. */
export interface GarbageCollector {
  /** Call this when a request was rejected because of a memory quota. */
  requestCollection(): void
  close(): void
}

/**
 * Creates a collector that runs when a request was rejected for memory, and while the process is above the threshold. V8 on its own
 * leaves up to 64 MB of unused buffers before it collects, and the process keeps the memory allocated for them.
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
    // After the rejected request has released its memory.
    setImmediate(collectIfWorthwhile)
  }
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > heavyBytes) requestCollection()
  }, heavy.lookMs)
  timer.unref()
  return { requestCollection, close: () => clearInterval(timer) }
}
