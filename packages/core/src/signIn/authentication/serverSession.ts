import { type AccountId, accountId } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type SessionResponse, sessionResponse } from '@latchkey/protocol/http/signInResponses'
import { isSameAccount } from './accountEquality.ts'
import { accountIn, isSignedOut, parseResponse } from './serverResponses.ts'
import type { SignInAccount } from './serverSignInTypes.ts'
import { readToken, type SessionTokens } from './sessionTokens.ts'
import type { SignInApiClient } from './signInApiClient.ts'

/** The page's session with the server. */
export interface ServerSession {
  /** Resolves to the session on the server for `account`, or for any account if `account` is omitted. */
  get(account?: AccountId): Promise<SessionResponse | undefined>
  /** Whether `account` might be signed in. Always `true` in cookie mode, because the page cannot read the cookie. */
  canBe(account: AccountId): boolean
  /** Ends the sessions that match `query` on the server. In token mode, nothing is sent without a `token`. */
  end(query: Readonly<Record<string, string>>, token?: string | undefined): Promise<void>
  /** Returns the header that authenticates requests in token mode. */
  headers(token: string | undefined): Readonly<Record<string, string>>
}

/**
 * Creates the server session. Without `tokens`, the server stores the session in a cookie. Requests that change the cookie use
 * `serialApi`.
 */
export function createServerSession({
  api,
  serialApi,
  url,
  tokens,
}: {
  readonly api: SignInApiClient
  readonly serialApi: SignInApiClient
  readonly url: string
  readonly tokens: Pick<SessionTokens, 'session'> | undefined
}): ServerSession {
  /** Returns the page's token. An unreadable token is removed. */
  const heldToken = (): { readonly token: string; readonly account: SignInAccount | undefined } | undefined => {
    const token = tokens?.session.get()
    if (!token) return undefined
    try {
      return { token, account: accountIn(readToken(token)) }
    } catch {
      tokens?.session.clear()
      return undefined
    }
  }

  const headers: ServerSession['headers'] = (token) => (token ? { authorization: `Bearer ${token}` } : {})
  const isOf = (held: ReturnType<typeof heldToken>, account: AccountId): boolean =>
    !held?.account || isSameAccount(held.account.account, account)

  return {
    headers,
    canBe(account) {
      const held = heldToken()
      return !tokens || (held !== undefined && isOf(held, account))
    },

    async get(account) {
      const held = heldToken()
      if (tokens && !held) return undefined
      // The token contains the account, so there is no need to ask the server about other accounts.
      if (account && !isOf(held, account)) return undefined
      try {
        const query: Record<string, string> = account ? { account } : { includeAppKitAccount: 'true' }
        const response = await api({ method: 'GET', path: 'me', query, headers: headers(held?.token) })
        // A page cannot tell whether it has the cookie. Without the cookie, the response is empty, which means that no account
        // is signed in.
        if (response === null) throw failure('sign-in/not-authenticated')
        const session = parseResponse(sessionResponse, response, url)
        const { caip2Network, address } = session
        return account && !isSameAccount(accountId(caip2Network, address), account) ? undefined : session
      } catch (error) {
        if (!isSignedOut(error)) throw error
        if (held && tokens?.session.get() === held.token) tokens.session.clear()
        return undefined
      }
    },

    async end(query, token) {
      if (tokens && !token) return
      await serialApi({ method: 'POST', path: 'sign-out', query, headers: headers(token) }).catch((error: unknown) => {
        if (!isSignedOut(error)) throw error
      })
    },
  }
}
