import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** The result of a remote query. The last value is kept while a new value is loading. */
export type QueryResult<T> =
  | { readonly status: 'idle'; readonly value?: undefined }
  | { readonly status: 'loading'; readonly value?: T }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: LatchkeyError; readonly value?: T }

/** Returns the result while a new value is loading. */
export function loading<T>({ value }: QueryResult<T>): QueryResult<T> {
  return value === undefined ? { status: 'loading' } : { status: 'loading', value }
}

/** Returns the result after a failure. */
export function failed<T>({ value }: QueryResult<T>, error: LatchkeyError): QueryResult<T> {
  return value === undefined ? { status: 'failed', error } : { status: 'failed', error, value }
}
