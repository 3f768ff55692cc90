import { accountId } from '@latchkey/protocol/caip'
import { type SessionResponse, sessionResponse } from '@latchkey/protocol/http/signInResponses'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import type * as v from 'valibot'
import type { SignInSession } from '../signInTypes.ts'
import type { SignInAccount } from './serverSignInTypes.ts'

/** Parses a response from the server at `url`. Throws `http/malformed` if the response does not match `schema`. */
export function parseResponse<Output>(
  schema: v.GenericSchema<unknown, Output>,
  response: unknown,
  url: string,
): Output {
  const parsed = read(schema, response)
  if (parsed === undefined) throw new LatchkeyError('http/malformed', { url })
  return parsed
}

/** Returns the account that a token's claims identify, or `undefined` if the claims are invalid. */
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
  iat,
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
      ...(iat !== undefined && { issuedAt: dateOf(iat) }),
      ...(exp !== undefined && { expirationTime: dateOf(exp) }),
    },
    message: '',
    signature: '',
  }
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Whether the server itself reported that there is no session. Ignores responses from proxies and captive portals. */
export function isSignedOut(error: unknown): boolean {
  return isLatchkeyError(error, 'sign-in/not-authenticated')
}
