import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { KeyValueStorage } from '../../options.ts'
import type { AuthenticationAdapter } from '../signInTypes.ts'

/** Options for sign-in with a server. */
export interface ServerSignInOptions {
  /** The server's URL, such as `https://connect.shop.example`. */
  readonly url: string
  /** The ID of the project on the server, sent with each request. */
  readonly projectId: string
  /**
   * In `cookie` mode, the server keeps the session in an HttpOnly cookie and the page stores nothing. The server must be
   * same-site with the page. In `token` mode, the page keeps a token in its storage. The server must be configured for the same
   * mode. Defaults to `cookie`.
   */
  readonly mode?: 'cookie' | 'token'
  /** The statement that the wallet displays. Defaults to none. */
  readonly statement?: string
  /** The requested lifetime of a session in milliseconds. The server can use a shorter lifetime. Defaults to one day. */
  readonly expiresInMs?: number
  /** The `resources` of the message, as defined by EIP-4361. Defaults to none. */
  readonly resources?: readonly string[]
  /** The `id` option of the Latchkey instance. Set it if the page has more than one instance. */
  readonly id?: string
  /** The page's origin. Defaults to `location.origin`. */
  readonly origin?: string
  /**
   * The storage for the token in token mode. Defaults to localStorage. If it is unavailable, the session lasts until the page is
   * closed.
   */
  readonly storage?: KeyValueStorage
  /** The `fetch` function to use. Defaults to the page's `fetch`. */
  readonly fetch?: typeof fetch
  /** The clock to use. Defaults to the system clock. */
  readonly clock?: Clock
}

/** The signed-in account, as reported by the server. */
export interface SignInAccount {
  /** The account that signed in, with its chain (CAIP-10). */
  readonly account: AccountId
  /** The verified email address, if any. */
  readonly email?: string | undefined
  /** An identifier for the account that is stable within a project. */
  readonly profileId?: string | undefined
  /** When the session expires, in milliseconds since the Unix epoch. */
  readonly expiresAt?: number | undefined
  /** The data stored by `setMetadata`. Only returned by `account()`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/** An authentication adapter for a Latchkey server, with the server's additional features. */
export interface ServerSignIn extends AuthenticationAdapter {
  /** Calls `listener` when a user signs in or out through this page. Returns a function that unsubscribes. */
  onSession(listener: (account: SignInAccount | undefined) => void): () => void
  /** Resolves to the signed-in account as reported by the server, or `undefined` if no account is signed in. */
  account(): Promise<SignInAccount | undefined>
  /** Ends all sign-in sessions in this browser. */
  signOut(): Promise<void>
  /**
   * Emails a code to `email`. Resolves to whether the code was sent. Not every server sends email. The next sign-in of
   * `account` includes the address, and verifies it if the code was confirmed. If the code was not confirmed, that sign-in fails
   * with `sign-in/code-needed` and the following sign-in omits the address.
   */
  requestCode(params: { readonly email: string; readonly account: AccountId }): Promise<boolean>
  /** Submits the code from the email. Rejects with `sign-in/wrong-code` if the code is wrong. */
  confirmCode(code: string): Promise<void>
  /**
   * Stores the page's metadata for the signed-in account. Rejects with `sign-in/not-authenticated` if no account is signed in.
   */
  setMetadata(metadata: Readonly<Record<string, unknown>> | null): Promise<void>
}
