import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/**
 * Settles like `promise`, but rejects when `signal` aborts. Rejects with the signal's reason if the reason is a `LatchkeyError`,
 * and with `request/aborted` otherwise.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(signal.reason instanceof LatchkeyError ? signal.reason : new LatchkeyError('request/aborted'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Returns a controller that also aborts when any of `signals` aborts. */
export function linkedController(...signals: readonly (AbortSignal | undefined)[]): AbortController {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason)
    else
      signal?.addEventListener('abort', () => controller.abort(signal.reason), {
        once: true,
        signal: controller.signal,
      })
  }
  return controller
}
