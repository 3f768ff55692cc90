import type { Clock } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { unlessAborted as rejectOnAbort } from '@latchkey/protocol/unlessAborted'

/** The timeout for wallet requests that need no approval. */
export const responseTimeoutMs = 10_000

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
