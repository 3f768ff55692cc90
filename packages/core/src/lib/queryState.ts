import type { LatchkeyError } from '@latchkey/protocol/errors'

/** A fact read from afar: fresh, on its way, or failed with its reason; the last value stays while a new one loads. */
export type QueryState<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading'; readonly value?: T }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: LatchkeyError; readonly value?: T }

/** The last value of a reading, however old. */
export function lastValue<T>(reading: QueryState<T>): T | undefined {
  return reading.status === 'idle' ? undefined : reading.value
}

/** The reading while a new value is on its way. */
export function loading<T>(reading: QueryState<T>): QueryState<T> {
  const value = lastValue(reading)
  return value === undefined ? { status: 'loading' } : { status: 'loading', value }
}

/** The reading after a failure. */
export function failed<T>(reading: QueryState<T>, error: LatchkeyError): QueryState<T> {
  const value = lastValue(reading)
  return value === undefined ? { status: 'failed', error } : { status: 'failed', error, value }
}
