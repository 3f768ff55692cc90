import type { AuthenticationAdapter } from '../signInTypes.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'
import type { LocalSignInOptions } from './localSignInOptions.ts'

/**
 * Creates an authentication adapter for pages without a server. The page creates the nonce, verifies the signature and stores
 * the session. This identifies the user to the page but proves nothing to a server, because the verification runs in the page.
 *
 * @example
 * createLatchkey({ signIn: 'optional', authentication: localSignIn({ verifiers: { eip155: eip155Verifier({ call }) } }) })
 */
export function localSignIn(options: LocalSignInOptions): AuthenticationAdapter {
  return lazyAuthentication(async () => (await import('./localAuthentication.ts')).createLocalAuthentication(options))
}
