import { failure } from '../errors/errorMessages.ts'
import type { LatchkeyError } from '../latchkeyError.ts'

/** A timer that tests can replace. `Clock` implements this interface. */
export interface ChannelClock {
  after(ms: number, task: () => void): () => void
}

/** Callbacks that are called synchronously when the wait ends: the frame is ready or settled, or cannot be loaded. */
export interface ReadinessWaiter {
  resolve(): void
  reject(error: LatchkeyError): void
}

/** Starts the timeout. Calls `expired` with the error when it expires. Returns a function that cancels the timeout. */
export type StartFrameLoadTimeout = (expired: (error: LatchkeyError) => void) => () => void

/** Tracks whether a frame has sent READY, and the callers that are waiting for READY. */
export interface FrameReadiness {
  readonly isClosed: boolean
  /** Waits until the frame is ready or, a fixed delay later, settled. If a `timed` wait times out, rejects all waiters. */
  wait(
    until: 'ready' | 'settled',
    options: { readonly timed: boolean; readonly signal?: AbortSignal | undefined },
    waiter: ReadinessWaiter,
  ): void
  /** Records that the frame has sent READY. Only the first call has an effect. */
  markReady(): void
  /** Rejects all waiting callers. Callers that arrive later wait again. */
  rejectAll(error: LatchkeyError): void
  /** Rejects all waiting callers and all later ones. */
  close(): void
}

/** Creates the readiness state for a frame that is loading. `startLoadTimeout` limits how long `timed` waits take. */
export function createFrameReadiness({
  clock,
  settleMs,
  startLoadTimeout,
}: {
  clock: ChannelClock
  settleMs: number
  startLoadTimeout: StartFrameLoadTimeout
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
      const cancel = timed && state === 'loading' ? startLoadTimeout(rejectAll) : () => {}
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
