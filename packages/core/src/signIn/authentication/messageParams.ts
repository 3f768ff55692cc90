import { toHex } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/errors'
import type { MessageParams } from '../signIn.ts'

/** What a keeper of ours may put into its words. */
export interface MessageParamsRequest {
  readonly origin: string
  readonly nonce: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly expiresInMs: number
  readonly statement?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** The words of a sign-in for the page of `origin`. Its path is left out: what stands there is nobody's business but the page's. */
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

/** The page's own origin; throws `input/invalid` where there is no page, as on a server or in a file. */
export function pageOrigin(): string {
  const origin = globalThis.location?.origin
  if (!origin || origin === 'null') {
    throw new LatchkeyError('input/invalid', {
      path: 'origin',
      message: 'There is no page to sign in to here; name its origin',
    })
  }
  return origin
}

/** 128 random bits as letters and digits. */
export function randomNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
}
