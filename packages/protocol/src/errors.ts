import { CodedError } from './codedError.ts'

/** The codes and details of errors whose messages are in the initial bundle. */
export interface CoreErrorDetails {
  'user/rejected': { request: string }
  'wallet/not-found': { connectorId: string }
  'wallet/not-authorized': { connectorId: string }
  'wallet/unresponsive': { connectorId: string }
  'wallet/unreachable': { connectorId: string; retryAfterMs?: number | undefined }
  'wallet/busy': { connectorId: string }
  'wallet/failed': { message: string }
  'wallet/unsupported': { method: string }
  'network/not-found': { chain: string }
  'network/unsupported': { chain: string }
  'disconnect/failed': { message: string }
  'request/aborted': undefined
  'request/timeout': { request: string; afterMs: number }
  'http/failed': { status: number; url: string; retryAfterMs?: number | undefined }
  'http/unreachable': { url: string }
  'http/malformed': { url: string }
  'input/invalid': { path: string; message: string }
  'storage/failed': { action: string; record: string }
  'app/origin-not-allowed': { origin: string }
  'app/unverified-domain': { origin: string }
  'app/no-project': undefined
  'app/not-loaded': undefined
  'balance/unavailable': undefined
  unknown: { message: string }
}

/** The codes and details of all errors. The other messages are in `errors/errorMessages`. */
export interface ErrorDetails extends CoreErrorDetails {
  'link/skipped': { href: string }
  'frame/failed': { message?: string | undefined }
  'frame/aborted': undefined
  'frame/no-iframe': undefined
  'frame/load-failed': undefined
  'frame/not-allowed': { method: string }
  'frame/unreachable': { afterMs: number }
  'frame/timeout': { method: string; afterMs: number }
  'email/throttled': { seconds: number }
  'social/untrusted-origin': { origin: string }
  'social/popup-blocked': undefined
  'social/no-redirect': undefined
  'identify/missing-key': undefined
  'identify/invalid-key': undefined
  'identify/expired-key': undefined
  'identify/timeout': undefined
  'identify/rate-limited': undefined
  'identify/blocked-by-csp': undefined
  'identify/script-failed': undefined
  'relay/session-expired': undefined
  'relay/invalid-key': undefined
  'relay/refused': { message: string }
  'relay/failed': { message: string }
  'relay/unreachable': { address: string }
  'pairing/invalid': undefined
  'pairing/expired': undefined
  'session/invalid': { message: string }
  'session/gone': undefined
  'relay/invalid-target': { target: string }
  'sign-in/off': undefined
  'sign-in/no-address': undefined
  'sign-in/no-network': undefined
  'sign-in/no-client': undefined
  'sign-in/not-initialised': undefined
  'sign-in/no-smart-accounts': undefined
  'sign-in/declined': undefined
  'sign-in/invalid': undefined
  'sign-in/refused': { reason: string }
  'sign-in/spent': undefined
  'sign-in/no-node': { chain: string; message: string }
  'sign-in/no-storage': undefined
  'sign-in/no-message-params': undefined
  'sign-in/not-signed-out': undefined
  'sign-in/not-authenticated': undefined
  'sign-in/bad-token': undefined
  'sign-in/code-needed': undefined
  'sign-in/wrong-code': undefined
  'cacao/unknown-type': { type: string }
  'cacao/bad-chain': { chain: string }
  'recap/missing': undefined
  'recap/no-att': undefined
  'recap/bad-resource': undefined
  'recap/bad-ability': undefined
}

/** An error code. Page, frame and server use the same codes. */
export type ErrorCode = keyof ErrorDetails

/** A code whose message is in the initial bundle. */
export type CoreErrorCode = keyof CoreErrorDetails

/**
 * The developer-facing messages in the initial bundle. The others are in `errors/errorMessages`, and messages for users in the modal's
 * `messages.ts`. A `{blank}` is filled from the details.
 */
