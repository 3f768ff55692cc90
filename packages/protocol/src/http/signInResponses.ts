import * as v from 'valibot'
import { type ChainId, parseChainId } from '../caip.ts'

// The responses of the sign-in endpoints. Pages import only these: the endpoints would add the schemas of the requests to their bytes.

const text = v.pipe(v.string(), v.maxLength(8192))

/** A nonce, with the token to send back with it in token mode. */
export interface NonceResponse {
  readonly nonce: string
  readonly token?: string | null | undefined
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
  readonly token?: string | null | undefined
}

/** A schema for the response to a signed message. */
export const authenticateResponse: v.GenericSchema<unknown, AuthenticateResponse> = v.object({ token: v.nullish(text) })

/** A session as reported by the server, or as contained in a token. */
export interface SessionResponse {
  readonly address: string
  readonly caip2Network: ChainId
  readonly domain?: string | undefined
  readonly uri?: string | undefined
  readonly nonce?: string | undefined
  readonly exp?: number | undefined
  readonly email?: string | null | undefined
  readonly profileUuid?: string | undefined
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
  readonly uuid?: string | null | undefined
}

/** A schema for the response to the request for an email code. */
export const codeResponse: v.GenericSchema<unknown, CodeResponse> = v.object({ uuid: v.nullish(text) })
