import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { SignatureVerifiers, SignInFields } from '../message/signInTypes.ts'
import { AuthError } from './authError.ts'
import type { ReplayStore } from './replayStore.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import { type SignInRoute, serveSignIn } from './serveSignIn.ts'
import { canonicalAccount, type SessionAccount } from './sessionClaims.ts'
import { createSignInHandlers } from './signInHandlers.ts'
import { createTokens, requireSecret, type SignInSecret } from './tokens.ts'
import type { AuthRequest, TokenTransportMode } from './tokenTransport.ts'

/** The origin of an allowed page: https, or http on localhost, without a path or wildcards. */
export type Origin =
  | `https://${string}`
  | `http://localhost${'' | `:${number}`}`
  | `http://${string}.localhost${'' | `:${number}`}`

/** Options for `createSignIn`. Messages for domains outside `origins` are always rejected. */
export interface SignInOptions {
  /** The origins of your pages, exactly as browsers send them. */
  readonly origins: readonly [Origin, ...Origin[]]
  /**
   * A string of at least 32 characters, or a private JWK. To rotate secrets without signing users out, pass a list: the first
   * secret signs, and all of them are accepted. If the secret is missing, calls to the handlers reject, but `createSignIn`
   * itself does not throw, so that a framework can build without it.
   */
  readonly secret: SignInSecret | readonly SignInSecret[]
  /** The signature verifiers, such as `{ eip155: eip155Verifier(…) }` from `@latchkey/siwx/verify/eip155`. */
  readonly verifiers: SignatureVerifiers
  /** Stores used nonces and ended sessions. All instances of your server must share it. */
  readonly replayStore: ReplayStore
  /** The accepted chains. Default: every chain in a namespace that has a verifier. */
  readonly chains?: readonly ChainId[]
  /** The lifetime of sessions, and how the browser receives their tokens. */
  readonly session?: {
    /** The lifetime of a session in seconds. Default: 86400. */
    readonly seconds?: number
    /** How tokens are transferred. Default: `cookie`. */
    readonly transport?: TokenTransportMode
  }
  /** The issuer and audience of the tokens. Tokens with other values are rejected. Default: the host of the first origin. */
  readonly name?: string
  /** Returns the current time in epoch milliseconds. Default: `Date.now`. */
  readonly clock?: () => number
}

/** The verified account, or the reason for rejecting the message. */
export type VerifyResult =
  | { readonly ok: true; readonly account: AccountId; readonly fields: SignInFields }
  | { readonly ok: false; readonly reason: string }

/** Wallet sign-in for your own server. */
export interface SignIn {
  /**
   * Handles `…/nonce`, `…/authenticate`, `…/me`, `…/sign-out` and `…/keys`, and their CORS preflights. Only the end of the path
   * is compared.
   */
  handle(request: Request): Promise<Response>
  /**
   * Resolves to a request's session, for your own handlers. Requests from pages outside `origins` have no session, except
   * navigations.
   */
  session(request: Request): Promise<SessionAccount | undefined>
  /**
   * Verifies a signed message, so that you can create your own session (Auth.js, better-auth). Uses up the nonce that `nonce`
   * issued to this browser. `request` is the request that contained `signed`.
   */
  verify(request: Request, signed: { readonly message: string; readonly signature: string }): Promise<VerifyResult>
  /** `GET`: issues a nonce that can be used once. */
  nonce(request: Request): Promise<Response>
  /** `POST`: verifies the signed message and creates a session. */
  authenticate(request: Request): Promise<Response>
  /** `GET`: returns the session. */
  me(request: Request): Promise<Response>
  /** `POST`: ends the browser's sessions, including copies of their tokens. */
  signOut(request: Request): Promise<Response>
}

/**
 * Creates wallet sign-in (EIP-4361, CAIP-122) for your own server.
 * @throws a `TypeError` if `origins` is empty or contains an invalid origin.
 *
 * @example
 * const signIn = createSignIn({
 *   origins: ['https://shop.example'],
 *   secret: process.env.SIGN_IN_SECRET ?? '',
 *   verifiers: { eip155: eip155Verifier({ call }) },
 *   replayStore: memoryReplayStore(),
 * })
 */
export function createSignIn(options: SignInOptions): SignIn {
  const { origins, verifiers, chains, replayStore, clock = Date.now } = options
  const { seconds = 86_400, transport = 'cookie' } = options.session ?? {}
  const invalidOrigin = (origins as readonly string[]).find((origin) => !isSafeOrigin(origin))
  if (origins.length < 1 || invalidOrigin !== undefined)
    throw new TypeError(
      `origins must list your pages, like https://shop.example, without a path or trailing slash, and with http only on this machine${invalidOrigin ? `: ${invalidOrigin} is not valid` : ''}.`,
    )
  const projectId = options.name ?? new URL(origins[0]).host
  const relyingParty: RelyingParty = {
    projectId,
    allowsOrigin: (origin) => (origins as readonly string[]).includes(origin),
    isShared: false,
    isHttps: origins.every((origin) => origin.startsWith('https:')),
  }
  const tokens = createTokens({ secret: options.secret, issuer: projectId })
  const handlers = createSignInHandlers({
    tokens,
    transport,
    sessionSeconds: seconds,
    chains,
    verifiers,
    replayStore,
    clock,
  })
  const handle = async (request: Request, routes: readonly SignInRoute[] = Object.values(handlers.routes)) => {
    requireSecret(options.secret)
    return serveSignIn(request, relyingParty, routes)
  }
  // Handles the endpoint wherever the host mounts it, under any path.
  const handlerFor =
    ({ endpoint, handle: handler }: SignInRoute) =>
    (request: Request) =>
      handle(request, [{ endpoint: { method: endpoint.method, path: new URL(request.url).pathname }, handle: handler }])

  return {
    handle: (request) => handle(request),
    session: async (request) => {
      requireSecret(options.secret)
      const authRequest = authRequestOf(request, relyingParty)
      return authRequest && handlers.session(authRequest)
    },
    verify: async (request, signed) => {
      requireSecret(options.secret)
      try {
        const { fields } = await handlers.verify(
          { request, relyingParty, page: requestOrigin(request, relyingParty) },
          signed,
        )
        return { ok: true, account: canonicalAccount(`${fields.chainId}:${fields.accountAddress}`), fields }
      } catch (error) {
        if (error instanceof AuthError) return { ok: false, reason: error.message }
        throw error
      }
    },
    nonce: handlerFor(handlers.routes.nonce),
    authenticate: handlerFor(handlers.routes.authenticate),
    me: handlerFor(handlers.routes.me),
    signOut: handlerFor(handlers.routes.signOut),
  }
}

// Following a cross-site link is a navigation, so the page can show its user. Other cross-site requests have no session.
function authRequestOf(request: Request, relyingParty: RelyingParty): AuthRequest | undefined {
  const { headers, method } = request
  const isVisit = method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('origin') === null
  if (isVisit) return { request, relyingParty, page: undefined }
  try {
    return { request, relyingParty, page: requestOrigin(request, relyingParty) }
  } catch {
    return undefined
  }
}
