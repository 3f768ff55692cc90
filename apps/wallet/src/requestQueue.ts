import type { AuthPayload, Metadata, Proposal, Reason } from '@latchkey/walletconnect'
import type { Verdict } from '@latchkey/walletconnect/verify'
import type { Grant } from './grantNamespaces.ts'
import type { MethodCall } from './methodCall.ts'
import type { SignInTexts } from './signIn.ts'

interface Common {
  readonly key: string
  readonly id: number
  /** The topic of the pairing or session. */
  readonly topic: string
  /** The self-reported metadata of the page. Unverified. */
  readonly from: Metadata
  /** The verdict of the verify service, or `undefined` until it is known. */
  readonly verdict?: Verdict | undefined
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Whether the request is open, being executed, or has failed. */
  readonly state:
    | { readonly at: 'open' }
    | { readonly at: 'doing' }
    | { readonly at: 'failed'; readonly because: string }
}

/** A page's request to connect. */
export interface PendingConnect extends Common {
  readonly kind: 'connect'
  readonly proposal: Proposal
  readonly grant: Grant
}

/** A page's request to sign in. */
export interface PendingSignIn extends Common {
  readonly kind: 'signIn'
  readonly payload: AuthPayload
  readonly texts: SignInTexts
}

/** A method call from a connected page. */
export interface PendingMethodCall extends Common {
  readonly kind: 'request'
  readonly call: MethodCall
  readonly method: string
  readonly params: unknown
  /** The error sent to the page if the user rejects the request after it has failed. */
  readonly reason?: Reason | undefined
  /** Set once executed, before the page has received the response. Such a request is never executed again. */
  readonly done?: { readonly result: unknown } | { readonly error: Reason } | undefined
}

/** A request that is waiting for the user. */
export type PendingRequest = PendingConnect | PendingSignIn | PendingMethodCall
