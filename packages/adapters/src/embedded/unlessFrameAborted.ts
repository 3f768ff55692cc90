import { failure } from '@latchkey/protocol/errors/errorMessages'
import { unlessAborted } from '@latchkey/protocol/unlessAborted'

/** Settles like `promise`, but rejects with `frame/aborted` when `signal` aborts. The work continues for other callers. */
export function unlessFrameAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? unlessAborted(promise, signal, () => failure('frame/aborted')) : promise
}
