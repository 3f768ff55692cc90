import type { Clock } from '@latchkey/protocol/clock'
import type { AuthenticationAdapter } from '../signIn.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** A session of the host's back end. */
export interface SiweSession {
  readonly address: string
  readonly chainId: number
}

/** The page's parameters of a sign-in message. Times are ISO 8601. */
export interface SiweMessageParams {
  readonly domain: string
  readonly uri: string
  readonly statement?: string
  readonly requestId?: string
  readonly resources?: string[]
  /** [now] */
  readonly iat?: string
  readonly exp?: string
  readonly nbf?: string
}

/** The arguments of `createMessage`. */
export interface SiweMessageArgs extends SiweMessageParams {
  /** `did:pkh:eip155:1:0xab…` */
  readonly address: string
  readonly chainId: number
  readonly version: '1'
  readonly nonce: string
  readonly iat: string
}

/** The classic Sign-In with Ethereum callbacks, implemented by the host's back end. */
export interface SiweOptions {
  getNonce(address?: string): Promise<string>
  /** Returns the text to sign. [EIP-4361] */
  createMessage?(args: SiweMessageArgs): string | Promise<string>
  verifyMessage(signed: {
    readonly message: string
    readonly signature: string
    /** The original CACAO, if the wallet signed while connecting. */
    readonly cacao?: unknown
  }): Promise<boolean>
  getSession(): Promise<SiweSession | null | undefined>
  /** Ends the session. Resolves to whether it has ended. */
  signOut(): Promise<boolean>
  /** [the current page, without a statement] */
  getMessageParams?(): Promise<SiweMessageParams | null | undefined>
  onSignIn?(session: SiweSession): void
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
