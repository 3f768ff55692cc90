import type { LatchkeyError } from '@latchkey/protocol/errors'

/** The state of a remote query. The last value is kept while a new value is loading. */
export type QueryState<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading'; readonly value?: T }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: LatchkeyError; readonly value?: T }

/** Returns the last value of a query, regardless of its age. */
export function lastValue<T>(reading: QueryState<T>): T | undefined {
  return reading.status === 'idle' ? undefined : reading.value
}

/** Returns the query's state while a new value is loading. */
export function loading<T>(reading: QueryState<T>): QueryState<T> {
  const value = lastValue(reading)
  return value === undefined ? { status: 'loading' } : { status: 'loading', value }
}

/** Returns the query's state after a failure. */
export function failed<T>(reading: QueryState<T>, error: LatchkeyError): QueryState<T> {
  const value = lastValue(reading)
  return value === undefined ? { status: 'failed', error } : { status: 'failed', error, value }
}
