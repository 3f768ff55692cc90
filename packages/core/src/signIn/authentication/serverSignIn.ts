import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { once } from '../../lib/once.ts'
import type { KeyValueStorage } from '../../options.ts'
import type { AuthenticationAdapter } from '../signInTypes.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** Options for sign-in with a server. */
export interface ServerSignInOptions {
  /** The server's URL, such as `https://connect.shop.example`. */
  readonly url: string
  /** The ID of the project at that server, sent with each request. */
  readonly projectId: string
  /**
   * `cookie`: the server keeps the session in an HttpOnly cookie, and the page stores nothing. The server must be same-site with the page.
   * `token`: the page keeps a token in its storage. The server must be configured for the same mode. [cookie]
   */
  readonly mode?: 'cookie' | 'token'
  /** The statement that the wallet displays. [none] */
  readonly statement?: string
  /** Requested lifetime of a session. The server can use a shorter one. [one day] */
  readonly expiresInMs?: number
  /** The `resources` of the message, as defined by EIP-4361. [none] */
  readonly resources?: readonly string[]
  /** The `id` of the Latchkey options, if the page has a second instance. [none] */
  readonly id?: string
  /** The page's origin. [`location.origin`] */
  readonly origin?: string
  /** Stores the token in token mode. [localStorage; if unavailable, the session lasts until the page is closed] */
  readonly storage?: KeyValueStorage
  /** [the page's `fetch`] */
  readonly fetch?: typeof fetch
  /** [the system clock] */
  readonly clock?: Clock
}

/** The signed-in account, as reported by the server. */
export interface SignInAccount {
  /** The account on the chain of the sign-in (CAIP-10). */
  readonly account: AccountId
  /** The verified email address, if any. */
  readonly email?: string | undefined
  /** Stable for an account within a project. */
  readonly profileId?: string | undefined
  /** Epoch milliseconds. */
  readonly expiresAt?: number | undefined
  /** The data stored by `setMetadata`. Only returned by `account()`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/** Authentication with a server, plus the additional features of the server. */
export interface ServerSignIn extends AuthenticationAdapter {
  /** Calls `listener` when a user signs in or out through this page. Returns a function that unsubscribes. */
  onSession(listener: (account: SignInAccount | undefined) => void): () => void
  /** Resolves to the signed-in account as the server knows it, or `undefined` if there is none. */
  account(): Promise<SignInAccount | undefined>
  /** Ends all sign-in sessions of this browser. */
  signOut(): Promise<void>
  /**
   * Emails a code to `email`. Resolves to whether it was sent, as not every server sends email. The next sign-in of `account` includes the address
   * and verifies it if the code was confirmed. Otherwise it fails with `sign-in/code-needed`, and the one after it omits the address.
   */
  requestCode(params: { readonly email: string; readonly account: AccountId }): Promise<boolean>
  /** Submits the code from that email. Rejects with `sign-in/wrong-code`. */
  confirmCode(code: string): Promise<void>
  /** Stores the page's metadata for the signed-in account. Rejects with `sign-in/not-authenticated` if there is none. */
  setMetadata(metadata: Readonly<Record<string, unknown>> | null): Promise<void>
}

/**
 * Creates an authentication adapter for a Latchkey server, which issues nonces, verifies signatures and keeps the sessions.
 *
 * Looking up a session fails if the server cannot be reached, refuses the page or has an internal error, so that the user is not asked to
 * sign a message that cannot be verified. If the server reports that there is no session, the user is signed out.
 *
 * @example
 * createLatchkey({ signIn: 'required', authentication: serverSignIn({ url: 'https://connect.shop.example', projectId: 'shop' }) })
 */
export function serverSignIn(options: ServerSignInOptions): ServerSignIn {
  const listeners = new Set<{ readonly tell: (account: SignInAccount | undefined) => void }>()
  const server = once(async () =>
    (await import('./serverAuthentication.ts')).createServerAuthentication({
      ...options,
      heard: () => listeners.size > 0,
      changed: (account) => {
        for (const { tell } of [...listeners]) tell(account)
      },
    }),
  )
  return {
    ...lazyAuthentication(server.get),
    onSession(tell) {
      const listener = { tell }
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
