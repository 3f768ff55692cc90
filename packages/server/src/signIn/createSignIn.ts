import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { SignatureVerifiers, SignInFields } from '@latchkey/protocol/signIn'
import { HttpError } from '../httpError.ts'
import type { ReplayStore } from './replayStore.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import { canonicalAccount, type SessionAccount } from './sessionAccount.ts'
import { createSignInHandlers, type Handler, serve } from './signInHandlers.ts'
import { createTokens, requireSecret, type SignInSecret } from './tokens.ts'
import type { AuthRequest, TokenTransportMode } from './tokenTransport.ts'

/** The origin of a page that may sign in: https, or http on this machine. Without a path; never a pattern. */
export type Origin =
  | `https://${string}`
  | `http://localhost${'' | `:${number}`}`
  | `http://${string}.localhost${'' | `:${number}`}`

/** What a sign-in library is made of. There is no way around `origins`: messages for any other domain are refused. */
export interface SignInOptions {
  /** Your pages, letter for letter as a browser writes them. */
  readonly origins: readonly [Origin, ...Origin[]]
  /**
   * 32 characters or more, or a private JWK. A list replaces a secret by another without signing anybody out: the first one signs, all
   * are believed. A missing one is told by the first call, not here, so that a framework can build without it.
   */
  readonly secret: SignInSecret | readonly SignInSecret[]
  /** Who can tell whether a signature is one: `{ eip155: eip155Verifier(…) }` of `@latchkey/protocol/verify/eip155`. */
  readonly verifiers: SignatureVerifiers
  /** Where used nonces and ended sessions are remembered; has to be shared by all instances of your server. */
  readonly replayStore: ReplayStore
  /** The chains that count. [every chain of a family that has a verifier] */
  readonly chains?: readonly ChainId[]
  readonly session?: {
    /** [86400] */
    readonly seconds?: number
    /** [cookie] */
    readonly transport?: TokenTransportMode
  }
  /** Whose tokens these are; tokens of another name are refused. [the host of the first origin] */
  readonly name?: string
  /** Epoch milliseconds. [Date.now] */
  readonly clock?: () => number
}

/** Who signed, or why they are not believed. */
export type VerifyResult =
  | { readonly ok: true; readonly account: AccountId; readonly fields: SignInFields }
  | { readonly ok: false; readonly reason: string }

/** Sign-in with a wallet, for your own server. */
export interface SignIn {
  /** Answers `…/nonce`, `…/authenticate`, `…/me`, `…/sign-out` and `…/keys`, by the end of the path, and their preflights. */
  handle(request: Request): Promise<Response>
  /** Who is signed in, for handlers of your own. Answers nobody when another site asks with the visitor's cookie. */
  session(request: Request): Promise<SessionAccount | undefined>
  /**
   * Who signed, for a session of your own (Auth.js, better-auth): uses the nonce up that `nonce` gave to this browser, and checks
   * everything. `request` is the one that brought `signed`.
   */
  verify(request: Request, signed: { readonly message: string; readonly signature: string }): Promise<VerifyResult>
  /** `GET`: words that are signed once. */
  nonce(request: Request): Promise<Response>
  /** `POST`: the signed message becomes a session. */
  authenticate(request: Request): Promise<Response>
  /** `GET`: the session. */
  me(request: Request): Promise<Response>
  /** `POST`: ends the session, wherever its token was copied to. */
  signOut(request: Request): Promise<Response>
}

/**
 * Sign-in with a wallet (EIP-4361, CAIP-122) for a server of your own.
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
      `origins has to name your pages, like https://shop.example, without a path or slash, and http only on this machine${invalidOrigin ? `: ${invalidOrigin} is none` : ''}.`,
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
  const handle = async (request: Request, calls: Readonly<Record<string, Handler>> = handlers.handlers) => {
    requireSecret(options.secret)
    return serve(request, relyingParty, calls)
  }
  const handlerFor = (name: keyof typeof handlers.handlers) => (request: Request) => {
    const [method = ''] = name.split(' ')
    return handle(request, {
      [`${method} ${new URL(request.url).pathname.split('/').at(-1)}`]: handlers.handlers[name],
    })
  }

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
        if (error instanceof HttpError) return { ok: false, reason: error.message }
        throw error
      }
    },
    nonce: handlerFor('GET nonce'),
    authenticate: handlerFor('POST authenticate'),
    me: handlerFor('GET me'),
    signOut: handlerFor('POST sign-out'),
  }
}

// A link from another site leads to a page that may know its visitor; anything else that another site starts may not.
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
