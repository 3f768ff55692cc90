/**
 * Settles like `promise`, or rejects with `aborted()` as soon as `signal` aborts. The underlying work continues.
 *
 * @example
 * await unlessAborted(wallet.connect(), signal, () => new LatchkeyError('request/aborted'))
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, aborted: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted())
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
