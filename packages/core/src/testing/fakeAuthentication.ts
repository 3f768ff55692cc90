import { accountId } from '@latchkey/protocol/caip'
import type { AuthenticationAdapter, SignInSession } from '../signIn/signIn.ts'

/** A keeper that believes everybody, and that tests can look into. */
export interface FakeAuthentication extends AuthenticationAdapter {
  /** What it keeps, by CAIP-10 account. */
  readonly kept: ReadonlyMap<string, SignInSession>
  /** In order: `['getSessions', 'eip155:1:0x…']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
  /** Rejects by `error` what is asked of it under that name; `undefined` ends that. */
  fail(name: keyof AuthenticationAdapter, error: Error | undefined): void
}

/** Keeps sign-in sessions in memory; `more` replaces what it does. */
export function fakeAuthentication(more: Partial<AuthenticationAdapter> = {}): FakeAuthentication {
  const kept = new Map<string, SignInSession>()
  const calls: (readonly [string, ...unknown[]])[] = []
  const failures = new Map<keyof AuthenticationAdapter, Error>()
  const asked = (name: keyof AuthenticationAdapter, ...args: readonly unknown[]): void => {
    calls.push([name, ...args])
    const error = failures.get(name)
    if (error) throw error
  }
  let nonces = 0
  const keep = (session: SignInSession): void => {
    kept.set(accountId(session.data.chainId, session.data.accountAddress), session)
  }
  return {
    kept,
    calls,
    fail(name, error) {
      if (error) failures.set(name, error)
      else failures.delete(name)
    },
    async createMessage(words) {
      asked('createMessage', words)
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
      asked('addSession', session)
      keep(session)
    },
    async setSessions(sessions) {
      asked('setSessions', sessions)
      kept.clear()
      for (const session of sessions) keep(session)
    },
    async getSessions(account) {
      asked('getSessions', account)
      const session = kept.get(account)
      return session ? [session] : []
    },
    async revokeSession(account) {
      asked('revokeSession', account)
      kept.delete(account)
    },
    ...more,
  }
}
