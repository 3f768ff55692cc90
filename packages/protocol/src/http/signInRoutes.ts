import * as v from 'valibot'
import { isEmailAddress } from '../emailAddress.ts'
import { maxSignInMessageLength } from '../specificationConstants.ts'
import { isStorableJson, storableText } from '../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from './endpoint.ts'
import {
  type AuthenticateResponse,
  authenticateResponse,
  type CodeResponse,
  codeResponse,
  type NonceResponse,
  nonceResponse,
  type SessionResponse,
  sessionResponse,
} from './signInResponses.ts'

// Sign-in with a wallet. The names come from the specification (services 3.14). Hosts can mount these endpoints under any path,
// so servers only match the end of the path.

/** The last segment of an endpoint's path. */
export type SignInPath = 'nonce' | 'authenticate' | 'me' | 'sign-out' | 'keys' | 'otp' | 'account-metadata'

/* @__NO_SIDE_EFFECTS__ */
const pathOf = (path: SignInPath): string => `/auth/v1/${path}`
const ignored = v.unknown()

// --- Signing in ----------------------------------------------------------------------------------------------------

/** `GET nonce`: issues a single-use nonce. */
export const getNonce: Endpoint<undefined, NonceResponse> = defineEndpoint({
  method: 'GET',
  path: pathOf('nonce'),
  answer: nonceResponse,
})

/** A message and its signature, as sent by a page. */
export interface SignedMessage {
  /** The exact text that the wallet signed, in EIP-4361 format on EVM and in the matching CAIP-122 format on other chains. */
  readonly message: string
  /** The signature: hex on EVM and Polkadot, base58 on Solana, base64 on Bitcoin, and JSON on Cosmos. */
  readonly signature: string
  /** The chain ID and address from which the message was built. Absent or `null` if the page does not send them. */
  readonly data?: { readonly chainId?: unknown; readonly accountAddress?: unknown } | null | undefined
}

const messageField = v.nullish(v.union([storableText(256), v.number()]))
/** The schema for a signed message. */
export const signedMessage: v.GenericSchema<unknown, SignedMessage> = v.object({
  message: storableText(maxSignInMessageLength),
  signature: storableText(40_000),
  data: v.nullish(v.object({ chainId: messageField, accountAddress: messageField })),
})

/** `POST authenticate`: verifies the signed message and creates a session. */
export const postAuthenticate: Endpoint<SignedMessage, AuthenticateResponse> = defineEndpoint({
  method: 'POST',
  path: pathOf('authenticate'),
  body: signedMessage,
  answer: authenticateResponse,
})

// --- The session ---------------------------------------------------------------------------------------------------

/** `GET me`: returns the session for `account`, or the most recent session. In cookie mode, 204 means there is no session. */
export const getSignInSession: Endpoint<undefined, SessionResponse> = defineEndpoint({
  method: 'GET',
  path: pathOf('me'),
  answer: sessionResponse,
})

/** `POST sign-out`: ends the sessions for `account`, or all sessions except those for `but`. */
export const postSignInSignOut: Endpoint = defineEndpoint({
  method: 'POST',
  path: pathOf('sign-out'),
  answer: ignored,
})

/** `GET keys`: returns the public keys that verify session tokens, as a JWK Set. */
export const getSignInKeys: Endpoint = defineEndpoint({ method: 'GET', path: pathOf('keys'), answer: ignored })

// --- The account, for servers that store accounts ------------------------------------------------------------------

/** The metadata that a page stores for an account. */
export interface AccountMetadata {
  /** The object that replaces the current metadata. `null` removes the metadata. Latchkey's server accepts up to 4096 bytes. */
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** `PUT account-metadata`: stores metadata for the signed-in account. */
export const putAccountMetadata: Endpoint<AccountMetadata> = defineEndpoint({
  method: 'PUT',
  path: pathOf('account-metadata'),
  body: v.object({
    metadata: v.nullable(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.check((metadata) => isStorableJson(metadata)),
      ),
    ),
  }),
  answer: ignored,
})

/** `POST otp`: emails a code for the next sign-in with `account`. */
export const postSignInCode: Endpoint<{ readonly email: string; readonly account: string }, CodeResponse> =
  defineEndpoint({
    method: 'POST',
    path: pathOf('otp'),
    body: v.object({
      email: v.pipe(storableText(254), v.trim(), v.check(isEmailAddress)),
      account: v.pipe(storableText(256), v.regex(/^[^:\s]+:[^:\s]+:[^:\s]+$/)),
    }),
    answer: codeResponse,
  })

/** `PUT otp`: submits the emailed code. */
export const putSignInCode: Endpoint<{ readonly code: string }> = defineEndpoint({
  method: 'PUT',
  path: pathOf('otp'),
  body: v.object({ code: storableText(64) }),
  answer: ignored,
})

// --- Errors --------------------------------------------------------------------------------------------------------

/** The reasons for rejecting a message or its signature. */
type SignInReason =
  | 'account'
  | 'chain'
  | 'domain'
  | 'expired'
  | 'issued-later'
  | 'issued-long-ago'
  | 'lives-too-long'
  | 'nonce'
  | 'not-yet-valid'
  | 'signature'
  | 'unreadable'
  | 'uri'
  | 'version'

/** The values of `field` in error responses: a header, a field of the body, or the reason for rejecting a message. */
type SignInErrorField =
  | SignInReason
  | 'authorization'
  | 'body'
  | 'code'
  | 'email'
  | 'metadata'
  | 'origin'
  | 'otp'
  | 'path'
  | 'projectId'

/** A sign-in error: the status and the `field` of the reason, such as `401 nonce`. */
export type SignInErrorCode = `${400 | 401 | 404 | 413 | 429 | 503} ${SignInErrorField}`

/** The errors that any sign-in endpoint can respond with. */
export const commonSignInErrors: readonly SignInErrorCode[] = [
  '400 projectId',
  '401 origin',
  '401 projectId',
  '404 path',
]

/** The errors of these endpoints, in addition to `commonSignInErrors`. */
export const signInErrors: EndpointErrors<SignInErrorCode> = [
  [
    postAuthenticate,
    '400 body',
    '401 account',
    '401 chain',
    '401 domain',
    '401 expired',
    '401 issued-later',
    '401 issued-long-ago',
    '401 lives-too-long',
    '401 nonce',
    '401 not-yet-valid',
    '401 otp',
    '401 signature',
    '401 unreadable',
    '401 uri',
    '401 version',
    '413 body',
    '503 signature',
  ],
  [getSignInSession, '401 authorization'],
  [putAccountMetadata, '400 body', '400 metadata', '401 authorization', '413 body'],
  [postSignInCode, '400 body', '400 email', '413 body', '429 email', '503 email'],
  [putSignInCode, '400 body', '400 code', '401 code', '413 body', '429 email'],
]