export const errorSentences: { readonly [Code in CoreErrorCode]: string } = {
  'user/rejected': 'The user declined "{request}" in the wallet.',
  'wallet/not-found': 'Wallet "{connectorId}" was not found.',
  'wallet/not-authorized': 'Wallet "{connectorId}" has not authorized this page and cannot be restored silently.',
  'wallet/unresponsive': 'Wallet "{connectorId}" is not responding.',
  'wallet/unreachable': 'The wallet cannot be reached. The account stays connected and nothing was signed. Try again.',
  'wallet/busy': 'Wallet "{connectorId}" has a pending request. Complete it first.',
  'wallet/failed': 'The wallet failed: {message}',
  'wallet/unsupported': 'The wallet does not support "{method}".',
  'network/not-found': 'Network Not Found',
  'network/unsupported': 'Chain is not supported',
  'disconnect/failed': 'Failed to disconnect',
  'request/aborted': 'Request was aborted',
  'request/timeout': '"{request}" timed out after {afterMs} ms.',
  'http/failed': 'HTTP status code: {status}',
  'http/unreachable': 'No response from {url}.',
  'http/malformed': 'Invalid response from {url}.',
  'input/invalid': '{path}: {message}',
  'storage/failed': 'Unable to {action} {record}',
  'app/origin-not-allowed': 'Invalid App Configuration',
  'app/unverified-domain': 'Unverified Domain',
  'app/no-project': 'Project ID Not Configured',
  'app/not-loaded': 'Latchkey did not load or was stopped.',
  'balance/unavailable': 'Token Balance Unavailable',
  unknown: '{message}',
}

/** Options of an error: its cause, and the message if the code is not in the core table. */
export interface LatchkeyErrorOptions<Code extends ErrorCode = ErrorCode> extends ErrorOptions {
  readonly sentence?: Code extends CoreErrorCode ? undefined : string
}

/** The arguments after the code. Details and a message are only allowed for codes that need them. */
export type ErrorArgs<Code extends ErrorCode> = Code extends CoreErrorCode
  ? ErrorDetails[Code] extends undefined
    ? [details?: undefined, options?: LatchkeyErrorOptions<Code>]
    : [details: ErrorDetails[Code], options?: LatchkeyErrorOptions<Code>]
  : [details: ErrorDetails[Code], options: ErrorOptions & { readonly sentence: string }]

/**
 * The error class of Latchkey. It has a code instead of subclasses, because errors cross window boundaries and the network, where prototypes are
 * lost.
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends CodedError<Code> {
  override readonly name = 'LatchkeyError'
  readonly details: ErrorDetails[Code]

  constructor(code: Code, ...[details, options]: ErrorArgs<Code>) {
    super(code, fill(options?.sentence ?? errorSentences[code as CoreErrorCode], details), options)
    this.details = details as ErrorDetails[Code]
  }
}

/** Narrows `error` to a LatchkeyError, optionally with the given code, whether it was created by this page, the frame or the server. */
export function isLatchkeyError<Code extends ErrorCode>(error: unknown, code?: Code): error is LatchkeyError<Code> {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('details' in error)) return false
  // Other libraries use codes too: numbers (EIP-1193) or upper-case words (ethers). Ours have the form "part/what-happened".
  return code === undefined ? /^(unknown|[a-z-]+\/[a-z-]+)$/.test(String(error.code)) : error.code === code
}

/** Converts `error` to a LatchkeyError: unchanged if it is one, `request/aborted` for an abort, else `unknown` with its message. The cause is kept. */
export function toLatchkeyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  const options = { cause: error }
  if (error instanceof Error && error.name === 'AbortError') {
    return new LatchkeyError('request/aborted', undefined, options)
  }
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : 'Unknown error'
  return new LatchkeyError('unknown', { message }, options)
}

/** Fills each `{blank}` in `text`. `{blank|otherwise}` falls back to "otherwise". */
function fill(text: string, details: unknown): string {
  const known = (details ?? {}) as Readonly<Record<string, unknown>>
  return text.replace(/\{(\w+)\|?(.*?)\}/g, (blank, name: string, otherwise: string) =>
    String(known[name] ?? (otherwise || blank)),
  )
}
