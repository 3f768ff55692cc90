import { type AccountId, accountId, type ChainId, parseChainId } from '@latchkey/protocol/caip'
import { systemClock } from '@latchkey/protocol/clock'
import { signInLifeMs } from '@latchkey/protocol/constants'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { AuthenticationAdapter, SignInSession } from '../signIn.ts'
import { comparable } from './accountEquality.ts'
import { createAuthApi } from './authApi.ts'
import { messageParamsFor, pageOrigin } from './messageParams.ts'
import { pageStorage } from './pageStorage.ts'
import type { ServerSignIn, ServerSignInOptions, SignInAccount } from './serverSignIn.ts'
import { createTokens, readToken } from './sessionTokens.ts'

/** The options and the session listeners. */
export interface ServerAuthenticationDependencies extends ServerSignInOptions {
  /** Whether there are listeners. In cookie mode, identifying the account takes an extra request. */
  heard(): boolean
  changed(account: SignInAccount | undefined): void
}

/** Maximum number of messages waiting to be signed. */
const proposedMost = 16

/** Creates an authentication adapter that uses the server's endpoints. */
export function createServerAuthentication(
  deps: ServerAuthenticationDependencies,
): AuthenticationAdapter & Pick<ServerSignIn, 'account' | 'requestCode' | 'confirmCode' | 'setMetadata'> {
  const { url, projectId, mode = 'cookie', expiresInMs = signInLifeMs, clock = systemClock } = deps
  const origin = () => deps.origin ?? pageOrigin()
  const ask = createAuthApi({
    url,
    projectId,
    withCookies: mode === 'cookie',
    origin,
    fetch: deps.fetch ?? ((...params) => fetch(...params)),
    clock,
  })
  const tokens = mode === 'token' ? createTokens({ storage: pageStorage(deps.storage), id: deps.id }) : undefined
  /** The data of each pending nonce, oldest first: the token to send back with it, and the network it was requested for. */
  const proposed = new Map<string, { readonly token: string | undefined; readonly chain: ChainId }>()
  let lastTurn: Promise<unknown> = Promise.resolve()
  let mailed: { readonly email: string; readonly id: string } | undefined

  /** Runs requests one at a time, because each response sets a cookie based on the previous cookie. */
  const inTurn = <Answer>(task: () => Promise<Answer>): Promise<Answer> => {
    const turn = lastTurn.then(task)
    lastTurn = turn.catch(() => {})
    return turn
  }

  const nonceFor = async (chain: ChainId): Promise<NonceAnswer> => {
    const answer = agreed(nonceAnswer, await inTurn(() => ask({ method: 'GET', path: 'nonce' })), url)
    if (!answer.token === (mode === 'token')) {
      const other = mode === 'token' ? 'cookie' : 'token'
      const message = `the server uses ${other}. Set { mode: '${other}' }, or set the server to ${mode}`
      throw new LatchkeyError('input/invalid', { path: 'mode', message })
    }
    if (answer.token) tokens?.nonce.set(answer.token)
    proposed.set(answer.nonce, { token: answer.token ?? undefined, chain })
    const [oldest] = proposed.keys()
    if (proposed.size > proposedMost && oldest) proposed.delete(oldest)
    return answer
  }

  const bearer = (token: string | undefined): { readonly authorization: string } | undefined =>
    token ? { authorization: `Bearer ${token}` } : undefined

  /** Returns the page's token. An unreadable token is removed. */
  const held = (): { readonly token: string; readonly account: SignInAccount | undefined } | undefined => {
    const token = tokens?.session.get()
    if (!token) return undefined
    try {
      return { token, account: accountIn(readToken(token)) }
    } catch {
      tokens?.session.clear()
      return undefined
    }
  }

  /** Returns the session that the server reports, restricted to `account` if given. */
  const whoIs = async (account?: AccountId): Promise<SessionAnswer | undefined> => {
    const mine = held()
    if (tokens && !mine) return undefined
    // The token contains the account, so there is no need to ask the server about others.
    if (account && mine?.account && !isSame(mine.account.account, account)) return undefined
    try {
      const headers = bearer(mine?.token)
      const answer = await ask({
        method: 'GET',
        path: 'me',
        query: account ? { account } : { includeAppKitAccount: 'true' },
        ...(headers && { headers }),
      })
      // A page cannot know whether it has a cookie. Without a cookie the response is empty, which is not an error.
      if (answer === null) throw failure('sign-in/not-authenticated')
      const session = agreed(sessionAnswer, answer, url)
      return account && !isSame(accountId(session.caip2Network, session.address), account) ? undefined : session
    } catch (error) {
      if (!saysNobody(error)) throw error
      if (mine && tokens?.session.get() === mine.token) tokens.session.clear()
      return undefined
    }
  }

  const endAt = async (query: Readonly<Record<string, string>>, token = tokens?.session.get()): Promise<void> => {
    if (tokens && !token) return
    const headers = bearer(token)
    await inTurn(() => ask({ method: 'POST', path: 'sign-out', query, ...(headers && { headers }) })).catch(
      (error: unknown) => {
        if (!saysNobody(error)) throw error
      },
    )
  }

  const addSession = async ({ data, message, signature }: SignInSession): Promise<void> => {
    const request = proposed.get(data.nonce)
    proposed.delete(data.nonce)
    const nonceToken = request?.token ?? tokens?.nonce.get()
    const before = tokens?.session.get()
    const headers = {
      ...(nonceToken && { 'x-nonce-jwt': `Bearer ${nonceToken}` }),
      ...(mailed && { 'x-otp': mailed.id }),
    }
    const body = { data, message, signature, clientId: null }
    const answer = await inTurn(() => ask({ method: 'POST', path: 'authenticate', headers, body })).catch((error) => {
      // If the address was not confirmed, the next sign-in does not include it.
      if (isLatchkeyError(error, 'sign-in/code-needed')) mailed = undefined
      throw error
    })
    const { token } = agreed(authenticateAnswer, answer, url)
    mailed = undefined
    if (tokens) {
      if (!token) throw failure('sign-in/not-authenticated')
      readToken(token)
      tokens.session.set(token)
      tokens.nonce.clear()
      // The page holds a single token. Revoke the previous token, which would only be of use to an attacker.
      if (before && before !== token) await endAt({}, before).catch(() => {})
    }
    if (!deps.heard()) return
    deps.changed(token ? accountIn(readToken(token)) : await account().catch(() => undefined))
  }

  const account = async (): Promise<SignInAccount | undefined> => {
    const session = await whoIs()
    return session && toAccount(session)
  }

  const end = async (query: Readonly<Record<string, string>>): Promise<void> => {
    if (!tokens) {
      await endAt(query)
      if (deps.heard()) deps.changed(await account().catch(() => undefined))
      return
    }
    const token = tokens.session.get()
    tokens.session.clear()
    tokens.nonce.clear()
    // Without its token the page is signed out, whatever the server responds. The lost token expires.
    await endAt(query, token).catch(() => {})
    deps.changed(undefined)
  }

  // Disconnecting revokes each of the account's networks at the same time. Send a single request to the server.
  let ending: { readonly accounts: AccountId[]; readonly done: Promise<void> } | undefined
  const endOf = (account: AccountId): Promise<void> => {
    if (!ending) {
      const accounts: AccountId[] = []
      const done = Promise.resolve().then(() => {
        ending = undefined
        return end({ account: accounts.join(',') })
      })
      ending = { accounts, done }
    }
    ending.accounts.push(account)
    return ending.done
  }

  return {
    account,
    addSession,

    async createMessage({ chain }) {
      const { nonce, issuedAt } = await nonceFor(chain)
      return messageParamsFor({
        origin: origin(),
        nonce,
        // Uses the server's time if it is provided, so that a wrong system clock does not matter.
        now: issuedAt === undefined ? clock.now() : Date.parse(issuedAt),
        expiresInMs,
        statement: deps.statement,
        resources: [...(deps.resources ?? []), ...(mailed ? [`email:${mailed.email}`] : [])],
      })
    },

    async setSessions(sessions) {
      if (sessions.length === 0) return end({})
      // A nonce is valid for one session only: that of the network it was requested for.
      const one = sessions.find(({ data }) => data.chainId === proposed.get(data.nonce)?.chain) ?? sessions[0]
      if (!one) return
      await addSession(one)
      if (!tokens) await endAt({ but: accountId(one.data.chainId, one.data.accountAddress) })
    },

    async getSessions(account) {
      const session = await whoIs(account)
      return session ? [proofOf(session)] : []
    },

    async revokeSession(account) {
      const mine = held()
      if (tokens && (!mine || (mine.account && !isSame(mine.account.account, account)))) return
      await endOf(account)
    },

    async requestCode({ email, account }) {
      const answer = await ask({ method: 'POST', path: 'otp', body: { email, account } })
      const { uuid } = agreed(otpAnswer, answer, url)
      mailed = uuid ? { email, id: uuid } : undefined
      return mailed !== undefined
    },

    async confirmCode(code) {
      const headers = mailed && { 'x-otp': mailed.id }
      await ask({ method: 'PUT', path: 'otp', body: { code }, ...(headers && { headers }) })
    },

    async setMetadata(metadata) {
      const token = tokens?.session.get()
      if (tokens && !token) throw failure('sign-in/not-authenticated')
      const headers = bearer(token)
      await ask({ method: 'PUT', path: 'account-metadata', body: { metadata }, ...(headers && { headers }) })
    },
  }
}

