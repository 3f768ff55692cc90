import type { Clock } from '@latchkey/protocol/clock'

/** Resolves after `ms` milliseconds or when `signal` aborts. */
export function delay({ clock, ms, signal }: { clock: Clock; ms: number; signal?: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Resolves when `promise` settles or after `ms` milliseconds. */
export function settledWithin(promise: Promise<unknown>, { clock, ms }: { clock: Clock; ms: number }): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    const done = () => {
      cancel()
      resolve()
    }
    promise.then(done, done)
  })
}
