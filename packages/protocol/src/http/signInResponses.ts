import * as v from 'valibot'
import { type ChainId, parseChainId } from '../caip.ts'

// The responses of the sign-in endpoints. They are separate from the endpoints so that page bundles do not include the request
// schemas.

const text = v.pipe(v.string(), v.maxLength(8192))

/** A nonce. In token mode, the response also contains a token that must be sent back with the signed message. */
export interface NonceResponse {
  /** The nonce to put in the message (EIP-4361): 8 to 128 letters and digits. Valid for one sign-in. */
  readonly nonce: string
  /** The JWT to send back as `x-nonce-jwt: Bearer …` with the signed message. `null` or absent if it is stored in a cookie. */
  readonly token?: string | null | undefined
  /** The server's time (ISO 8601), used as the message's `Issued At` in case the user's clock is wrong. Optional. */
  readonly issuedAt?: string | undefined
}

/** The schema for the response to a nonce request. */
export const nonceResponse: v.GenericSchema<unknown, NonceResponse> = v.object({
  nonce: v.pipe(text, v.regex(/^[a-zA-Z0-9]{8,128}$/)),
  token: v.nullish(text),
  issuedAt: v.optional(v.pipe(text, v.isoTimestamp())),
})

/** The response to a signed message. In token mode, the response contains the session token. */
export interface AuthenticateResponse {
  /** The session's JWT, to send as `Authorization: Bearer …`. `null` or absent if the session is stored in a cookie. */
  readonly token?: string | null | undefined
}

/** The schema for the response to a signed message. */
export const authenticateResponse: v.GenericSchema<unknown, AuthenticateResponse> = v.object({ token: v.nullish(text) })

/** A session, as returned by the server or decoded from a token. */
export interface SessionResponse {
  /** The address, exactly as it is in the signed message. */
  readonly address: string
  /** The CAIP-2 ID of the chain on which the user signed in. */
  readonly caip2Network: ChainId
  /** The domain in the signed message, which is the host of the page that the user signed in to. */
  readonly domain?: string | undefined
  /** The URI in the signed message. */
  readonly uri?: string | undefined
  /** The nonce in the signed message. */
  readonly nonce?: string | undefined
  /** When the session was created, in seconds since the Unix epoch (RFC 7519). Optional. */
  readonly iat?: number | undefined
  /** When the session expires, in seconds since the Unix epoch (RFC 7519). Absent if the server does not report an expiry. */
  readonly exp?: number | undefined
  /** The user's verified email address. Absent or `null` if the sign-in did not include an email address. */
  readonly email?: string | null | undefined
  /** The account's ID within the project. The same in every session. */
  readonly profileUuid?: string | undefined
  /** The stored account. Only present with `?includeAppKitAccount=true`, and only if the server stores accounts. */
  readonly appKitAccount?:
    | { readonly metadata?: Readonly<Record<string, unknown>> | null | undefined }
    | null
    | undefined
}

const isChain = v.custom<ChainId>((value) => typeof value === 'string' && parseChainId(value) !== undefined)
/** Seconds since the Unix epoch, up to the latest time that `Date` supports. */
const seconds = v.pipe(v.number(), v.minValue(-8_640_000_000_000), v.maxValue(8_640_000_000_000))

/** The schema for the response that describes the page's session. */
export const sessionResponse: v.GenericSchema<unknown, SessionResponse> = v.object({
  address: v.pipe(text, v.nonEmpty()),
  caip2Network: isChain,
  domain: v.optional(text),
  uri: v.optional(text),
  nonce: v.optional(text),
  iat: v.optional(seconds),
  exp: v.optional(seconds),
  email: v.nullish(text),
  profileUuid: v.optional(text),
  appKitAccount: v.nullish(v.object({ metadata: v.nullish(v.record(v.string(), v.unknown())) })),
})

/** The response to a request for an email code. */
export interface CodeResponse {
  /** The code's ID. Send it as `x-otp` with the code and with the next sign-in. `null` or absent if no email was sent. */
  readonly uuid?: string | null | undefined
}

/** The schema for the response to a request for an email code. */
export const codeResponse: v.GenericSchema<unknown, CodeResponse> = v.object({ uuid: v.nullish(text) })
