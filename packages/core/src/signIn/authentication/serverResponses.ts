import { accountId, type ChainId, parseChainId } from '@latchkey/protocol/caip'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/errors'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { SignInSession } from '../signIn.ts'
import type { SignInAccount } from './serverSignIn.ts'

/** A nonce, with the token to send back with it in token mode. */
export interface NonceResponse {
  readonly nonce: string
  readonly token?: string | null | undefined
  readonly issuedAt?: string | undefined
}

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

const text = v.pipe(v.string(), v.maxLength(8192))
const isChain = v.custom<ChainId>((value) => typeof value === 'string' && parseChainId(value) !== undefined)
/** The response to a nonce request. */
export const nonceResponse: v.GenericSchema<unknown, NonceResponse> = v.object({
  nonce: v.pipe(text, v.regex(/^[a-zA-Z0-9]{8,128}$/)),
  token: v.nullish(text),
  issuedAt: v.optional(v.pipe(text, v.isoTimestamp())),
})
/** The response to a signed message. */
export const authenticateResponse = v.object({ token: v.nullish(text) })
/** The response to the request for an email code, whose ID is missing if no email was sent. */
export const codeResponse = v.object({ uuid: v.nullish(text) })
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

/** Parses a response of the server at `url`. Throws `http/malformed`. */
export function parseResponse<Output>(
  schema: v.GenericSchema<unknown, Output>,
  response: unknown,
  url: string,
): Output {
  const parsed = read(schema, response)
  if (parsed === undefined) throw new LatchkeyError('http/malformed', { url })
  return parsed
}

/** Returns the account of a token with these claims, if they are valid. */
export function accountIn(claims: unknown): SignInAccount | undefined {
  const session = read(sessionResponse, claims)
  return session && toAccount(session)
}

/** Returns the account of a session. */
export function toAccount(session: SessionResponse): SignInAccount {
  const { address, caip2Network, email, exp, profileUuid, appKitAccount } = session
  return {
    account: accountId(caip2Network, address),
    email: email ?? undefined,
    profileId: profileUuid,
    expiresAt: exp === undefined ? undefined : exp * 1000,
    ...(appKitAccount && { metadata: appKitAccount.metadata }),
  }
}

/** Returns the parts of a server-side session that are available to the page. */
export function toSession({
  address,
  caip2Network,
  domain = '',
  uri = '',
  nonce = '',
  exp,
}: SessionResponse): SignInSession {
  return {
    data: {
      domain,
      uri,
      version: '1',
      nonce,
      chainId: caip2Network,
      accountAddress: address,
      ...(exp !== undefined && { expirationTime: new Date(exp * 1000).toISOString() }),
    },
    message: '',
    signature: '',
  }
}

/** Whether the server itself reported that there is no session. Responses of proxies or captive portals do not count. */
export function isSignedOut(error: unknown): boolean {
  return isLatchkeyError(error, 'sign-in/not-authenticated')
}
