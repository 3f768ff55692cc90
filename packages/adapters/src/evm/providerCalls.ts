import type { Clock, Eip1193Provider } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { unlessAborted as rejectOnAbort } from '@latchkey/protocol/unlessAborted'

/** The timeout for wallet requests that need no approval. */
export const responseTimeoutMs = 10_000

/** Whether `value` is an EIP-1193 provider. Returns `false` if the object throws on property access. */
export function isProvider(value: unknown): value is Eip1193Provider {
  try {
    return (typeof value === 'object' || typeof value === 'function') && value !== null && 'request' in value
      ? typeof value.request === 'function'
      : false
  } catch {
    return false
  }
}

/** Sends a request. Rejects if the provider throws synchronously. */
export async function callProvider(provider: Eip1193Provider, method: string, params?: unknown): Promise<unknown> {
  return provider.request(params === undefined ? { method } : { method, params })
}

/** Adds listeners to `provider` if it supports events, and returns a function that removes them. Never throws. */
export function onProviderEvent(
  provider: Eip1193Provider,
  listeners: Readonly<Record<string, (value: never) => void>>,
): () => void {
  const forEachEvent = (action: (event: string, listener: (value: never) => void) => void) => {
    for (const [event, listener] of Object.entries(listeners)) {
      try {
        action(event, listener)
      } catch {
        // A provider can sign even if its events do not work.
      }
    }
  }
  forEachEvent((event, listener) => provider.on?.(event, listener))
  return () => forEachEvent((event, listener) => provider.removeListener?.(event, listener))
}

/** Settles like `answer`, but rejects with `late()` after `ms` milliseconds. */
export function withTimeout<T>(answer: Promise<T>, ms: number, clock: Clock, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late()))
    answer.then(resolve, reject).finally(cancel)
  })
}

/** Settles like `response`, but rejects with `request/aborted` when `signal` aborts. EIP-1193 cannot cancel requests. */
export function unlessAborted<T>(response: Promise<T>, signal: AbortSignal): Promise<T> {
  return rejectOnAbort(
    response,
    signal,
    () => new LatchkeyError('request/aborted', undefined, { cause: signal.reason }),
  )
}
