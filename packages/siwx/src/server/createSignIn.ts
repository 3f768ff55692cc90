import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { SignatureVerifiers, SignInFields } from '../message/signInTypes.ts'
import { AuthError } from './authError.ts'
import type { ReplayStore } from './replayStore.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import { type SignInRoute, serveSignIn } from './serveSignIn.ts'
import { canonicalAccount, type SessionAccount } from './sessionAccount.ts'
import { createSignInHandlers } from './signInHandlers.ts'
import { createTokens, requireSecret, type SignInSecret } from './tokens.ts'
import type { AuthRequest, TokenTransportMode } from './tokenTransport.ts'

/** The origin of an allowed page: https, or http on localhost. No path and no wildcards. */
export type Origin =
  | `https://${string}`
  | `http://localhost${'' | `:${number}`}`
  | `http://${string}.localhost${'' | `:${number}`}`

/** Options for `createSignIn`. Messages for domains outside `origins` are always rejected. */
export interface SignInOptions {
  /** The origins of your pages, exactly as browsers send them. */
  readonly origins: readonly [Origin, ...Origin[]]
  /**
   * At least 32 characters, or a private JWK. Pass a list to rotate secrets without signing users out: the first one signs, all are
   * accepted. A missing secret throws on the first call, not here, so that a framework can build without it.
   */
  readonly secret: SignInSecret | readonly SignInSecret[]
  /** The signature verifiers, such as `{ eip155: eip155Verifier(…) }` from `@latchkey/siwx/verify/eip155`. */
  readonly verifiers: SignatureVerifiers
  /** Stores used nonces and ended sessions. All instances of your server must share it. */
  readonly replayStore: ReplayStore
  /** The accepted chains. [every chain of a namespace that has a verifier] */
  readonly chains?: readonly ChainId[]
  /** The lifetime of sessions, and how the browser gets their tokens. [one day, in cookies] */
  readonly session?: {
    /** [86400] */
    readonly seconds?: number
    /** [cookie] */
    readonly transport?: TokenTransportMode
  }
  /** Issuer and audience of the tokens. Tokens with another name are rejected. [the host of the first origin] */
  readonly name?: string
  /** Epoch milliseconds. [Date.now] */
  readonly clock?: () => number
}

/** The verified account, or the reason for rejecting the message. */
export type VerifyResult =
  | { readonly ok: true; readonly account: AccountId; readonly fields: SignInFields }
  | { readonly ok: false; readonly reason: string }

/** Wallet sign-in for your own server. */
export interface SignIn {
  /** Handles `…/nonce`, `…/authenticate`, `…/me`, `…/sign-out` and `…/keys`, matched by the end of the path, and their CORS preflights. */
  handle(request: Request): Promise<Response>
  /** The session of a request, for your own handlers. Always `undefined` for cross-site requests other than navigations. */
  session(request: Request): Promise<SessionAccount | undefined>
  /**
   * Verifies a signed message for your own session (Auth.js, better-auth). Uses up the nonce that `nonce` issued to this browser. `request`
   * is the request that contained `signed`.
   */
  verify(request: Request, signed: { readonly message: string; readonly signature: string }): Promise<VerifyResult>
  /** `GET`: issues a nonce that can be used once. */
  nonce(request: Request): Promise<Response>
  /** `POST`: verifies the signed message and creates a session. */
  authenticate(request: Request): Promise<Response>
  /** `GET`: returns the session. */
  me(request: Request): Promise<Response>
  /** `POST`: ends the session, including copies of its token. */
  signOut(request: Request): Promise<Response>
}

/**
 * Sign-in with a wallet (EIP-4361, CAIP-122) for your own server.
 * @throws a `TypeError` if `origins` is empty or has an invalid origin.
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
  // Wherever the host mounts it, under any name.
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

// A cross-site link is a navigation, so the page can show its user. Other cross-site requests get no session.
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
