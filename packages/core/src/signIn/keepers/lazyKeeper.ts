import { lazily } from '../../lib/lazily.ts'
import type { SignInKeeper } from '../signIn.ts'

/** What every keeper can do, loaded when somebody first connects: a page that only names its keeper pays for the name. */
export function lazyKeeper(
  load: () => Promise<SignInKeeper>,
): Pick<SignInKeeper, 'createMessage' | 'addSession' | 'setSessions' | 'getSessions' | 'revokeSession'> {
  const keeper = lazily(load)
  return {
    createMessage: async (asked) => (await keeper.get()).createMessage(asked),
    addSession: async (session) => (await keeper.get()).addSession(session),
    setSessions: async (sessions) => (await keeper.get()).setSessions(sessions),
    getSessions: async (account) => (await keeper.get()).getSessions(account),
    revokeSession: async (account) => (await keeper.get()).revokeSession(account),
  }
}
