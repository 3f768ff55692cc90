import type { Clock } from '@latchkey/protocol/clock'
import type { SignatureVerifiers } from '@latchkey/siwx/signIn'
import type { KeyValueStorage } from '../../options.ts'
import type { AuthenticationAdapter } from '../signInTypes.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** Options for sign-in without a server. */
export interface LocalSignInOptions {
  /** Signature verifiers for each chain family that can sign in, from `@latchkey/siwx/verify`. */
  readonly verifiers: SignatureVerifiers
  /** The statement that the wallet displays. [none] */
  readonly statement?: string
  /** The `resources` of the message, as defined by EIP-4361. [none] */
  readonly resources?: readonly string[]
  /** Lifetime of a session, at most 30 days. [one day] */
  readonly expiresInMs?: number
  /** The `id` of the Latchkey options, if the page has a second instance. [none] */
  readonly id?: string
  /** The page's origin. [`location.origin`] */
  readonly origin?: string
  /** Stores the sessions. [localStorage] */
  readonly storage?: KeyValueStorage
  /** [the system clock] */
  readonly clock?: Clock
}

/**
 * Creates an authentication adapter for pages without a server: the page creates the nonce, verifies the signature and stores the session.
 * It identifies the user to the page, but proves nothing to a server, because the page verifies itself.
 *
 * @example
 * createLatchkey({ signIn: 'optional', authentication: localSignIn({ verifiers: { eip155: eip155Verifier({ call }) } }) })
 */
export function localSignIn(options: LocalSignInOptions): AuthenticationAdapter {
  return lazyAuthentication(async () => (await import('./localAuthentication.ts')).createLocalAuthentication(options))
}
