import type { LatchkeyError } from '@latchkey/protocol/errors'

/** The result of a remote query. The last value is kept while a new value is loading. */
export type QueryResult<T> =
  | { readonly status: 'idle' }
  | { readonly status: 'loading'; readonly value?: T }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: LatchkeyError; readonly value?: T }

/** Returns the last value of a query, regardless of its age. */
export function lastValue<T>(result: QueryResult<T>): T | undefined {
  return result.status === 'idle' ? undefined : result.value
}

/** Returns the result while a new value is loading. */
export function loading<T>(result: QueryResult<T>): QueryResult<T> {
  const value = lastValue(result)
  return value === undefined ? { status: 'loading' } : { status: 'loading', value }
}

/** Returns the result after a failure. */
export function failed<T>(result: QueryResult<T>, error: LatchkeyError): QueryResult<T> {
  const value = lastValue(result)
  return value === undefined ? { status: 'failed', error } : { status: 'failed', error, value }
}
