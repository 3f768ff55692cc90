import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { SignInFields } from '@latchkey/protocol/signIn'

export type { SignInFields }

/** A proof of sign-in. */
export interface SignInSession {
  readonly data: SignInFields
  /** The text that was signed. */
  readonly message: string
  readonly signature: string
  /** As it came from a wallet that signed as it connected (CAIP-74). */
  readonly cacao?: unknown
}

/** The words of a sign-in, but for who signs and where. */
export type MessageParams = Omit<SignInFields, 'chainId' | 'accountAddress'>

/**
 * Who gives the words of a sign-in, checks what was signed, and keeps it: `serverSignIn()`, `localSignIn()` and `siwe()` of
 * `@latchkey/core/sign-in`, or a host's own.
 */
export interface AuthenticationAdapter {
  /** What to sign. `account` is unknown when a wallet is asked to sign as it connects. */
  createMessage(params: { readonly account?: AccountId; readonly chain: ChainId }): Promise<MessageParams>
  /** The text of a message, for hosts with a format of their own. [that of EIP-4361 and CAIP-122] */
  writeMessage?(fields: SignInFields): string | Promise<string>
  /** Verifies one and keeps it beside the others; rejects when it is not valid. */
  addSession(session: SignInSession): Promise<void>
  /** Verifies all of them and keeps them in the place of what was there, or none: rejects when one is not valid. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** The valid ones of exactly that account on that chain; EVM addresses in any case. */
  getSessions(account: AccountId): Promise<readonly SignInSession[]>
  /** Forgets the sessions of exactly that account on that chain, and no neighbour's. */
  revokeSession(account: AccountId): Promise<void>
  /** Whether a visitor has to sign in. [`signIn` of the options] */
  getRequired?(): boolean
  /** [true] */
  readonly signOutOnDisconnect?: boolean
  /** The view that asks. [SIWXSignMessage] */
  readonly view?: 'ConnectingSiwe'
}

/** Where the active account stands. */
export interface SignInState {
  /**
   * `unknown`: nobody is connected, it was not looked up yet, or (`error` says why) an outage keeps it from being looked up, which is tried
   * again. `signing`: the wallet is asked.
   */
  readonly status: 'unknown' | 'checking' | 'signed-out' | 'signing' | 'cancelling' | 'signed-in'
  /** Whom that is about. */
  readonly account: AccountId | undefined
  readonly session: SignInSession | undefined
  /** Why the last try did not come to anything. */
  readonly error: LatchkeyError | undefined
}

/** Signing in and out; its view draws it. */
export interface SignIn {
  /**
   * Asks the wallet to sign, once however often it is called meanwhile, and keeps the proof. Rejects with `sign-in/no-address`,
   * `sign-in/no-network`, `sign-in/no-client`, `sign-in/declined`, `sign-in/no-smart-accounts`, `sign-in/invalid`.
   */
  sign(): Promise<SignInSession>
  /** The visitor does not want to: required means disconnected, optional means connected without. */
  cancel(): Promise<void>
  /** Ends the sign-in session of the active account; the wallet stays connected. */
  signOut(): Promise<void>
}
