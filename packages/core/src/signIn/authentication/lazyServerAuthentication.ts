import { lazyValue } from '../../lib/lazyValue.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'
import type { ServerSignIn, ServerSignInOptions, SignInAccount } from './serverSignInTypes.ts'

/**
 * Creates an authentication adapter for a Latchkey server, which issues nonces, verifies signatures and stores the sessions.
 *
 * Looking up a session fails if the server cannot be reached, refuses the page or has an internal error, so that the user is not
 * prompted to sign a message that cannot be verified. If the server reports that there is no session, the user is signed out.
 *
 * @example
 * createLatchkey({ signIn: 'required', authentication: serverSignIn({ url: 'https://connect.shop.example', projectId: 'shop' }) })
 */
export function serverSignIn(options: ServerSignInOptions): ServerSignIn {
  const listeners = new Set<{ readonly notify: (account: SignInAccount | undefined) => void }>()
  const server = lazyValue(async () =>
    (await import('./serverAuthentication.ts')).createServerAuthentication({
      ...options,
      observed: () => listeners.size > 0,
      changed: (account) => {
        for (const { notify } of [...listeners]) notify(account)
      },
    }),
  )
  return {
    ...lazyAuthentication(server.get),
    onSession(notify) {
      const listener = { notify }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    account: async () => (await server.get()).account(),
    signOut: async () => (await server.get()).setSessions([]),
    requestCode: async (params) => (await server.get()).requestCode(params),
    confirmCode: async (code) => (await server.get()).confirmCode(code),
    setMetadata: async (metadata) => (await server.get()).setMetadata(metadata),
  }
}
