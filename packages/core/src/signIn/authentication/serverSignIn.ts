import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { once } from '../../lib/once.ts'
import type { KeyValueStorage } from '../../options.ts'
import type { AuthenticationAdapter } from '../signIn.ts'
import { lazyAuthentication } from './lazyAuthentication.ts'

/** Where to sign in, and how. */
export interface ServerSignInOptions {
  /** The server, `https://connect.shop.example`. */
  readonly url: string
  readonly projectId: string
  /**
   * `cookie`: the server keeps the session in a cookie that no script reads; the page stores nothing. It has to be on the page's own site.
   * `token`: the page keeps a token in its storage. The server has to be set to the same. [cookie]
   */
  readonly mode?: 'cookie' | 'token'
  /** A sentence that the wallet shows. [none] */
  readonly statement?: string
  /** How long a sign-in may last; the server may end it sooner. [a day] */
  readonly expiresInMs?: number
  /** Addresses that the message names, as EIP-4361 has it. [none] */
  readonly resources?: readonly string[]
  /** The `id` of the options, where there is a second instance on the page. [none] */
  readonly id?: string
  /** The origin of the page. [its own] */
  readonly origin?: string
  /** For token mode. [localStorage; without it the sign-in lasts as long as the page] */
  readonly storage?: KeyValueStorage
  /** [the page's own] */
  readonly fetch?: typeof fetch
  /** [the machine's] */
  readonly clock?: Clock
}

/** Who is signed in, as the server says it. */
export interface SignInAccount {
  readonly account: AccountId
  /** Only one that was verified. */
  readonly email?: string | undefined
  /** The same for the same account of one project. */
  readonly profileId?: string | undefined
  /** Epoch milliseconds. */
  readonly expiresAt?: number | undefined
  /** What `setMetadata` keeps; `account()` alone asks for it. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/** Sign-in at a server, and what the server can do besides. */
export interface ServerSignIn extends AuthenticationAdapter {
  /** Tells who signs in and out through this page; answers what stops it. */
  onSession(listener: (account: SignInAccount | undefined) => void): () => void
  /** Who is signed in, as the server knows it; `undefined` for nobody. */
  account(): Promise<SignInAccount | undefined>
  /** Ends every sign-in session of this browser. */
  signOut(): Promise<void>
  /**
   * Mails a code to `email`; answers whether it did, as not every server mails. The next sign-in of `account` names the address, and proves
   * it when the code was confirmed; it is refused as `sign-in/code-needed` when not, and the one after that goes without.
   */
  requestCode(params: { readonly email: string; readonly account: AccountId }): Promise<boolean>
  /** Hands in the code of that mail; rejects with `sign-in/wrong-code`. */
  confirmCode(code: string): Promise<void>
  /** Keeps what the page wants to remember of the account that is signed in. `sign-in/not-authenticated` where nobody is. */
  setMetadata(metadata: Readonly<Record<string, unknown>> | null): Promise<void>
}

/**
 * Sign-in at a Latchkey server: it gives the nonces, checks what was signed and keeps the session.
 *
 * Looking up a session fails when the server cannot be asked (no answer, a refused page, a fault of its own), so that nobody is asked to
 * sign what cannot be checked; an answer that says no is nobody.
 *
 * @example
 * createLatchkey({ signIn: 'required', signInKeeper: serverSignIn({ url: 'https://connect.shop.example', projectId: 'shop' }) })
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
