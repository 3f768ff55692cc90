import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import { type KeysFailure, keysFailure } from '@latchkey/protocol/http/keys'
import { readJsonBody } from '@latchkey/protocol/http/readResponseBody'
import { read } from '@latchkey/protocol/parseWithSchema'
import { PublicError } from './publicError.ts'

/** Thrown when this origin's server returns a failure. */
export class KeysServerError extends PublicError {
  readonly failure: KeysFailure
  constructor(failure: KeysFailure) {
    super(sentence(failure))
    this.failure = failure
  }
}

/** The timeouts for a regular call and for a long-polling call, whose response the server can delay by up to 25 seconds. */
const callMs = 15_000
const waitingCallMs = 60_000

/** Calls this origin's server. */
export interface KeysApiClient {
  <Body, Answer>(
    endpoint: Endpoint<Body, Answer>,
    options?: {
      readonly params?: Readonly<Record<string, string>>
      readonly body?: Body
      readonly signal?: AbortSignal
      /** Whether the document is unloading. If so, the request uses `keepalive`. */
      readonly leaving?: boolean
    },
  ): Promise<Answer>
}

/**
 * Creates a client that uses `fetch` to call this origin's server with cookies. Only a valid response from our server can
 * indicate that the user is signed out. Anything else, such as a proxy's 502 response, a captive portal's page or a network
 * error, is reported as a different error.
 */
export function createKeysApiClient({ fetch }: { readonly fetch: typeof globalThis.fetch }): KeysApiClient {
  return async (endpoint, { params = {}, body, signal, leaving } = {}) => {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const answer = await fetch(path, {
      method: endpoint.method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(waitingCallMs)]) : AbortSignal.timeout(callMs),
      ...(leaving && { keepalive: true }),
      // Every state-changing call has a JSON body, so that a form on a different page cannot send it.
      ...(endpoint.method !== 'GET' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      }),
    }).catch((cause: unknown) => {
      throw new PublicError(frameTexts.serverAway, { cause })
    })
    const response: unknown = await readJsonBody(answer)
    const failure = answer.ok ? undefined : read(keysFailure, response)
    if (failure && (answer.status < 500 || failure.code === 'mail/failed')) throw new KeysServerError(failure)
    const result = answer.ok ? read(endpoint.answer, response) : undefined
    if (result === undefined) throw new PublicError(serverAway(answer.headers.get('retry-after')))
    return result
  }
}

/** Whether `error` is a server failure with one of these codes. */
export function isKeysFailure(error: unknown, ...codes: readonly KeysFailure['code'][]): boolean {
  return error instanceof KeysServerError && codes.includes(error.failure.code)
}

/** Returns the message to send to the page for a server failure. */
export function sentence({ code, seconds }: KeysFailure): string {
  if (code === 'email/throttled' || code === 'limit/reached') return `Please try again after ${seconds ?? 30} seconds`
  return sentences[code] ?? 'An error occurred'
}

/** Returns the message for an outage, including the delay from the Retry-After header. */
function serverAway(retryAfter: string | null): string {
  const seconds = Math.ceil(Number(retryAfter) || (Date.parse(retryAfter ?? '') - Date.now()) / 1000)
  return seconds > 0 && seconds < 86_400
    ? `${frameTexts.serverAway}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
    : frameTexts.serverAway
}

const sentences: { readonly [Code in KeysFailure['code']]?: string } = {
  'email/invalid': frameTexts.invalidEmail,
  'code/wrong': frameTexts.invalidCode,
  'code/expired': 'This code has expired',
  'session/none': 'Not signed in',
  'session/stale': 'Please sign in again',
  'session/other-account': 'Another account is signed in',
  'device/revoked': 'This device was removed from the account',
  'approval/expired': 'The link has expired',
  'handover/unknown': 'This took too long. Try again',
  'handover/taken': 'This is open in another window',
  'social/declined': 'The sign-in was declined',
  'social/failed': 'The sign-in failed',
  'social/unknown-provider': 'This sign-in is not offered here',
  'farcaster/unavailable': 'Farcaster is not offered here',
  'farcaster/failed': 'The sign-in failed',
  'passkey/refused': 'This passkey was rejected',
  'mail/failed': 'The mail could not be sent',
  'origin/refused': 'This page is not allowed to use the wallet',
}
