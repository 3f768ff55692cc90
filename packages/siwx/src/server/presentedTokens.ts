import type { ReplayStore } from './replayStore.ts'
import { readSessionClaims, type SessionAccount } from './sessionClaims.ts'
import type { Tokens } from './tokens.ts'
import type { AuthRequest, TokenTransport } from './tokenTransport.ts'

/** A valid nonce that a request presents. */
export interface PresentedNonce {
  readonly token: string
  readonly nonce: string
  /** Unix seconds. */
  readonly exp: number
}

/** An active session that a request presents. */
export interface PresentedSession {
  readonly token: string
  readonly session: SessionAccount
}

/** Reads the tokens that a request presents, and ends sessions. */
export interface PresentedTokens {
  /** Resolves to the valid nonces, newest first. */
  nonces(authRequest: AuthRequest): Promise<readonly PresentedNonce[]>
  /** Resolves to the active sessions, newest first. */
  sessions(authRequest: AuthRequest): Promise<readonly PresentedSession[]>
  /** Ends sessions, including copies of their tokens. */
  end(sessions: readonly PresentedSession[]): Promise<void>
}

/** Creates a reader for the tokens that this server has issued. */
export function createPresentedTokens({
  tokens,
  tokenTransport,
  replayStore,
  clock,
}: {
  tokens: Tokens
  tokenTransport: TokenTransport
  /** Stores ended sessions. */
  replayStore: ReplayStore
  /** Epoch milliseconds. */
  clock: () => number
}): PresentedTokens {
  const expectedOf = ({ relyingParty }: AuthRequest) => ({ audience: relyingParty.projectId, now: clock() })
  return {
    nonces: async (authRequest) => {
      const expected = expectedOf(authRequest)
      const read = await Promise.all(
        tokenTransport.read('nonce', authRequest).map(async (token) => {
          const claims = await tokens.read('nonce', token, expected)
          const { nonce, origin, exp = 0 } = claims ?? {}
          // A nonce issued to one page is not valid on a different page.
          const isTheirs = origin === undefined || origin === authRequest.page
          return typeof nonce === 'string' && isTheirs ? [{ token, nonce, exp }] : []
        }),
      )
      return read.flat()
    },
    sessions: async (authRequest) => {
      const expected = expectedOf(authRequest)
      const read = await Promise.all(
        tokenTransport.read('session', authRequest).map(async (token) => {
          const session = readSessionClaims(await tokens.read('session', token, expected))
          if (!session) return []
          const { page, relyingParty } = authRequest
          const origin = originOf(session.uri)
          const isTheirs = page === undefined ? relyingParty.allowsOrigin(origin) : page === origin
          if (!isTheirs || (await replayStore.isUsed(sessionKey(session)))) return []
          return [{ token, session }]
        }),
      )
      return read.flat()
    },
    end: async (sessions) => {
      for (const { session } of sessions) await replayStore.markUsed(sessionKey(session), session.exp * 1000)
    },
  }
}

function sessionKey({ jti }: Pick<SessionAccount, 'jti'>): string {
  return `session ${jti}`
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : ''
}
