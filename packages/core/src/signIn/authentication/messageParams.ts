import { toHex } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { MessageParams } from '../signInTypes.ts'

/** The values for the fields of a sign-in message. */
export interface MessageParamsRequest {
  readonly origin: string
  readonly nonce: string
  /** The current time in milliseconds since the Unix epoch. */
  readonly now: number
  readonly expiresInMs: number
  readonly statement?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** Returns the message fields for the page at `origin`. The page's path is omitted, because it can be private. */
export function messageParamsFor({
  origin,
  nonce,
  now,
  expiresInMs,
  statement,
  resources,
}: MessageParamsRequest): MessageParams {
  return {
    domain: new URL(origin).host,
    uri: origin,
    version: '1',
    nonce,
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + expiresInMs).toISOString(),
    ...(statement && { statement }),
    ...(resources && resources.length > 0 && { resources }),
  }
}

/** Returns the page's origin. Throws `input/invalid` if there is none, for example on a server or in a local file. */
export function pageOrigin(): string {
  const origin = globalThis.location?.origin
  if (!origin || origin === 'null') {
    throw new LatchkeyError('input/invalid', {
      path: 'origin',
      message: 'must be set, because there is no page here',
    })
  }
  return origin
}

/** Returns 128 random bits as hex digits. */
export function randomNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
}
