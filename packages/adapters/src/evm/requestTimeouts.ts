import type { Clock, Eip1193Provider } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/errors'

/** How long a wallet may think about what needs no prompt. */
export const answerMs = 10_000

/** Whether `value` could be asked as an EIP-1193 provider. Foreign objects may throw when looked at. */
export function isProvider(value: unknown): value is Eip1193Provider {
  try {
    return (typeof value === 'object' || typeof value === 'function') && value !== null && 'request' in value
      ? typeof value.request === 'function'
      : false
  } catch {
    return false
  }
}

/** One request; whatever the provider does wrong, the answer is a promise. */
export async function ask(provider: Eip1193Provider, method: string, params?: unknown): Promise<unknown> {
  return provider.request(params === undefined ? { method } : { method, params })
}

/** Listens to `provider` where it lets us; the answer stops. Neither ever throws. */
export function listen(
  provider: Eip1193Provider,
  listeners: Readonly<Record<string, (value: never) => void>>,
): () => void {
  const each = (action: (event: string, listener: (value: never) => void) => void) => {
    for (const [event, listener] of Object.entries(listeners)) {
      try {
        action(event, listener)
      } catch {
        // A provider without working events is still one that can sign.
      }
    }
  }
  each((event, listener) => provider.on?.(event, listener))
  return () => each((event, listener) => provider.removeListener?.(event, listener))
}

/** `answer`, or a rejection by `late()` when it takes longer than `ms`. */
export function within<T>(answer: Promise<T>, ms: number, clock: Clock, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late()))
    answer.then(resolve, reject).finally(cancel)
  })
}

/** `answer`, or `request/aborted` as soon as `signal` says so. The wallet is not told: EIP-1193 has no word for it. */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new LatchkeyError('request/aborted', undefined, { cause: signal.reason }))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
