import type { Clock } from '@latchkey/protocol/clock'
import type { AuthenticationAdapter } from '../signInTypes.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** A session of the host's back end. */
export interface SiweSession {
  /** The signed-in address, in any letter case. */
  readonly address: string
  /** The chain of the sign-in, as a number (EIP-155). */
  readonly chainId: number
}

/** The page's parameters of a sign-in message. Times are ISO 8601. */
export interface SiweMessageParams {
  /** The host of the page, with its port if there is one, such as `shop.example`. */
  readonly domain: string
  /** The URI of the page, such as `https://shop.example`. */
  readonly uri: string
  /** The statement that the wallet displays: one line of ASCII (EIP-4361). [none] */
  readonly statement?: string
  /** An identifier for the sign-in request (EIP-4361). [none] */
  readonly requestId?: string
  /** URIs that are part of the message (EIP-4361). [none] */
  readonly resources?: string[]
  /** [now] */
  readonly iat?: string
  /** The time from which the message is no longer valid. [none] */
  readonly exp?: string
  /** The time before which the message is not valid. [none] */
  readonly nbf?: string
}

/** The arguments of `createMessage`. */
export interface SiweMessageArgs extends SiweMessageParams {
  /** `did:pkh:eip155:1:0xab…` */
  readonly address: string
  /** The chain that the user signs in on, as a number (EIP-155). */
  readonly chainId: number
  /** The version of the message format (EIP-4361). */
  readonly version: '1'
  /** The nonce from `getNonce`. */
  readonly nonce: string
  /** The time of issue: that of `getMessageParams`, or else the current time. */
  readonly iat: string
}

/** The classic Sign-In with Ethereum callbacks, implemented by the host's back end. */
export interface SiweOptions {
  /** Resolves to a nonce that can be used once: at least 8 letters and digits. `address` is unknown if the wallet signs while it connects. */
  getNonce(address?: string): Promise<string>
  /** Returns the text to sign. [EIP-4361] */
  createMessage?(args: SiweMessageArgs): string | Promise<string>
  /** Verifies a signed message and creates the session. Resolves to whether the message is valid. */
  verifyMessage(signed: {
    readonly message: string
    readonly signature: string
    /** The original CACAO, if the wallet signed while connecting. */
    readonly cacao?: unknown
  }): Promise<boolean>
  /** Resolves to the current session, or to nothing if there is none. A rejection counts as an outage. */
  getSession(): Promise<SiweSession | null | undefined>
  /** Ends the session. Resolves to whether it has ended. */
  signOut(): Promise<boolean>
  /** [the current page, without a statement] */
  getMessageParams?(): Promise<SiweMessageParams | null | undefined>
  /** Called after a sign-in, with the session that `getSession` returns then. */
  onSignIn?(session: SiweSession): void
  /** Called after `signOut` has ended the session. */
  onSignOut?(): void
  /** Whether users must sign in. [true] */
  readonly required?: boolean
  /** If false, every user counts as signed in and is not prompted. [true] */
  readonly enabled?: boolean
  /** [true] */
  readonly signOutOnDisconnect?: boolean
  /** Whether using another address ends the session. If false, the session is valid for every address. [true] */
  readonly signOutOnAccountChange?: boolean
  /** Whether a session is valid only on its own network. [true] */
  readonly signOutOnNetworkChange?: boolean
  /** [the system clock] */
  readonly clock?: Clock
}

/**
 * Creates an authentication adapter from classic SIWE callbacks. They only support Ethereum: accounts of other chain families count as
 * signed in and are never verified. The back end has a single session, that of the last sign-in.
 *
 * @example
 * createLatchkey({ signIn: 'required', authentication: siwe({ getNonce, verifyMessage, getSession, signOut }) })
 */
export function siwe(options: SiweOptions): AuthenticationAdapter {
  const { required = true, enabled = true, signOutOnDisconnect = true, createMessage } = options
  return {
    ...lazyAuthentication(async () => (await import('./siweAuthentication.ts')).createSiweAuthentication(options)),
    view: 'ConnectingSiwe',
    signOutOnDisconnect,
    getRequired: () => required && enabled,
    ...(createMessage && {
      writeMessage: async (fields) => createMessage((await import('./siweAuthentication.ts')).siweArgs(fields)),
    }),
  }
}
