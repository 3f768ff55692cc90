import { randomBytes } from 'node:crypto'
import {
  type AccountId,
  accountId,
  type ChainId,
  isNamespace,
  type Namespace,
  parseAccountId,
} from '@latchkey/protocol/caip'
import { signInMessageMost, signInNonceLifeMs } from '@latchkey/protocol/constants'
import type { SignatureVerifiers, SignInFields } from '@latchkey/protocol/signIn'
import { newNonce, readMessage } from '@latchkey/protocol/signIn/message'
import { verifySignIn } from '@latchkey/protocol/signIn/verifySignIn'
import { plainText } from '@latchkey/protocol/text'
import * as v from 'valibot'
import { HttpError, httpErrorBody } from '../httpError.ts'
import { readLimitedJson } from '../readLimitedBody.ts'
import type { ReplayStore } from './replayStore.ts'
import { isSafeOrigin, type RelyingParty, requestOrigin } from './requestOrigin.ts'
import { canonicalAccount, claimsOf, readSessionAccount, type SessionAccount } from './sessionAccount.ts'
import type { Tokens } from './tokens.ts'
import { type AuthRequest, cookieTransport, headerTransport, type TokenTransportMode } from './tokenTransport.ts'

const nonceLifetimeSeconds = signInNonceLifeMs / 1000
/** Large enough for a message with an ERC-6492 signature (of a contract that is not deployed yet). */
const maxBodyBytes = 64 * 1024

/** Dependencies of the sign-in handlers. */
export interface SignInHandlerOptions {
  readonly tokens: Tokens
  readonly transport: TokenTransportMode
  readonly sessionSeconds: number
  /** The accepted chains. [every chain of a namespace that has a verifier] */
  readonly chains?: readonly ChainId[] | undefined
  readonly verifiers: SignatureVerifiers
  readonly replayStore: ReplayStore
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Called with the outcome of each attempt. */
  readonly onAttempt?: (outcome: string) => void
  /** An additional check, which resolves to the verified email address. */
  readonly emailOf?: (authRequest: AuthRequest, fields: SignInFields) => Promise<string | undefined>
  /** Called after each sign-in. */
  readonly onSignedIn?: (session: Pick<SessionAccount, 'aud' | 'sub'>) => Promise<void>
}

/** The handler of one sign-in call. */
export interface Handler {
  (authRequest: AuthRequest): Promise<Response>
}

/** The sign-in handlers, independent of the framework and project. */
export interface SignInHandlers {
  readonly handlers: Readonly<
    Record<'GET nonce' | 'POST authenticate' | 'GET me' | 'POST sign-out' | 'GET keys', Handler>
  >
  /** Verifies a signed message and uses up its nonce. Throws if anything is invalid. Creates no session. */
  verify(authRequest: AuthRequest, signed: SignedMessage): Promise<{ fields: SignInFields }>
  /** The session of `account`, or the most recent one if none is given. */
  session(authRequest: AuthRequest, account?: string | null): Promise<SessionAccount | undefined>
  /** Like `session`, but throws if there is none. */
  requireSession(authRequest: AuthRequest): Promise<SessionAccount>
}

/** A message and its signature, as sent by a page. `data` contains the values the message was built from. */
export interface SignedMessage {
  readonly message: string
  readonly signature: string
  readonly data?: { readonly chainId?: unknown; readonly accountAddress?: unknown } | null | undefined
}

const messageFields = v.nullish(v.union([plainText(256), v.number()]))
const signedMessage: v.GenericSchema<unknown, SignedMessage> = v.object({
  message: plainText(signInMessageMost),
  signature: plainText(40_000),
  data: v.nullish(v.object({ chainId: messageFields, accountAddress: messageFields })),
})

