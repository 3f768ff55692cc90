/** Every way Latchkey can fail: the code, and what its sentence needs to know. */
export interface ErrorDetails {
  'user/rejected': { request: string }
  'wallet/not-found': { connectorId: string }
  'wallet/not-authorized': { connectorId: string }
  'wallet/unresponsive': { connectorId: string }
  'wallet/failed': { message: string }
  'wallet/unsupported': { method: string }
  'network/not-found': { chain: string }
  'network/unsupported': { chain: string }
  'disconnect/failed': { message: string }
  'request/aborted': undefined
  'request/timeout': { request: string; afterMs: number }
  'http/failed': { status: number; url: string }
  'http/unreachable': { url: string }
  'http/malformed': { url: string }
  'app/origin-not-allowed': { origin: string }
  'app/no-project': undefined
  'balance/unavailable': undefined
  'unknown': { message: string }
}

/** The name of a failure; the same in page, frame and server. */
export type ErrorCode = keyof ErrorDetails

/** The sentence of each code, for a developer. Visitors read `messages.ts` of the modal. `{blank}`s are filled from the details. */
export const errorSentences: { readonly [Code in ErrorCode]: string } = {
  'user/rejected': 'The visitor declined "{request}" in the wallet.',
  'wallet/not-found': 'No wallet "{connectorId}" was found in this page.',
  'wallet/not-authorized': 'The wallet "{connectorId}" does not know this page yet, so it cannot be restored without asking.',
  'wallet/unresponsive': 'The wallet "{connectorId}" does not answer.',
  'wallet/failed': 'The wallet failed: {message}',
  'wallet/unsupported': 'The wallet does not support "{method}".',
  'network/not-found': 'Network Not Found',
  'network/unsupported': 'Chain is not supported',
  'disconnect/failed': 'Failed to disconnect',
  'request/aborted': 'Request was aborted',
  'request/timeout': '"{request}" had no answer after {afterMs} ms.',
  'http/failed': 'HTTP status code: {status}',
  'http/unreachable': 'No answer from {url}.',
  'http/malformed': '{url} answered something that is not what was agreed.',
  'app/origin-not-allowed': 'Invalid App Configuration',
  'app/no-project': 'Project ID Not Configured',
  'balance/unavailable': 'Token Balance Unavailable',
  unknown: '{message}',
}

type Args<Code extends ErrorCode> = ErrorDetails[Code] extends undefined
  ? [details?: undefined, options?: ErrorOptions]
  : [details: ErrorDetails[Code], options?: ErrorOptions]

/**
 * The one error class. It carries a code rather than a subclass, because our errors cross
 * a window boundary and a network, where prototypes are lost and codes are not.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: Code
  readonly details: ErrorDetails[Code]

  constructor(code: Code, ...[details, options]: Args<Code>) {
    super(sentence(errorSentences[code], details), options)
    this.code = code
    this.details = details as ErrorDetails[Code]
  }
}

/** Narrows `error` to one code (or to any of ours), wherever it was created: this page, the frame or the server. */
export function isLatchkeyError<Code extends ErrorCode>(error: unknown, code?: Code): error is LatchkeyError<Code> {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('details' in error)) return false
  return code === undefined ? Object.hasOwn(errorSentences, String(error.code)) : error.code === code
}

/** `error` as one of ours: unchanged when it is, `request/aborted` for an abort, else `unknown` with its message; the cause is kept. */
export function toLatchkeyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  if (error instanceof Error && error.name === 'AbortError') return new LatchkeyError('request/aborted', undefined, { cause: error })
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : 'Unknown error'
  return new LatchkeyError('unknown', { message }, { cause: error })
}

function sentence(text: string, details: unknown): string {
  if (typeof details !== 'object' || details === null) return text
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String((details as Record<string, unknown>)[name] ?? blank))
}
