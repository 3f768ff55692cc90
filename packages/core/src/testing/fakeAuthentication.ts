import { accountId } from '@latchkey/protocol/caip'
import type { AuthenticationAdapter, SignInSession } from '../signIn/signInTypes.ts'

/** An authentication adapter that accepts every session and that tests can inspect. */
export interface FakeAuthentication extends AuthenticationAdapter {
  /** The stored sessions, keyed by account (CAIP-10). */
  readonly stored: ReadonlyMap<string, SignInSession>
  /** The calls in order, such as `['getSessions', 'eip155:1:0x…']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
  /** Makes calls to `name` reject with `error`, or succeed again if `error` is `undefined`. */
  fail(name: keyof AuthenticationAdapter, error: Error | undefined): void
}

/**
 * Creates an authentication adapter that stores sessions in memory. `more` overrides its methods.
 *
 * @example
 * const authentication = fakeAuthentication()
 * authentication.fail('getSessions', new Error('offline'))
 */
export function fakeAuthentication(more: Partial<AuthenticationAdapter> = {}): FakeAuthentication {
  const stored = new Map<string, SignInSession>()
  const calls: (readonly [string, ...unknown[]])[] = []
  const failures = new Map<keyof AuthenticationAdapter, Error>()
  const requests = (name: keyof AuthenticationAdapter, ...args: readonly unknown[]): void => {
    calls.push([name, ...args])
    const error = failures.get(name)
    if (error) throw error
  }
  let nonces = 0
  const keep = (session: SignInSession): void => {
    stored.set(accountId(session.data.chainId, session.data.accountAddress), session)
  }
  return {
    stored,
    calls,
    fail(name, error) {
      if (error) failures.set(name, error)
      else failures.delete(name)
    },
    async createMessage(words) {
      requests('createMessage', words)
      nonces += 1
      return {
        domain: 'shop.example',
        uri: 'https://shop.example/',
        version: '1',
        nonce: `nonce${String(nonces).padStart(8, '0')}`,
        issuedAt: '2026-01-01T00:00:00.000Z',
      }
    },
    async addSession(session) {
      requests('addSession', session)
      keep(session)
    },
    async setSessions(sessions) {
      requests('setSessions', sessions)
      stored.clear()
      for (const session of sessions) keep(session)
    },
    async getSessions(account) {
      requests('getSessions', account)
      const session = stored.get(account)
      return session ? [session] : []
    },
    async revokeSession(account) {
      requests('revokeSession', account)
      stored.delete(account)
    },
    ...more,
  }
}
