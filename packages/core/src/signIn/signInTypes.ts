import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { SignInFields } from '@latchkey/siwx/signIn'

export type { SignInFields }

/** A sign-in session: a signed message. */
export interface SignInSession {
  /** The fields of the message. A session reported by a server has only some of them; the others are empty. */
  readonly data: SignInFields
  /** The signed text. */
  readonly message: string
  /** The signature in the encoding of the chain family (see `SignatureVerifier`). Empty if only the server has it. */
  readonly signature: string
  /** The original CACAO, if the wallet signed while connecting (CAIP-74). */
  readonly cacao?: unknown
}

/** The fields of a sign-in message, except the account and chain. */
export type MessageParams = Omit<SignInFields, 'chainId' | 'accountAddress'>

/**
 * Creates sign-in messages, verifies signed messages and stores sessions. Use `serverSignIn()`, `localSignIn()` or `siwe()` of
 * `@latchkey/core/sign-in`, or your own.
 */
export interface AuthenticationAdapter {
  /** Creates the message fields. `account` is unknown if the wallet signs while it connects. */
  createMessage(params: { readonly account?: AccountId; readonly chain: ChainId }): Promise<MessageParams>
  /** Formats the message, for hosts with their own format. [EIP-4361 and CAIP-122] */
  writeMessage?(fields: SignInFields): string | Promise<string>
  /** Verifies a session and stores it in addition to the others. Rejects if it is invalid. */
  addSession(session: SignInSession): Promise<void>
  /** Verifies all sessions and replaces the stored sessions with them. Rejects without any change if one is invalid. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** Resolves to the valid sessions of exactly this account on this chain. EVM addresses are compared case-insensitively. */
  getSessions(account: AccountId): Promise<readonly SignInSession[]>
  /** Removes the sessions of exactly this account on this chain. */
  revokeSession(account: AccountId): Promise<void>
  /** Whether the user must sign in. [`signIn` of the options] */
  getRequired?(): boolean
  /** [true] */
  readonly signOutOnDisconnect?: boolean
  /** The view that prompts the user. [SIWXSignMessage] */
  readonly view?: 'ConnectingSiwe'
}

/** The sign-in state of the active account. */
export interface SignInState {
  /**
   * `unknown`: no account is connected, the session has not been looked up yet, or an outage prevents the lookup, which is then retried
   * (see `error`). `signing`: waiting for the wallet.
   */
  readonly status: 'unknown' | 'checking' | 'signed-out' | 'signing' | 'cancelling' | 'signed-in'
  /** The account that the status applies to. */
  readonly account: AccountId | undefined
  /** The session of `account`. Only set with the status `signed-in`. */
  readonly session: SignInSession | undefined
  /** Why the last attempt failed. */
  readonly error: LatchkeyError | undefined
}

/** Controls signing in and out. Rendered by the sign-in view. */
export interface SignIn {
  /**
   * Requests a signature from the wallet and stores the session. Concurrent calls share one request. Rejects with `sign-in/no-address`,
   * `sign-in/no-network`, `sign-in/no-client`, `sign-in/declined`, `sign-in/no-smart-accounts`, `sign-in/invalid`.
   */
  sign(): Promise<SignInSession>
  /** Cancels the sign-in. Disconnects if sign-in is required; otherwise the wallet stays connected. */
  cancel(): Promise<void>
  /** Ends the sign-in session of the active account. The wallet stays connected. */
  signOut(): Promise<void>
}