/** Creates the sign-in handlers. */
export function createSignInHandlers(ports: SignInHandlerOptions): SignInHandlers {
  const {
    tokens,
    transport,
    sessionSeconds,
    chains,
    verifiers,
    replayStore,
    clock,
    onAttempt: tried = () => {},
  } = ports
  const tokenTransport = transport === 'cookie' ? cookieTransport() : headerTransport()

  async function presentedNonces(
    authRequest: AuthRequest,
  ): Promise<readonly { token: string; nonce: string; exp: number }[]> {
    const expected = { audience: authRequest.relyingParty.projectId, now: clock() }
    const read = await Promise.all(
      tokenTransport.read('nonce', authRequest).map(async (token) => {
        const claims = await tokens.read('nonce', token, expected)
        const { nonce, origin, exp = 0 } = claims ?? {}
        // A nonce issued to one page is not valid on another.
        const isTheirs = origin === undefined || origin === authRequest.page
        return typeof nonce === 'string' && isTheirs ? [{ token, nonce, exp }] : []
      }),
    )
    return read.flat()
  }

  async function presentedSessions(
    authRequest: AuthRequest,
  ): Promise<readonly { token: string; session: SessionAccount }[]> {
    const expected = { audience: authRequest.relyingParty.projectId, now: clock() }
    const read = await Promise.all(
      tokenTransport.read('session', authRequest).map(async (token) => {
        const session = readSessionAccount(await tokens.read('session', token, expected))
        if (!session) return []
        const origin = originOf(session.uri)
        const isTheirs =
          authRequest.page === undefined ? authRequest.relyingParty.allowsOrigin(origin) : authRequest.page === origin
        if (!isTheirs || (await replayStore.isUsed(sessionKey(session)))) return []
        return [{ token, session }]
      }),
    )
    return read.flat()
  }

  async function session(authRequest: AuthRequest, account: string | null = null): Promise<SessionAccount | undefined> {
    const found = await presentedSessions(authRequest)
    return found.find(({ session: { sub } }) => account === null || canonicalAccount(account) === sub)?.session
  }

  async function requireSession(authRequest: AuthRequest): Promise<SessionAccount> {
    const found = await session(authRequest, accountParamOf(authRequest))
    if (!found) throw noSession()
    return found
  }

  async function me(authRequest: AuthRequest): Promise<Response> {
    const found = await session(authRequest, accountParamOf(authRequest))
    // The page cannot know whether it has a cookie, so this is not an error. An error status would appear in its console.
    if (!found && transport === 'cookie')
      return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
    if (!found) throw noSession()
    return answer(found)
  }

  async function nonce(authRequest: AuthRequest): Promise<Response> {
    if (transport === 'cookie' && authRequest.request.headers.get('sec-fetch-site') === 'cross-site')
      throw new HttpError(
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
    // Other tabs can have pending nonces.
    const otherNonces = (await presentedNonces(authRequest)).map((one) => one.token)
    return answer(
      // Includes the server's time, as the user's clock can be wrong and the message contains its time of issue.
      { nonce: issued, token: transport === 'token' ? token : null, issuedAt: new Date(clock()).toISOString() },
      tokenTransport.write('nonce', [token, ...otherNonces], nonceLifetimeSeconds, authRequest),
    )
  }

  async function verify(
    authRequest: AuthRequest,
    { message, signature, data }: SignedMessage,
  ): Promise<{ fields: SignInFields; left: readonly string[] }> {
    // Apps pass on request bodies unchecked.
    if (!v.is(signedMessage, { message, signature, data })) throw refusal('unreadable')
    const reference = await presentedNonces(authRequest)
    const ownNonce = reference.find((token) => message.includes(`\nNonce: ${token.nonce}\n`))
    if (!ownNonce || authRequest.page === undefined)
      throw refusal('nonce', 'The nonce was not issued to this browser or has expired')
    // Spend first, verify second: two requests that race with one nonce must not both pass.
    if (!(await replayStore.markUsed(`nonce ${ownNonce.nonce}`, ownNonce.exp * 1000)))
      throw refusal('nonce', 'The nonce was already used: request a new one')

    const fields = readMessage(message, namespaceOf(message, data?.chainId))
    if (!fields) throw refusal('unreadable')
    const account = accountInMessage(data) ?? accountId(fields.chainId, fields.accountAddress)
    if (chains && !chains.includes(fields.chainId))
      throw refusal('chain', `Signing in on ${fields.chainId} is not supported`)
    const expected = { origin: authRequest.page, nonce: ownNonce.nonce, account, now: clock() }
    const verdict = await verifySignIn({ message, signature, expected, verifiers }).catch(() => {
      tried('unverified')
      throw new HttpError(
        503,
        'signature',
        'The signature could not be checked because no node of its chain is available',
      )
    })
    if (!verdict.ok) throw refusal(verdict.reason)
    const left = reference.filter((token) => token !== ownNonce).map((token) => token.token)
    return { fields: verdict.fields, left }
  }

  async function authenticate(authRequest: AuthRequest): Promise<Response> {
    const read = v.safeParse(signedMessage, await readLimitedJson(authRequest.request, maxBodyBytes))
    if (!read.success) throw new HttpError(400, 'body', 'message and signature are required')
    const { fields, left } = await verify(authRequest, read.output)
    const email = await ports.emailOf?.(authRequest, fields)

    const iat = Math.floor(clock() / 1000)
    const claims: Omit<SessionAccount, 'iss'> = {
      ...claimsOf({ fields, projectId: authRequest.relyingParty.projectId, email }),
      jti: randomBytes(16).toString('hex'),
      iat,
      // The session must not outlive the signed message.
      exp: Math.min(iat + sessionSeconds, ...ends(fields)),
    }
    // A new session of an account ends its previous ones, so that planted or stolen tokens become useless.
    const before = await presentedSessions(authRequest)
    const again = before.filter(({ session: { sub } }) => sub === claims.sub)
    await end(again)
    const token = await tokens.sign('session', { ...claims })
    await ports.onSignedIn?.(claims)
    tried('in')
    const otherNonces = before.filter((one) => !again.includes(one))
    const seconds = Math.max(claims.exp, ...otherNonces.map((one) => one.session.exp)) - iat
    return answer({ token: transport === 'token' ? token : null }, [
      ...tokenTransport.write('session', [token, ...otherNonces.map((one) => one.token)], seconds, authRequest),
      ...tokenTransport.write('nonce', left, nonceLifetimeSeconds, authRequest),
    ])
  }

  async function end(all: readonly { session: SessionAccount }[]): Promise<void> {
    for (const { session } of all) await replayStore.markUsed(sessionKey(session), session.exp * 1000)
  }

  function refusal(reason: string, sentence = `The sign-in is not valid: ${reason}`): HttpError {
    tried(reason)
    return new HttpError(401, reason, sentence)
  }

  async function signOut(authRequest: AuthRequest): Promise<Response> {
    const { searchParams } = new URL(authRequest.request.url)
    const named = (list: string) => searchParams.get(list)?.split(',').map(canonicalAccount)
    // Ends the sessions of `account`, or all if it is absent, except those of `but`.
    const requested = named('account')
    const remaining = named('but')
    const all = await presentedSessions(authRequest)
    const ended = all.filter(({ session: { sub } }) => (requested?.includes(sub) ?? true) && !remaining?.includes(sub))
    await end(ended)
    const left = all.filter((token) => !ended.includes(token))
    const seconds = Math.max(0, ...left.map((token) => token.session.exp)) - Math.floor(clock() / 1000)
    const tokens = left.map((token) => token.token)
    return answer({}, tokenTransport.write('session', tokens, seconds, authRequest))
  }

  return {
    handlers: {
      'GET nonce': nonce,
      'POST authenticate': authenticate,
      'GET me': me,
      'POST sign-out': signOut,
      'GET keys': async () => answer(await tokens.publicKeys()),
    },
    verify,
    session,
    requireSession,
  }
}

/**
 * Handles a request for `relyingParty`: finds the handler by the end of the path, converts errors into responses, and adds the CORS
 * headers.
 */
export async function serve(
  request: Request,
  relyingParty: RelyingParty,
  calls: Readonly<Record<string, Handler>>,
  address?: string,
): Promise<Response> {
  const readable = readableBy(request, relyingParty)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...readable, ...preflight } })
  const last = new URL(request.url).pathname.split('/').at(-1)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  try {
    const call = calls[`${method} ${last}`]
    if (!call) throw new HttpError(404, 'path', 'Not found')
    // Public keys are readable by everyone.
    const page = method === 'GET' && last === 'keys' ? undefined : requestOrigin(request, relyingParty)
    const response = await call({ request, relyingParty, page, address })
    for (const [name, value] of Object.entries(readable)) response.headers.set(name, value)
    return response
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const retry: Record<string, string> = error.seconds === undefined ? {} : { 'retry-after': String(error.seconds) }
    return Response.json(httpErrorBody(error), {
      status: error.status,
      headers: { ...readable, ...retry, 'cache-control': 'no-store' },
    })
  }
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': 'authorization, x-nonce-jwt, x-otp, content-type',
  'access-control-max-age': '600',
} as const

