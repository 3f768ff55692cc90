import { lazyValue } from '../../lib/lazyValue.ts'
import type { AuthenticationAdapter } from '../signInTypes.ts'

/** Returns the methods of an authentication adapter that is loaded on first use, to keep it out of the initial bundle. */
export function lazyAuthentication(
  load: () => Promise<AuthenticationAdapter>,
): Pick<AuthenticationAdapter, 'createMessage' | 'addSession' | 'setSessions' | 'getSessions' | 'revokeSession'> {
  const authentication = lazyValue(load)
  return {
    createMessage: async (params) => (await authentication.get()).createMessage(params),
    addSession: async (session) => (await authentication.get()).addSession(session),
    setSessions: async (sessions) => (await authentication.get()).setSessions(sessions),
    getSessions: async (account) => (await authentication.get()).getSessions(account),
    revokeSession: async (account) => (await authentication.get()).revokeSession(account),
  }
}
