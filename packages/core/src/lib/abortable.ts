import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { unlessAborted } from '@latchkey/protocol/unlessAborted'

/**
 * Settles like `promise`, but rejects when `signal` aborts. Rejects with the signal's reason if the reason is a `LatchkeyError`,
 * and with `request/aborted` otherwise.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(promise, signal, () =>
    signal.reason instanceof LatchkeyError ? signal.reason : new LatchkeyError('request/aborted'),
  )
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
