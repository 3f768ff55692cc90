import { type ErrorCode, isLatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Errors that only a wallet or the page itself can cause. All other errors may be outages. */
const answers: ReadonlySet<ErrorCode> = new Set([
  'app/not-loaded',
  'frame/not-allowed',
  'input/invalid',
  'network/not-found',
  'network/unsupported',
  'session/gone',
  'user/rejected',
  'wallet/not-authorized',
  'wallet/not-found',
  'wallet/unsupported',
])

/**
 * Whether `error` answers whether a session exists. A 5xx, a timeout, a malformed response, a network failure and unknown errors do not: the
 * stored session is kept, and the check is retried.
 */
export function isServerAnswer(error: unknown): boolean {
  return isLatchkeyError(error) && answers.has(error.code)
}

/** Returns the delay requested by the server (Retry-After) in milliseconds, if there is one. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!isLatchkeyError(error)) return undefined
  const { retryAfterMs } = (error.details ?? {}) as { readonly retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : undefined
}
