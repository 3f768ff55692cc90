import { failure } from '../errors/errorMessages.ts'
import type { LatchkeyError } from '../errors.ts'

/** A replaceable timer. The clock of `@latchkey/core` can be used. */
export interface ChannelClock {
  after(ms: number, task: () => void): () => void
}

/** Called synchronously once the frame is ready, or cannot become ready. */
export interface ReadinessWaiter {
  resolve(): void
  reject(error: LatchkeyError): void
}

/** Whether a frame has sent READY, and the callers that wait for it. */
export interface FrameReadiness {
  readonly isClosed: boolean
  /**
   * Waits for READY, or until the frame is settled: some time after READY. If `timed`, it rejects unless the frame loads in time.
   */
  wait(
    until: 'ready' | 'settled',
    options: { readonly timed: boolean; readonly signal?: AbortSignal | undefined },
    waiter: ReadinessWaiter,
  ): void
  /** The frame has sent READY. Only the first call has an effect. */
  markReady(): void
  /** Rejects all waiting callers. Later callers wait again. */
  rejectAll(error: LatchkeyError): void
  /** Rejects all waiting and later callers. */
  close(): void
}

/** Creates the readiness of a frame that is loading. `onTimeout` is called if it does not load in time. */
export function createFrameReadiness({
  clock,
  loadTimeoutMs,
  settleMs,
  onTimeout,
}: {
  clock: ChannelClock
  loadTimeoutMs: number
  settleMs: number
  onTimeout: (error: LatchkeyError) => void
}): FrameReadiness {
  let state: 'loading' | 'ready' | 'settled' | 'closed' = 'loading'
  let loading: ReadinessWaiter[] = []
  let settling: ReadinessWaiter[] = []
  let cancelSettle = () => {}

  function rejectAll(error: LatchkeyError): void {
    const waiters = [...loading, ...settling]
    loading = []
    settling = []
    for (const waiter of waiters) waiter.reject(error)
  }

  return {
    get isClosed() {
      return state === 'closed'
    },
    wait(until, { timed, signal }, { resolve, reject }) {
      if (state === 'closed') return reject(failure('frame/no-iframe'))
      if (state === 'settled' || state === until) return resolve()
      const cancel =
        timed && state === 'loading'
          ? clock.after(loadTimeoutMs, () => {
              const error = failure('frame/unreachable', { afterMs: loadTimeoutMs })
              onTimeout(error)
              rejectAll(error)
            })
          : () => {}
      const done = () => {
        cancel()
        signal?.removeEventListener('abort', abort)
        loading = loading.filter((other) => other !== waiter)
        settling = settling.filter((other) => other !== waiter)
      }
      const waiter: ReadinessWaiter = {
        resolve() {
          done()
          resolve()
        },
        reject(error) {
          done()
          reject(error)
        },
      }
      const abort = () => waiter.reject(failure('frame/aborted'))
      signal?.addEventListener('abort', abort, { once: true })
      if (until === 'ready') loading.push(waiter)
      else settling.push(waiter)
    },
    markReady() {
      if (state !== 'loading') return
      state = 'ready'
      cancelSettle = clock.after(settleMs, () => {
        state = 'settled'
        resolveAll(settling)
        settling = []
      })
      const waiters = loading
      loading = []
      resolveAll(waiters)
    },
    rejectAll,
    close() {
      if (state === 'closed') return
      state = 'closed'
      cancelSettle()
      rejectAll(failure('frame/aborted'))
    },
  }
}

function resolveAll(waiters: readonly ReadinessWaiter[]): void {
  for (const waiter of waiters) waiter.resolve()
}
