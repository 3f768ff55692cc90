import type { Clock } from '@latchkey/protocol/clock'
import type { SignatureVerifiers } from '@latchkey/protocol/signIn'
import type { KeyValueStorage } from '../../options.ts'
import type { AuthenticationAdapter } from '../signIn.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** How a page without a server signs people in. */
export interface LocalSignInOptions {
  /** Who can tell whether a signature is one, for each chain family that may sign in: those of `@latchkey/protocol/verify`. */
  readonly verifiers: SignatureVerifiers
  /** A sentence that the wallet shows. [none] */
  readonly statement?: string
  /** Addresses that the message names, as EIP-4361 has it. [none] */
  readonly resources?: readonly string[]
  /** How long a sign-in lasts, 30 days at most. [a day] */
  readonly expiresInMs?: number
  /** The `id` of the options, where there is a second instance on the page. [none] */
  readonly id?: string
  /** The origin of the page. [its own] */
  readonly origin?: string
  /** Where the proofs are kept. [localStorage] */
  readonly storage?: KeyValueStorage
  /** [the machine's] */
  readonly clock?: Clock
}

/**
 * Sign-in for pages without a server: the page gives the nonce, checks what was signed and keeps the proofs in its storage. It tells the
 * page who is there; to a server it proves nothing, for the page is its own judge.
 *
 * @example
 * createLatchkey({ signIn: 'optional', signInKeeper: localSignIn({ verifiers: { eip155: eip155Verifier({ call }) } }) })
 */
export function localSignIn(options: LocalSignInOptions): AuthenticationAdapter {
  return lazyAuthentication(async () => (await import('./localAuthentication.ts')).createLocalAuthentication(options))
}
