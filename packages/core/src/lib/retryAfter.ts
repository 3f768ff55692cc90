import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Returns the delay in seconds from a response's Retry-After header, a number or a date. Returns 0 if it is missing or invalid. */
export function retryAfterSeconds({ headers }: Pick<Response, 'headers'>, now: number): number {
  const value = headers.get('retry-after')
  const seconds = Number(value) || (Date.parse(value ?? '') - now) / 1000
  return seconds > 0 ? Math.ceil(seconds) : 0
}

/** Returns the delay in milliseconds that the server requested with `Retry-After`, if any. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!isLatchkeyError(error)) return undefined
  const { retryAfterMs } = (error.details ?? {}) as { readonly retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : undefined
}
