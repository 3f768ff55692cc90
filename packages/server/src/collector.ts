import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './ports.ts'

/** How much must have been added since the last collection before another one is worth its time: so many bytes, and a part of what was left then. */
const slack = { bytes: 16_777_216, share: 0.25 } as const
/** How often that is looked at, at most. */
const lookMs = 50
/** A process that is pressed spends no more than one part in so many of its time on collecting. */
const timeShare = 10

/**
 * Answers with what to call when somebody was refused for holding too much: then what nobody uses any more is collected. V8 by itself lets 64 MB
 * of buffers lie before it looks, and the process keeps the memory that it once had for them.
 */
export function createCollector(clock: Clock): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = (): number => {
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }
  let left = used()
  let nextAt = Number.NEGATIVE_INFINITY
  const look = (): void => {
    if (used() - left < Math.max(slack.bytes, left * slack.share)) return
    const from = clock()
    collect()
    left = used()
    nextAt = clock() + (clock() - from) * timeShare
  }
  return () => {
    if (clock() < nextAt) return
    nextAt = clock() + lookMs
    // Once whoever was refused has let go.
    setImmediate(look)
  }
}