/** The CORS headers that allow only pages of this project to read a response. */
export function readableBy(request: Request, relyingParty: RelyingParty): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || !isSafeOrigin(origin) || !relyingParty.allowsOrigin(origin)) return { vary: 'origin' }
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  }
}

/** A JSON response with cookies that must not be cached. */
export function answer(json: unknown, cookies: readonly string[] = []): Response {
  const response = Response.json(json, { headers: { 'cache-control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function noSession(): HttpError {
  return new HttpError(401, 'authorization', 'Not signed in')
}

/** The `account` query parameter of a call. */
export function accountParamOf({ request }: Pick<AuthRequest, 'request'>): string | null {
  return new URL(request.url).searchParams.get('account')
}

function sessionKey({ jti }: Pick<SessionAccount, 'jti'>): string {
  return `session ${jti}`
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : ''
}

/** The namespace of a message. EIP-4361 writes the chain as a number, CAIP-122 as a full ID. */
function namespaceOf(message: string, chainId: unknown): Namespace {
  const [, said = ''] = /\nChain ID: ([^\n]*)/.exec(message) ?? []
  const [written = ''] = said.includes(':') ? said.split(':') : String(chainId ?? '').split(':')
  return isNamespace(written) ? written : 'eip155'
}

function accountInMessage(
  data: { chainId?: unknown; accountAddress?: unknown } | null | undefined,
): AccountId | undefined {
  const { chainId, accountAddress } = data ?? {}
  if (typeof accountAddress !== 'string') return undefined
  const said = `${String(chainId)}:${String(accountAddress)}`
  return parseAccountId(said) ? (said as AccountId) : undefined
}

function ends({ expirationTime }: SignInFields): readonly number[] {
  return expirationTime === undefined ? [] : [Math.floor(Date.parse(expirationTime) / 1000)]
}
