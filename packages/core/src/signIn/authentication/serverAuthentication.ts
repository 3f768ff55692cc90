import { type AccountId, accountId } from '@latchkey/protocol/caip'
import { systemClock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { authenticateResponse } from '@latchkey/protocol/http/signInResponses'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { signInLifeMs } from '@latchkey/protocol/specificationConstants'
import type { AuthenticationAdapter, SignInSession } from '../signInTypes.ts'
import { messageParamsFor, pageOrigin } from './messageParams.ts'
import { pageStorage } from './pageStorage.ts'
import { createSerialTasks } from './serialTasks.ts'
import { createServerNonces } from './serverNonces.ts'
import { accountIn, parseResponse, toAccount, toSession } from './serverResponses.ts'
import { createServerSession } from './serverSession.ts'
import type { ServerSignIn, ServerSignInOptions, SignInAccount } from './serverSignInTypes.ts'
import { createTokens, readToken } from './sessionTokens.ts'
import { createSignInApiClient, type SignInApiClient } from './signInApiClient.ts'
import { createSignInEmail } from './signInEmail.ts'

/** The sign-in options and the listener for account changes. */
export interface ServerAuthenticationDependencies extends ServerSignInOptions {
  /** Whether `changed` has listeners. Without listeners, cookie mode skips the extra request that identifies the account. */
  observed(): boolean
  changed(account: SignInAccount | undefined): void
}

/** Creates an authentication adapter that uses the server's endpoints. */
export function createServerAuthentication(
  options: ServerAuthenticationDependencies,
): AuthenticationAdapter & Pick<ServerSignIn, 'account' | 'requestCode' | 'confirmCode' | 'setMetadata'> {
  const { url, projectId, mode = 'cookie', expiresInMs = signInLifeMs, clock = systemClock } = options
  const origin = () => options.origin ?? pageOrigin()
  const api = createSignInApiClient({
    url,
    projectId,
    withCookies: mode === 'cookie',
    origin,
    fetch: options.fetch ?? ((...params) => fetch(...params)),
    clock,
  })
  const serial = createSerialTasks()
  /** Sends one request at a time, because each response sets a cookie that is based on the previous cookie. */
  const serialApi: SignInApiClient = (params) => serial(() => api(params))
  const tokens = mode === 'token' ? createTokens({ storage: pageStorage(options.storage), id: options.id }) : undefined
  const nonces = createServerNonces({ api: serialApi, url, tokens })
  const server = createServerSession({ api, serialApi, url, tokens })
  const emailCode = createSignInEmail({ api, url })

  const account = async (): Promise<SignInAccount | undefined> => {
    const session = await server.get()
    return session && toAccount(session)
  }

  const addSession = async ({ data, message, signature }: SignInSession): Promise<void> => {
    const nonceToken = nonces.take(data.nonce)
    const before = tokens?.session.get()
    const headers = { ...(nonceToken && { 'x-nonce-jwt': `Bearer ${nonceToken}` }), ...emailCode.headers() }
    const body = { data, message, signature, clientId: null }
    const request = { method: 'POST', path: 'authenticate', headers, body, chain: data.chainId } as const
    const response = await serialApi(request).catch((error) => {
      // The address was not confirmed, so the next sign-in must not include it.
      if (isLatchkeyError(error, 'sign-in/code-needed')) emailCode.clear()
      throw error
    })
    const { token } = parseResponse(authenticateResponse, response, url)
    emailCode.clear()
    if (tokens) {
      if (!token) throw failure('sign-in/not-authenticated')
      readToken(token)
      tokens.session.set(token)
      tokens.nonce.clear()
      // The page keeps only one token. Revoke the previous token, so that an attacker cannot use it.
      if (before && before !== token) await server.end({}, before).catch(() => {})
    }
    if (!options.observed()) return
    options.changed(token ? accountIn(readToken(token)) : await account().catch(() => undefined))
  }

  const end = async (query: Readonly<Record<string, string>>): Promise<void> => {
    if (!tokens) {
      await server.end(query)
      if (options.observed()) options.changed(await account().catch(() => undefined))
      return
    }
    const token = tokens.session.get()
    tokens.session.clear()
    tokens.nonce.clear()
    // The page has deleted its token, so it is signed out even if the request fails. The token is then valid until it expires.
    await server.end(query, token).catch(() => {})
    options.changed(undefined)
  }
  const endTogether = batched((accounts: readonly AccountId[]) => end({ account: accounts.join(',') }))

  return {
    account,
    addSession,

    async createMessage({ chain }) {
      const { nonce, issuedAt } = await nonces.request(chain)
      return messageParamsFor({
        origin: origin(),
        nonce,
        // Uses the server's time if the response includes it, so that an inaccurate system clock does not matter.
        now: issuedAt === undefined ? clock.now() : Date.parse(issuedAt),
        expiresInMs,
        statement: options.statement,
        resources: [...(options.resources ?? []), ...emailCode.resources()],
      })
    },

    async setSessions(sessions) {
      if (sessions.length === 0) return end({})
      // A nonce is valid for a single session, on the network for which the nonce was requested.
      const session = sessions.find(({ data }) => data.chainId === nonces.chainOf(data.nonce)) ?? sessions[0]
      if (!session) return
      await addSession(session)
      const { chainId, accountAddress } = session.data
      if (!tokens) await server.end({ but: accountId(chainId, accountAddress) })
    },

    async getSessions(account) {
      const session = await server.get(account)
      return session ? [toSession(session)] : []
    },

    async revokeSession(account) {
      if (server.canBe(account)) await endTogether(account)
    },

    requestCode: emailCode.request,
    confirmCode: emailCode.confirm,

    async setMetadata(metadata) {
      const token = tokens?.session.get()
      if (tokens && !token) throw failure('sign-in/not-authenticated')
      await api({ method: 'PUT', path: 'account-metadata', body: { metadata }, headers: server.headers(token) })
    },
  }
}

/**
 * Returns a function that collects the items from consecutive synchronous calls, and passes them to `run` together in a
 * microtask. Disconnecting revokes the sessions on all of the account's networks at the same time.
 */
function batched<T>(run: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let next: { readonly items: T[]; readonly done: Promise<void> } | undefined
  return (item) => {
    if (!next) {
      const items: T[] = []
      const done = Promise.resolve().then(() => {
        next = undefined
        return run(items)
      })
      next = { items, done }
    }
    next.items.push(item)
    return next.done
  }
}
