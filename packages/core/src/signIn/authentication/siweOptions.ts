import type { Clock } from '@latchkey/protocol/clock'

/** A session in the host's back end. */
export interface SiweSession {
  /** The signed-in address, in any letter case. */
  readonly address: string
  /** The ID of the chain that the user signed in on (EIP-155). */
  readonly chainId: number
}

/** The page's parameters for a sign-in message. Times are in ISO 8601 format. */
export interface SiweMessageParams {
  /** The host of the page, with its port if there is one, such as `shop.example`. */
  readonly domain: string
  /** The URI of the page, such as `https://shop.example`. */
  readonly uri: string
  /** The statement that the wallet displays, which must be a single line of ASCII (EIP-4361). Defaults to none. */
  readonly statement?: string
  /** An identifier for the sign-in request (EIP-4361). Defaults to none. */
  readonly requestId?: string
  /** URIs that are part of the message (EIP-4361). Defaults to none. */
  readonly resources?: string[]
  /** The time when the message was issued. Defaults to now. */
  readonly iat?: string
  /** The time from which the message is no longer valid. Defaults to none. */
  readonly exp?: string
  /** The time before which the message is not valid. Defaults to none. */
  readonly nbf?: string
}

/** The arguments of `createMessage`. */
export interface SiweMessageArgs extends SiweMessageParams {
  /** The account as a DID, such as `did:pkh:eip155:1:0xab…`. */
  readonly address: string
  /** The ID of the chain that the user signs in on (EIP-155). */
  readonly chainId: number
  /** The version of the message format (EIP-4361). */
  readonly version: '1'
  /** The nonce from `getNonce`. */
  readonly nonce: string
  /** The time when the message was issued: `iat` from `getMessageParams`, or the current time by default. */
  readonly iat: string
}

/** The classic Sign-In with Ethereum callbacks. They run in the page, and usually send requests to the host's back end. */
export interface SiweOptions {
  /**
   * Resolves to a single-use nonce of at least 8 letters and digits. `address` is `undefined` if the wallet signs while it
   * connects.
   */
  getNonce(address?: string): Promise<string>
  /** Returns the message to sign. Defaults to the EIP-4361 format. */
  createMessage?(args: SiweMessageArgs): string | Promise<string>
  /** Verifies a signed message and creates the session. Resolves to whether the message is valid. */
  verifyMessage(signed: {
    readonly message: string
    readonly signature: string
    /** The original CACAO, if the wallet signed while connecting. */
    readonly cacao?: unknown
  }): Promise<boolean>
  /**
   * Resolves to the current session, or to `null` or `undefined` if there is none. A rejected promise is treated as an outage.
   */
  getSession(): Promise<SiweSession | null | undefined>
  /** Ends the session. Resolves to whether the session has ended. */
  signOut(): Promise<boolean>
  /** Resolves to the page's message parameters. Defaults to the current page, without a statement. */
  getMessageParams?(): Promise<SiweMessageParams | null | undefined>
  /** Called after a sign-in with the session from `getSession`. */
  onSignIn?(session: SiweSession): void
  /** Called after `signOut` has ended the session. */
  onSignOut?(): void
  /** Whether users must sign in. Defaults to `true`. */
  readonly required?: boolean
  /** Whether sign-in is enabled. If `false`, every user is treated as signed in and is never prompted. Defaults to `true`. */
  readonly enabled?: boolean
  /** Whether disconnecting signs the user out. Defaults to `true`. */
  readonly signOutOnDisconnect?: boolean
  /**
   * Whether switching to a different address ends the session. If `false`, the session is valid for every address. Defaults to
   * `true`.
   */
  readonly signOutOnAccountChange?: boolean
  /** Whether the session is valid only on the network on which the user signed in. Defaults to `true`. */
  readonly signOutOnNetworkChange?: boolean
  /** The clock to use. Defaults to the system clock. */
  readonly clock?: Clock
}