// --- Server responses ------------------------------------------------------------------------------------------------

interface NonceAnswer {
  readonly nonce: string
  readonly token?: string | null | undefined
  readonly issuedAt?: string | undefined
}

interface SessionAnswer {
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
const nonceAnswer: v.GenericSchema<unknown, NonceAnswer> = v.object({
  nonce: v.pipe(text, v.regex(/^[a-zA-Z0-9]{8,128}$/)),
  token: v.nullish(text),
  issuedAt: v.optional(v.pipe(text, v.isoTimestamp())),
})
const authenticateAnswer = v.object({ token: v.nullish(text) })
const otpAnswer = v.object({ uuid: v.nullish(text) })
const sessionAnswer: v.GenericSchema<unknown, SessionAnswer> = v.object({
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

function agreed<Output>(schema: v.GenericSchema<unknown, Output>, answer: unknown, url: string): Output {
  const understood = read(schema, answer)
  if (understood === undefined) throw new LatchkeyError('http/malformed', { url })
  return understood
}

function accountIn(claims: unknown): SignInAccount | undefined {
  const session = read(sessionAnswer, claims)
  return session && toAccount(session)
}

function toAccount(session: SessionAnswer): SignInAccount {
  const { address, caip2Network, email, exp, profileUuid, appKitAccount } = session
  return {
    account: accountId(caip2Network, address),
    email: email ?? undefined,
    profileId: profileUuid,
    expiresAt: exp === undefined ? undefined : exp * 1000,
    ...(appKitAccount && { metadata: appKitAccount.metadata }),
  }
}

/** Returns the parts of a server-side session that the page can know. */
function proofOf({ address, caip2Network, domain = '', uri = '', nonce = '', exp }: SessionAnswer): SignInSession {
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

function isSame(one: AccountId, other: AccountId): boolean {
  return comparable(one) === comparable(other)
}

/** Whether the server itself reported that there is no session. Responses of proxies or captive portals do not count. */
function saysNobody(error: unknown): boolean {
  return isLatchkeyError(error, 'sign-in/not-authenticated')
}
