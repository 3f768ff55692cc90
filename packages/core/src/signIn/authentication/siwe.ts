import type { Clock } from '@latchkey/protocol/clock'
import type { AuthenticationAdapter } from '../signIn.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** Whom a back end holds to be signed in. */
export interface SiweSession {
  readonly address: string
  readonly chainId: number
}

/** What a page says of its sign-in; times are ISO 8601. */
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

/** What the text of a sign-in is made of. */
export interface SiweMessageArgs extends SiweMessageParams {
  /** `did:pkh:eip155:1:0xab…` */
  readonly address: string
  readonly chainId: number
  readonly version: '1'
  readonly nonce: string
  readonly iat: string
}

/** The classic callbacks of Sign-In with Ethereum, answered by the host's own back end. */
export interface SiweOptions {
  getNonce(address?: string): Promise<string>
  /** The text to sign. [that of EIP-4361] */
  createMessage?(args: SiweMessageArgs): string | Promise<string>
  verifyMessage(signed: {
    readonly message: string
    readonly signature: string
    /** As it came from a wallet that signed as it connected. */
    readonly cacao?: unknown
  }): Promise<boolean>
  getSession(): Promise<SiweSession | null | undefined>
  /** Whether the session is over. */
  signOut(): Promise<boolean>
  /** [this page, without a statement] */
  getMessageParams?(): Promise<SiweMessageParams | null | undefined>
  onSignIn?(session: SiweSession): void
  onSignOut?(): void
  /** Whether a visitor has to. [true] */
  readonly required?: boolean
  /** Switched off, everybody counts as signed in and nobody is asked. [true] */
  readonly enabled?: boolean
  /** [true] */
  readonly signOutOnDisconnect?: boolean
  /** Another address: the session is ended. Switched off, it counts for every address. [true] */
  readonly signOutOnAccountChange?: boolean
  /** A session counts on its own network only. [true] */
  readonly signOutOnNetworkChange?: boolean
  /** [the machine's] */
  readonly clock?: Clock
}

/**
 * Sign-in by the classic callbacks, for hosts that have them. They know Ethereum only: visitors of other chain families count as
 * signed in and are never verified. The back end holds one session: who signed in last.
 *
 * @example
 * createLatchkey({ signIn: 'required', signInKeeper: siwe({ getNonce, verifyMessage, getSession, signOut }) })
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
