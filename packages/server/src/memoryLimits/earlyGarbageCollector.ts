import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../serverDependencies.ts'

/**
 * How much memory use must have grown since the last collection to make another collection worthwhile: in bytes, and as a
 * fraction of the memory that was in use after the last collection.
 */
const minGarbage = { bytes: 16_777_216, share: 0.25 } as const
/** The minimum interval between checks, in milliseconds. */
const lookMs = 50
/**
 * The pause after a collection, as a multiple of the collection's duration. The pause is shorter if the process exceeds 1.5 times
 * the threshold.
 */
const timeShare = { heavy: 10, heavier: 3 } as const
/**
 * The threshold for resident memory above which garbage is also collected periodically (`bytes`), the minimum distance between
 * the threshold and the memory in use at startup (`growth`), and how often the memory use is checked (`lookMs`). A server with
 * the embedded database always uses more than 256 MiB. Without the distance, it would collect garbage all the time, and each
 * collection would delay responses.
 */
const heavy = { bytes: 268_435_456, growth: 134_217_728, lookMs: 250 } as const

/** How long after its creation the collector runs for the first time, in milliseconds. */
const afterStartMs = 5_000

/** A garbage collector that runs earlier than V8 would on its own. */
export interface GarbageCollector {
  /** Requests a collection. Called after a request was rejected because of a memory quota. */
  requestCollection(): void
  close(): void
}

/**
 * Creates a collector that runs once after startup, whenever a request is rejected because of a memory quota, and periodically
 * while the process exceeds the memory threshold. On its own, V8 lets up to 64 MB of unused buffers accumulate before it collects
 * them, and the process keeps that memory.
 */
export function createEarlyGarbageCollector(
  clock: Clock,
  {
    heavyBytes = Math.max(heavy.bytes, process.memoryUsage.rss() + heavy.growth),
    startMs = afterStartMs,
  }: { readonly heavyBytes?: number; readonly startMs?: number } = {},
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
    // Runs after the rejected request has released its memory.
    setImmediate(collectIfWorthwhile)
  }
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > heavyBytes) requestCollection()
  }, heavy.lookMs)
  timer.unref()
  // Startup leaves garbage that V8 would keep for as long as the process is idle.
  const first = setTimeout(collect, startMs)
  first.unref()
  return {
    requestCollection,
    close() {
      clearInterval(timer)
      clearTimeout(first)
    },
  }
}
