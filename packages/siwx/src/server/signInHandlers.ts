import { randomBytes } from 'node:crypto'
import type { ChainId } from '@latchkey/protocol/caip'
import {
  getNonce,
  getSignInKeys,
  getSignInSession,
  postAuthenticate,
  postSignInSignOut,
  type SignedMessage,
} from '@latchkey/protocol/http/signInRoutes'
import { signInNonceLifeMs } from '@latchkey/protocol/specificationConstants'
import { newNonce } from '../message/messageText.ts'
import type { SignatureVerifiers, SignInFields } from '../message/signInTypes.ts'
import { AuthError } from './authError.ts'
import { createPresentedTokens } from './presentedTokens.ts'
import { readBody } from './readBody.ts'
import { redeemSignedMessage } from './redeemSignedMessage.ts'
import type { ReplayStore } from './replayStore.ts'
import { accountParamOf, jsonResponse, type SignInRoute } from './serveSignIn.ts'
import { canonicalAccount, claimsOf, type SessionAccount } from './sessionClaims.ts'
import type { Tokens } from './tokens.ts'
import { type AuthRequest, cookieTransport, headerTransport, type TokenTransportMode } from './tokenTransport.ts'

const nonceLifetimeSeconds = signInNonceLifeMs / 1000
/**
 * The maximum size of a request body. Large enough for a message with an ERC-6492 signature, which includes the contract's
 * deployment.
 */
export const maxBodyBytes: number = 64 * 1024

/** The dependencies of the sign-in handlers. */
export interface SignInHandlerOptions {
  /** Signs and reads the nonce tokens and the session tokens. */
  readonly tokens: Tokens
  /** Whether tokens are in cookies, or in headers that the page sets. */
  readonly transport: TokenTransportMode
  /** The lifetime of a session in seconds. A session ends earlier if the signed message expires earlier. */
  readonly sessionSeconds: number
  /** The accepted chains. Default: every chain in a namespace that has a verifier. */
  readonly chains?: readonly ChainId[] | undefined
  /** The signature verifiers. Accounts in a namespace without a verifier cannot sign in. */
  readonly verifiers: SignatureVerifiers
  /** Stores used nonces and ended sessions. All instances of the server must share it. */
  readonly replayStore: ReplayStore
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Called with the outcome of each attempt. */
  readonly onAttempt?: (outcome: string) => void
  /** An additional check. Resolves to the verified email address, if any. */
  readonly emailOf?: (authRequest: AuthRequest, fields: SignInFields) => Promise<string | undefined>
  /** Called after each sign-in. */
  readonly onSignedIn?: (session: Pick<SessionAccount, 'aud' | 'sub'>) => Promise<void>
}

/** The sign-in handlers, independent of the framework and project. */
export interface SignInHandlers {
  /** The endpoints with their handlers, for `serveSignIn`. */
  readonly routes: Readonly<Record<'nonce' | 'authenticate' | 'me' | 'signOut' | 'keys', SignInRoute>>
  /** Verifies a signed message and uses up its nonce, without creating a session. Rejects if anything is invalid. */
  verify(authRequest: AuthRequest, signed: SignedMessage): Promise<{ fields: SignInFields }>
  /** Resolves to the session of `account`, or to the most recent session if `account` is omitted. */
  session(authRequest: AuthRequest, account?: string | null): Promise<SessionAccount | undefined>
  /**
   * Resolves to the session of the account that the request specifies, or to the most recent one. Rejects if there is no session.
   */
  requireSession(authRequest: AuthRequest): Promise<SessionAccount>
}

/**
 * Creates the sign-in handlers.
 *
 * @example
 * const { routes } = createSignInHandlers({ tokens, transport: 'cookie', sessionSeconds: 86_400, verifiers, replayStore, clock: Date.now })
 * const response = await serveSignIn(request, relyingParty, Object.values(routes))
 */
