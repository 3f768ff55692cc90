import type { Clock } from '@latchkey/protocol/clock'
import type { SignatureVerifiers } from '@latchkey/siwx/signIn'
import type { KeyValueStorage } from '../../options.ts'

/** Options for sign-in without a server. */
export interface LocalSignInOptions {
  /** The signature verifier for each chain family that can sign in, from `@latchkey/siwx/verify`. */
  readonly verifiers: SignatureVerifiers
  /** The statement that the wallet displays. Defaults to none. */
  readonly statement?: string
  /** The `resources` of the message, as defined by EIP-4361. Defaults to none. */
  readonly resources?: readonly string[]
  /** The lifetime of a session in milliseconds, at most 30 days. Defaults to one day. */
  readonly expiresInMs?: number
  /** The `id` option of the Latchkey instance. Set it if the page has more than one instance. */
  readonly id?: string
  /** The page's origin. Defaults to `location.origin`. */
  readonly origin?: string
  /** The storage for the sessions. Defaults to localStorage. */
  readonly storage?: KeyValueStorage
  /** The clock to use. Defaults to the system clock. */
  readonly clock?: Clock
}
