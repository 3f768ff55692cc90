import type { CoreErrorCode, ErrorArgs, ErrorCode, ErrorDetails } from '../latchkeyError.ts'
import { errorSentences, LatchkeyError } from '../latchkeyError.ts'
import type { AccountErrorCode } from './accountErrorMessages.ts'

/** The message for each error code except those of `accountErrorMessages.ts` (section 8 of the specification). */
export const catalogue: { readonly [Code in Exclude<ErrorCode, AccountErrorCode>]: string } = {
  ...errorSentences,
  'link/skipped': 'The page is not focused, so "{href}" was not opened.',
  'frame/failed': '{message|An error occurred}',
  'frame/aborted': 'Something went wrong',
  'frame/no-iframe': 'W3mFrame: iframe is not set',
  'frame/load-failed': 'Unable to load email login dependency',
  'frame/not-allowed': 'Requested RPC call is not allowed',
  'frame/no-passkeys': 'There are no passkeys here',
  'frame/unreachable': 'Network Error - Could not load embedded wallet',
  'frame/timeout': 'Embedded Wallet Request Timed Out',
  'email/throttled': 'Please try again after {seconds} seconds',
  'social/untrusted-origin': 'Untrusted Origin',
  'social/popup-blocked': 'Could not create social popup',
  'social/no-redirect': 'Could not fetch the social redirect uri',
  'identify/missing-key': 'The key for visitor identification is missing.',
  'identify/invalid-key': 'The key for visitor identification is invalid.',
  'identify/expired-key': 'The key for visitor identification has expired.',
  'identify/timeout': 'Visitor identification timed out.',
  'identify/rate-limited': 'Too many visitor identification requests.',
  'identify/blocked-by-csp': 'The content security policy of this page blocks visitor identification.',
  'identify/script-failed': 'The script for visitor identification could not be loaded.',
  'relay/session-expired': 'Session Expired',
  'relay/invalid-key': 'Unauthorized: invalid key',
  'relay/refused': 'The relay rejected this page: {message|no reason given}.',
  'relay/failed': 'The relay request failed: {message|no reason given}.',
  'relay/unreachable': 'The relay at {address} cannot be reached.',
  'pairing/invalid': 'This is not a valid connection link.',
  'pairing/expired': 'This connection link has expired.',
  'session/invalid': 'The wallet returned an invalid session: {message}.',
  'session/gone': 'The wallet has ended this connection.',
  'relay/invalid-target': 'Invalid target, expected id:number or topic:string',
  'sign-in/off': 'SIWX is not enabled',
  'sign-in/no-address': 'No ActiveCaipAddress found',
  'sign-in/no-network': 'No ActiveCaipNetwork or client found',
  'sign-in/no-client': 'No ConnectionController client found',
  'sign-in/not-initialised': 'A problem occurred while trying initialize authentication',
  'sign-in/no-smart-accounts': 'This application might not support Smart Accounts',
  'sign-in/declined': 'Signature declined',
  'sign-in/invalid': 'The signature is not valid',
  'sign-in/refused': 'The signed message is not a sign-in message for this page ({reason}). Sign a new message.',
  'sign-in/spent': 'This sign-in message has already been used or has expired. Sign a new message.',
  'sign-in/no-node':
    'No node for {chain} could verify this contract signature ({message}). Try again, or configure another RPC URL.',
  'sign-in/no-storage': 'This page has no storage for sign-in sessions. Pass the storage option to localSignIn().',
  'sign-in/no-message-params': 'getMessageParams() returned nothing to create a sign-in message from.',
  'sign-in/not-signed-out': 'The sign-in session could not be ended. The user is still signed in. Try again.',
  'sign-in/not-authenticated': 'Not authenticated',
  'sign-in/bad-token': 'Invalid token',
  'sign-in/code-needed': 'OTP is required',
  'sign-in/wrong-code': 'The code is incorrect or has expired. Request a new one.',
  'cacao/unknown-type': 'verifySignature failed: Attempted to verify CacaoSignature with unknown type',
  'cacao/bad-chain': 'isValidEip1271Signature failed: chainId must be in CAIP-2 format',
  'recap/missing': 'No recap provided',
  'recap/no-att': 'No `att` property found',
  'recap/bad-resource': 'Resource must be an object',
  'recap/bad-ability': 'Abilities must be lists of objects',
}

/** The names with which the page reports a frame that did not load or did not respond in time. */
export const frameReports = {
  'frame/unreachable': 'iframe_load_failed',
  'frame/timeout': 'iframe_request_timeout',
} as const

/** An error code whose message is not in the initial bundle. */
export type LaterErrorCode = Exclude<ErrorCode, CoreErrorCode | AccountErrorCode>

/**
 * Creates an error for a code without a message in the initial bundle, using the message from the catalog.
 *
 * @example
 * throw failure('relay/refused', { message: reason })
 */
export function failure<Code extends LaterErrorCode>(
  code: Code,
  ...[details, options]: ErrorDetails[Code] extends undefined
    ? [details?: undefined, options?: ErrorOptions]
    : [details: ErrorDetails[Code], options?: ErrorOptions]
): LatchkeyError<Code> {
  // TypeScript does not infer that these two arguments are valid for every `LaterErrorCode`.
  const args = [details, { ...options, sentence: catalogue[code] }] as unknown as ErrorArgs<Code>
  return new LatchkeyError(code, ...args)
}

/** Returns the error code for a relay's message, or `undefined` if the message is unknown. */
export function relayFailure(text: string): ErrorCode | undefined {
  if (text.includes('Unauthorized: origin not allowed')) return 'app/origin-not-allowed'
  // The client's clock is ahead, or is more than a day behind.
  if (/JWT Token (is not yet valid|has expired)/.test(text)) return 'relay/session-expired'
  if (text.includes('Unauthorized: invalid key')) return 'relay/invalid-key'
  return undefined
}
