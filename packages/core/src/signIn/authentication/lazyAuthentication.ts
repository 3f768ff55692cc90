import { once } from '../../lib/once.ts'
import type { AuthenticationAdapter } from '../signIn.ts'

/** Returns the methods of an authentication adapter that is loaded on first use, to keep it out of the initial bundle. */
export function lazyAuthentication(
  load: () => Promise<AuthenticationAdapter>,
): Pick<AuthenticationAdapter, 'createMessage' | 'addSession' | 'setSessions' | 'getSessions' | 'revokeSession'> {
  const keeper = once(load)
  return {
    createMessage: async (params) => (await keeper.get()).createMessage(params),
    addSession: async (session) => (await keeper.get()).addSession(session),
    setSessions: async (sessions) => (await keeper.get()).setSessions(sessions),
    getSessions: async (account) => (await keeper.get()).getSessions(account),
    revokeSession: async (account) => (await keeper.get()).revokeSession(account),
  }
}
