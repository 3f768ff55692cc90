import { setMaxListeners } from 'node:events'
import { unlessAborted } from '@latchkey/protocol/unlessAborted'
import { HttpError } from '../errors/httpError.ts'
import { createSemaphore } from '../resilience/semaphore.ts'
import type { Clock } from '../serverDependencies.ts'

/** How long the result of a read is cached, in milliseconds. */
export const readLifetimesMs = {
  balance: 10_000,
  price: 30_000,
  gas: 10_000,
  tokens: 600_000,
  identity: 86_400_000,
} as const

/** A kind of read, which determines how long its result is cached. */
export type ReadKind = keyof typeof readLifetimesMs

/** A read whose result is shared. */
export interface CachedRead<Value> {
  readonly kind: ReadKind
  /** Identifies the result among all reads of the same kind. */
  readonly key: string
  /** The signal of the caller. The read is aborted once all of its callers have aborted. */
  readonly signal: AbortSignal
  /** Whether to read again, even if a result is cached or a read is in progress. */
  readonly isForced?: boolean | undefined
  /**
   * Whether another read waits for this one. If so, it takes no slot, because reads could otherwise wait for each other
   * forever.
   */
  readonly isPartOfRead?: boolean | undefined
  readonly load: (signal: AbortSignal) => Promise<Value>
}

/** Reads that are shared by concurrent callers and cached for a short time. */
export interface ReadCache {
  /**
   * Resolves to the cached result, to the result of an identical read in progress, or to that of `load`. Failures are not
   * cached.
   *
   * @throws {HttpError} 503 if too many reads are in progress, or if the caller aborts.
   */
  read<Value>(read: CachedRead<Value>): Promise<Value>
}

interface InProgress {
  readonly promise: Promise<unknown>
  readonly controller: AbortController
  callers: number
}

interface Remembered {
  readonly value: unknown
  readonly weight: number
  readonly expiresAt: number
}

/**
 * Creates a cache for reads. `maxConcurrent` reads run at the same time, and twice as many can be queued. Names have separate
 * slots, half as many, because the gateways of a name can be deliberately slow. The cache holds at most `maxWeight` items,
 * counting the items in lists.
 */
export function createReadCache({
  clock,
  maxConcurrent = 64,
  maxWeight = 50_000,
}: {
  clock: Clock
  maxConcurrent?: number
  maxWeight?: number
}): ReadCache {
  const slots = createSemaphore({ calls: maxConcurrent, waiting: 2 * maxConcurrent })
  const nameSlots = createSemaphore({ calls: maxConcurrent / 2, waiting: maxConcurrent })
  const remembered = new Map<string, Remembered>()
  const inProgress = new Map<string, InProgress>()
  let weight = 0

  function forget(id: string): void {
    weight -= remembered.get(id)?.weight ?? 0
    remembered.delete(id)
  }

  function remember(id: string, kind: ReadKind, value: unknown): void {
    forget(id)
    const item = { value, weight: weightOf(value), expiresAt: clock() + readLifetimesMs[kind] }
    if (item.weight > maxWeight) return
    remembered.set(id, item)
    weight += item.weight
    // A map iterates in insertion order, so the oldest results are removed first.
    for (const oldest of remembered.keys()) {
      if (weight <= maxWeight) break
      forget(oldest)
    }
  }

  function start<Value>(id: string, { kind, isPartOfRead, load }: CachedRead<Value>): InProgress {
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const run = async (): Promise<Value> => {
      const enter = kind === 'identity' ? nameSlots.enter : slots.enter
      const leave = isPartOfRead ? () => {} : await enter(controller.signal)
      if (!leave) throw new HttpError(503, 'chainId', 'The server is busy: try again', 1)
      try {
        const value = await load(controller.signal)
        // A forced read that was started later has a newer result.
        if (inProgress.get(id) === started) remember(id, kind, value)
        return value
      } finally {
        leave()
      }
    }
    const promise = run().finally(() => {
      if (inProgress.get(id) === started) inProgress.delete(id)
    })
    const started: InProgress = { promise, controller, callers: 0 }
    inProgress.set(id, started)
    return started
  }

  async function wait<Value>(id: string, read: InProgress, signal: AbortSignal): Promise<Value> {
    read.callers += 1
    try {
      return (await unlessAborted(read.promise, signal, aborted)) as Value
    } finally {
      read.callers -= 1
      if (read.callers === 0) {
        // Later callers start a new read instead of waiting for one that is being aborted.
        if (inProgress.get(id) === read) inProgress.delete(id)
        read.controller.abort(aborted())
      }
    }
  }

  return {
    async read<Value>(read: CachedRead<Value>): Promise<Value> {
      const id = `${read.kind} ${read.key}`
      // A request can wait for reads of many chains at the same time, which is not a leak.
      setMaxListeners(0, read.signal)
      const item = remembered.get(id)
      if (item && item.expiresAt > clock()) {
        if (!read.isForced) return item.value as Value
      } else forget(id)
      const running = read.isForced ? undefined : inProgress.get(id)
      return wait<Value>(id, running ?? start(id, read), read.signal)
    },
  }
}

function weightOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + value.length
  return value instanceof Map ? 1 + value.size : 1
}

function aborted(): HttpError {
  return new HttpError(503, 'chainId', 'The request was aborted', 1)
}
