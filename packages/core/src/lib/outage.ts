import { type ErrorCode, isLatchkeyError } from '@latchkey/protocol/errors'

/** What only a wallet, or the page itself, can have said. Everything else may be an outage. */
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
 * Whether `error` answers the question whether a session is there. A 5xx, a time-out, an answer that cannot be read, no network and
 * anything unheard-of do not: what is stored stays, and the question is asked again.
 */
export function isAnswer(error: unknown): boolean {
  return isLatchkeyError(error) && answers.has(error.code)
}

/** How long the server asked to wait (Retry-After), in milliseconds, where it did. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!isLatchkeyError(error)) return undefined
  const { retryAfterMs } = (error.details ?? {}) as { readonly retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : undefined
}
