import { createHash } from 'node:crypto'
import { parseJson } from '@latchkey/protocol/parseJson'
import { read } from '@latchkey/protocol/parseWithSchema'
import { authorizationCodeRequest, createAuthorizationURL } from 'better-auth/oauth2'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as v from 'valibot'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import type { Identity } from '../accounts/accounts.ts'
import type { SocialClient } from '../keysDependencies.ts'
import type { Provider } from './oauthProviders.ts'

const maxResponseBytes = 256 * 1024
const responseTimeoutMs = 10_000

const tokens = v.object({
  access_token: v.optional(v.pipe(v.string(), v.maxLength(16_384))),
  id_token: v.optional(v.pipe(v.string(), v.maxLength(16_384))),
})
const keySet = v.looseObject({
  keys: v.array(v.looseObject({ kty: v.string() })),
})

/** The secrets of one authorization request: the `state`, the PKCE verifier, and the nonce for an OpenID ID token. */
export interface OAuthState {
  readonly state: string
  readonly verifier: string
  readonly nonce: string
}

interface OAuthClient {
  readonly id: string
  readonly provider: Provider
  readonly client: SocialClient
  readonly redirectURI: string
}

/** Resolves to the provider's URL to which the user is redirected. */
export async function authorizationUrl(
  { id, provider, client, redirectURI }: OAuthClient,
  oauthState: OAuthState,
): Promise<string> {
  const url = await createAuthorizationURL({
    id,
    options: { clientId: client.clientId, clientSecret: client.clientSecret },
    redirectURI,
    authorizationEndpoint: client.endpoints.authorize,
    state: oauthState.state,
    codeVerifier: oauthState.verifier,
    scopes: [...provider.scopes],
    ...(client.endpoints.issuer ? { nonce: nonceOf(oauthState) } : {}),
    ...(provider.extra ? { additionalParams: { ...provider.extra } } : {}),
  })
  return url.href
}

/** Exchanges `code` for the user's identity. Throws if the provider returns an error or an invalid response. */
export async function exchangeCode(
  { id, provider, client, redirectURI }: OAuthClient,
  oauthState: OAuthState,
  { code, fetch, now }: { code: string; fetch: (request: Request) => Promise<Response>; now: number },
): Promise<Identity> {
  const { endpoints, clientId, clientSecret } = client
  const { body, headers } = await authorizationCodeRequest({
    code,
    codeVerifier: oauthState.verifier,
    redirectURI,
    options: { clientId, clientSecret },
    authentication: provider.secretIn === 'header' ? 'basic' : 'post',
    tokenEndpoint: endpoints.token,
  })
  const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
    const request = new Request(url, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': 'latchkey', ...(init.headers as Record<string, string>) },
      // The request contains a code or tokens, which must not be forwarded to a different address.
      redirect: 'error',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const answer = await fetch(request)
    const text = await readLimitedText(answer, maxResponseBytes)
    if (!answer.ok || text === undefined) throw new Error(`${id} responded with ${answer.status}`)
    return parseJson(text)
  }

  const tokenResponse = v.parse(tokens, await ask(endpoints.token, { method: 'POST', body, headers }))
  if (endpoints.issuer && endpoints.keys) {
    if (!tokenResponse.id_token) throw new Error(`${id} returned no ID token`)
    const keys = createLocalJWKSet(v.parse(keySet, await ask(endpoints.keys)))
    const { payload } = await jwtVerify(tokenResponse.id_token, keys, {
      issuer: endpoints.issuer,
      audience: clientId,
      // Unsigned tokens are never accepted, nor are algorithms such as HS256, for which the client also has the key.
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: 30,
      currentDate: new Date(now),
    })
    if (payload.nonce !== nonceOf(oauthState)) throw new Error(`The ID token of ${id} is for a different request`)
    return { provider: id, ...v.parse(provider.read, payload) }
  }

  if (!endpoints.user || !tokenResponse.access_token) throw new Error(`${id} returned no access token`)
  const bearer = { headers: { authorization: `Bearer ${tokenResponse.access_token}` } }
  const profile = await ask(endpoints.user, bearer)
  const emails = provider.emails === undefined ? {} : { emails: await ask(endpoints.user + provider.emails, bearer) }
  const identity = read(provider.read, { ...(profile as object), ...emails })
  if (!identity) throw new Error(`${id} returned no valid profile`)
  return { provider: id, ...identity }
}

// Returns the nonce that is sent to the provider. It is derived from the stored nonce and the verifier, which only the server
// knows.
function nonceOf({ verifier, nonce }: OAuthState): string {
  return createHash('sha256').update(`${nonce} ${verifier}`).digest('base64url')
}
