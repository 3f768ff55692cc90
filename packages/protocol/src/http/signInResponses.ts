import * as v from 'valibot'
import { type ChainId, parseChainId } from '../caip.ts'

// The responses of the sign-in endpoints. Pages import only these: the endpoints would add the schemas of the requests to their bytes.

const text = v.pipe(v.string(), v.maxLength(8192))

/** A nonce, with the token to send back with it in token mode. */
export interface NonceResponse {
  /** 8 to 128 letters and digits, for the nonce of the message (EIP-4361). Valid for one sign-in. */
  readonly nonce: string
  /** The JWT to send back as `x-nonce-jwt: Bearer …` with the signed message. `null` or absent if a cookie carries it. */
  readonly token?: string | null | undefined
  /** The server's time (ISO 8601) for the message's `Issued At`, in case the user's clock is wrong. Absent from older servers. */
  readonly issuedAt?: string | undefined
}

/** The response to a nonce request. */
export const nonceResponse: v.GenericSchema<unknown, NonceResponse> = v.object({
  nonce: v.pipe(text, v.regex(/^[a-zA-Z0-9]{8,128}$/)),
  token: v.nullish(text),
  issuedAt: v.optional(v.pipe(text, v.isoTimestamp())),
})

/** The response to a signed message, with the token of the session in token mode. */
export interface AuthenticateResponse {
  /** The session's JWT, to send as `Authorization: Bearer …`. `null` or absent if a cookie carries the session. */
  readonly token?: string | null | undefined
}

/** A schema for the response to a signed message. */
export const authenticateResponse: v.GenericSchema<unknown, AuthenticateResponse> = v.object({ token: v.nullish(text) })

/** A session as reported by the server, or as contained in a token. */
export interface SessionResponse {
  /** The address as written in the signed message. */
  readonly address: string
  /** The CAIP-2 ID of the chain that the user signed in on. */
  readonly caip2Network: ChainId
  /** The domain of the signed message: the host of the page that the user signed in to. */
  readonly domain?: string | undefined
  /** The URI of the signed message. */
  readonly uri?: string | undefined
  /** The nonce of the signed message. */
  readonly nonce?: string | undefined
  /** When the session expires, in seconds since the Unix epoch (RFC 7519). Absent if the server does not report it. */
  readonly exp?: number | undefined
  /** The user's verified email address. Absent or `null` if the sign-in did not include one. */
  readonly email?: string | null | undefined
  /** An ID of this account in this project, which is the same in every session. */
  readonly profileUuid?: string | undefined
  /** The account that the server stores. Only included with `?includeAppKitAccount=true`, by servers that store accounts. */
  readonly appKitAccount?:
    | { readonly metadata?: Readonly<Record<string, unknown>> | null | undefined }
    | null
    | undefined
}

const isChain = v.custom<ChainId>((value) => typeof value === 'string' && parseChainId(value) !== undefined)
/** The response that describes the session of the page. */
export const sessionResponse: v.GenericSchema<unknown, SessionResponse> = v.object({
  address: v.pipe(text, v.nonEmpty()),
  caip2Network: isChain,
  domain: v.optional(text),
  uri: v.optional(text),
  nonce: v.optional(text),
  exp: v.optional(v.pipe(v.number(), v.maxValue(8_640_000_000_000))),
  email: v.nullish(text),
  profileUuid: v.optional(text),
  appKitAccount: v.nullish(v.object({ metadata: v.nullish(v.record(v.string(), v.unknown())) })),
})

/** The response to the request for an email code. The ID is missing if no email was sent. */
export interface CodeResponse {
  /** Identifies the code. Send it as `x-otp` with the code, and with the next sign-in. `null` or absent if no email was sent. */
  readonly uuid?: string | null | undefined
}

/** A schema for the response to the request for an email code. */
export const codeResponse: v.GenericSchema<unknown, CodeResponse> = v.object({ uuid: v.nullish(text) })