export function createSignInHandlers(options: SignInHandlerOptions): SignInHandlers {
  const { tokens, transport, sessionSeconds, chains, verifiers, replayStore, clock, onAttempt = () => {} } = options
  const tokenTransport = transport === 'cookie' ? cookieTransport() : headerTransport()
  const presented = createPresentedTokens({ tokens, tokenTransport, replayStore, clock })

  const verify = (authRequest: AuthRequest, signed: SignedMessage) =>
    redeemSignedMessage(authRequest, signed, { presented, replayStore, chains, verifiers, clock, onAttempt })

  async function session(authRequest: AuthRequest, account: string | null = null): Promise<SessionAccount | undefined> {
    const found = await presented.sessions(authRequest)
    return found.find(({ session: { sub } }) => account === null || canonicalAccount(account) === sub)?.session
  }

  async function requireSession(authRequest: AuthRequest): Promise<SessionAccount> {
    const found = await session(authRequest, accountParamOf(authRequest))
    if (!found) throw noSession()
    return found
  }

  async function me(authRequest: AuthRequest): Promise<Response> {
    const found = await session(authRequest, accountParamOf(authRequest))
    // A page cannot tell whether it has a cookie, so a missing session is not an error. An error status would appear in its
    // console.
    if (!found && transport === 'cookie')
      return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
    if (!found) throw noSession()
    return jsonResponse(found)
  }

  async function nonce(authRequest: AuthRequest): Promise<Response> {
    if (transport === 'cookie' && authRequest.request.headers.get('sec-fetch-site') === 'cross-site')
      throw new AuthError(
        401,
        'origin',
        'Cookies are not sent to other sites: serve the page from the same site as this server, or use tokens (SIGN_IN_TRANSPORT=token)',
      )
    const issued = newNonce()
    const { page } = authRequest
    const token = await tokens.sign('nonce', {
      nonce: issued,
      aud: authRequest.relyingParty.projectId,
      exp: Math.floor(clock() / 1000) + nonceLifetimeSeconds,
      ...(page === undefined ? {} : { origin: page }),
    })
    // Other tabs can have pending nonces, which must stay valid.
    const otherNonces = (await presented.nonces(authRequest)).map((pending) => pending.token)
    return jsonResponse(
      // Includes the server's time, because the message contains its time of issue and the user's clock can be wrong.
      { nonce: issued, token: transport === 'token' ? token : null, issuedAt: new Date(clock()).toISOString() },
      tokenTransport.write('nonce', [token, ...otherNonces], nonceLifetimeSeconds, authRequest),
    )
  }

  async function authenticate(authRequest: AuthRequest): Promise<Response> {
    const signed = await readBody(authRequest.request, postAuthenticate, {
      maxBytes: maxBodyBytes,
      field: 'body',
      description: 'message and signature are required',
    })
    const { fields, otherNonces } = await verify(authRequest, signed)
    const email = await options.emailOf?.(authRequest, fields)

    const iat = Math.floor(clock() / 1000)
    const claims: Omit<SessionAccount, 'iss'> = {
      ...claimsOf({ fields, projectId: authRequest.relyingParty.projectId, email }),
      jti: randomBytes(16).toString('hex'),
      iat,
      // The session must not outlive the signed message.
      exp: Math.min(iat + sessionSeconds, ...expiryOf(fields)),
    }
    // A new session ends the sessions that this browser already has for the account, so that planted or copied tokens become
    // useless.
    const before = await presented.sessions(authRequest)
    const replaced = before.filter(({ session: { sub } }) => sub === claims.sub)
    await presented.end(replaced)
    const token = await tokens.sign('session', { ...claims })
    await options.onSignedIn?.(claims)
    onAttempt('in')
    const others = before.filter((existing) => !replaced.includes(existing))
    const seconds = Math.max(claims.exp, ...others.map((other) => other.session.exp)) - iat
    return jsonResponse({ token: transport === 'token' ? token : null }, [
      ...tokenTransport.write('session', [token, ...others.map((other) => other.token)], seconds, authRequest),
      ...tokenTransport.write('nonce', otherNonces, nonceLifetimeSeconds, authRequest),
    ])
  }

  async function signOut(authRequest: AuthRequest): Promise<Response> {
    const { searchParams } = new URL(authRequest.request.url)
    const accountsIn = (param: string) => searchParams.get(param)?.split(',').map(canonicalAccount)
    // Ends the sessions of the accounts in `account`, or all sessions if `account` is absent, except those of the accounts in
    // `but`.
    const requested = accountsIn('account')
    const excepted = accountsIn('but')
    const all = await presented.sessions(authRequest)
    const ended = all.filter(({ session: { sub } }) => (requested?.includes(sub) ?? true) && !excepted?.includes(sub))
    await presented.end(ended)
    const left = all.filter((existing) => !ended.includes(existing))
    const seconds = Math.max(0, ...left.map((existing) => existing.session.exp)) - Math.floor(clock() / 1000)
    const leftTokens = left.map((existing) => existing.token)
    return jsonResponse({}, tokenTransport.write('session', leftTokens, seconds, authRequest))
  }

  return {
    routes: {
      nonce: { endpoint: getNonce, handle: nonce },
      authenticate: { endpoint: postAuthenticate, handle: authenticate },
      me: { endpoint: getSignInSession, handle: me },
      signOut: { endpoint: postSignInSignOut, handle: signOut },
      // Everyone can read the public keys.
      keys: {
        endpoint: getSignInKeys,
        handle: async () => jsonResponse(await tokens.publicKeys()),
        isPublic: true,
      },
    },
    verify,
    session,
    requireSession,
  }
}

function noSession(): AuthError {
  return new AuthError(401, 'authorization', 'Not signed in')
}

/** Returns a list with the time at which the message expires, in Unix seconds, or an empty list if it does not expire. */
function expiryOf({ expirationTime }: SignInFields): readonly number[] {
  return expirationTime === undefined ? [] : [Math.floor(Date.parse(expirationTime) / 1000)]
}
