import type { Eip1193Provider } from '@latchkey/core/adapter'

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
