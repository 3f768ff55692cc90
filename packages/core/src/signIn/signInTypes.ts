import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { SignInFields } from '@latchkey/siwx/signIn'

export type { SignInFields }

/** A sign-in session, which consists of a signed message and its fields. */
export interface SignInSession {
  /** The fields of the message. Some fields are empty if the session was reported by a server. */
  readonly data: SignInFields
  /** The signed message. */
  readonly message: string
  /** The signature in the encoding of the chain family (see `SignatureVerifier`). Empty if only the server has the signature. */
  readonly signature: string
  /** The original CACAO, if the wallet signed while connecting (CAIP-74). */
  readonly cacao?: unknown
}

/** The fields of a sign-in message, except the account and chain. */
export type MessageParams = Omit<SignInFields, 'chainId' | 'accountAddress'>

/**
 * An adapter that creates sign-in messages, verifies signed messages and stores sessions. Use `serverSignIn()`, `localSignIn()`
 * or `siwe()` from `@latchkey/core/sign-in`, or implement your own.
 */
export interface AuthenticationAdapter {
  /** Creates the message fields. `account` is `undefined` if the wallet signs while it connects. */
  createMessage(params: { readonly account?: AccountId; readonly chain: ChainId }): Promise<MessageParams>
  /** Formats the message, for hosts with a custom format. Defaults to EIP-4361 and CAIP-122. */
  writeMessage?(fields: SignInFields): string | Promise<string>
  /** Verifies a session and adds it to the stored sessions. Rejects if the session is invalid. */
  addSession(session: SignInSession): Promise<void>
  /**
   * Verifies `sessions` and replaces the stored sessions with them. Rejects without changing anything if a session is invalid.
   */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** Resolves to the valid sessions for this account on this chain only. EVM addresses are compared case-insensitively. */
  getSessions(account: AccountId): Promise<readonly SignInSession[]>
  /** Removes the sessions for this account on this chain only. */
  revokeSession(account: AccountId): Promise<void>
  /** Whether the user must sign in. Defaults to the `signIn` option. */
  getRequired?(): boolean
  /** Whether disconnecting ends the sign-in sessions. Defaults to `true`. */
  readonly signOutOnDisconnect?: boolean
  /** The view that prompts the user. Defaults to `SIWXSignMessage`. */
  readonly view?: 'ConnectingSiwe'
}

/** The sign-in state of the active account. */
export interface SignInState {
  /**
   * The status of the sign-in. `unknown` means that no account is connected, that the session has not been looked up yet, or that
   * an outage (see `error`) prevents the lookup, which is retried. `signing` means that the wallet has not responded yet.
   */
  readonly status: 'unknown' | 'checking' | 'signed-out' | 'signing' | 'cancelling' | 'signed-in'
  /** The account that the status applies to. */
  readonly account: AccountId | undefined
  /** The session of `account`. Only set if `status` is `signed-in`. */
  readonly session: SignInSession | undefined
  /** Why the last attempt failed. */
  readonly error: LatchkeyError | undefined
}

/** The controls for signing in and out, which the sign-in view uses. */
export interface SignIn {
  /**
   * Requests a signature from the wallet and stores the session. Concurrent calls share one request. Rejects with
   * `sign-in/no-address`, `sign-in/no-network`, `sign-in/no-client`, `sign-in/declined`, `sign-in/no-smart-accounts` or
   * `sign-in/invalid`.
   */
  sign(): Promise<SignInSession>
  /** Cancels the sign-in. Disconnects if sign-in is required. Otherwise, the wallet stays connected. */
  cancel(): Promise<void>
  /** Ends the sign-in session of the active account. The wallet stays connected. */
  signOut(): Promise<void>
}
