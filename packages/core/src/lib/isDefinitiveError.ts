import { type ErrorCode, isLatchkeyError } from '@latchkey/protocol/latchkeyError'

/** The error codes that only a wallet or the page itself can cause. All other errors could be outages. */
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
 * Whether `error` is a definitive response rather than an outage. Server errors, timeouts, malformed responses, network failures
 * and unknown errors are treated as outages, after which the stored session is kept and the request is retried.
 */
export function isDefinitiveError(error: unknown): boolean {
  return isLatchkeyError(error) && answers.has(error.code)
}
