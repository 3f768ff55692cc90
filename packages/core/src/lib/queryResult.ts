import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** The result of a remote query. It keeps the last value while a new value is loading. */
export type QueryResult<T> =
  | { readonly status: 'idle'; readonly value?: undefined }
  | { readonly status: 'loading'; readonly value?: T }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: LatchkeyError; readonly value?: T }

/** Returns the result with the status `loading`, and keeps the last value. */
export function loading<T>({ value }: QueryResult<T>): QueryResult<T> {
  return value === undefined ? { status: 'loading' } : { status: 'loading', value }
}

/** Returns the result with the status `failed`, and keeps the last value. */
export function failed<T>({ value }: QueryResult<T>, error: LatchkeyError): QueryResult<T> {
  return value === undefined ? { status: 'failed', error } : { status: 'failed', error, value }
}
