import type { AuthenticationAdapter } from '../signInTypes.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'
import type { SiweOptions } from './siweOptions.ts'

/**
 * Creates an authentication adapter from classic SIWE callbacks. The callbacks only support Ethereum, so accounts in other chain
 * families are treated as signed in and are never verified. The back end stores a single session, for the most recent sign-in.
 *
 * @example
 * createLatchkey({ signIn: 'required', authentication: siwe({ getNonce, verifyMessage, getSession, signOut }) })
 */
export function siwe(options: SiweOptions): AuthenticationAdapter {
  const { required = true, enabled = true, signOutOnDisconnect = true, createMessage } = options
  return {
    ...lazyAuthentication(async () => (await import('./siweAuthentication.ts')).createSiweAuthentication(options)),
    view: 'ConnectingSiwe',
    signOutOnDisconnect,
    getRequired: () => required && enabled,
    ...(createMessage && {
      writeMessage: async (fields) => createMessage((await import('./siweAuthentication.ts')).siweArgs(fields)),
    }),
  }
}
